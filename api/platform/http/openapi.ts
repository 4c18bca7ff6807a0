import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** The OpenAPI document, made from the routes' own schemas, and the pages that show it. */
export async function registerOpenapi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Prakriya',
        version: '0.1.0',
        description: 'Flows, cases, tasks and registers of the university.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          tracking: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: '`Tracking <token>`, with the token of `POST /api/public/tracking`',
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
      return { schema: { ...schema, ...(guarded ? { security: [{ [by]: [] }] } : {}) }, url }
    },
  })
  await app.register(fastifySwaggerUi, { routePrefix: '/api/docs', staticCSP: true })
  app.get(
    '/api/openapi.json',
    { config: { rule: 'public' }, schema: { operationId: 'getOpenapi', hide: true } },
    async () => app.swagger(),
  )
}
