import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { isObject } from '../../kernel/objects.ts'
import { withComponents } from '../../kernel/components.ts'

/** Content security policy of the documentation pages: only our own files. They write styles at run time. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** Empty responses become `null`, if their status permits a body. */
function withNull(response: unknown): Record<string, unknown> {
  const isNull = (schema: unknown) => isObject(schema) && schema['type'] === 'null'
  const described = ([status, schema]: [string, unknown]): [string, unknown] =>
    status !== '204' && isNull(schema)
      ? [status, { description: 'No content', content: { 'application/json': { schema } } }]
      : [status, schema]
  return Object.fromEntries(Object.entries(isObject(response) ? response : {}).map(described))
}

/** The OpenAPI document, generated from the routes' schemas, and its pages. */
export async function registerOpenapi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(fastifySwagger, {
    convertConstToEnum: false,
    transformObject: (made) => ('openapiObject' in made ? withComponents(made.openapiObject) : made.swaggerObject),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Prakriya',
        version: '0.1.0',
        description: 'Flows, cases, tasks and registers of the university',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          tracking: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`Tracking <token>`, with the token from `POST /api/public/tracking`',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `def-${index}`,
    },
    transform: ({ schema, url, route }) => {
      const rule = route.config?.rule
      const by = rule === 'tracking' ? 'tracking' : 'bearer'
      const guarded = rule !== undefined && rule !== 'public'
      const response = withNull(schema?.response)
      return { schema: { ...schema, response, security: guarded ? [{ [by]: [] }] : [] }, url }
    },
  })
  await app.register(fastifySwaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: POLICY,
    // The badge would send the document to an external service.
    uiConfig: { validatorUrl: null },
  })
  app.get(
    '/api/openapi.json',
    { config: { rule: 'public' }, schema: { operationId: 'getOpenapi', hide: true } },
    async () => app.swagger(),
  )
}
