import { type Static, Type } from 'typebox'
import { PUBLISHED_SECONDS } from '../../people/identity/token-keys.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Moment, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import type { SessionRouteDependencies } from './session-schemas.ts'

const PublicKey = component(
  'PublicKeyOptions',
  Type.Object({
    kty: Type.String(),
    crv: Type.String(),
    x: Type.String(),
    kid: Type.String(),
    use: Type.String(),
    alg: Type.String(),
  }),
)

/** The public keys that verify access tokens. */
export function tokenKeyRoutes(app: App, { tokens }: SessionRouteDependencies): void {
  app.get(
    '/.well-known/jwks.json',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getTokenKeys',
        tags: ['sessions'],
        summary: 'List the public keys that verify access tokens, including the next ones',
        response: { 200: Type.Object({ keys: Type.Array(PublicKey) }), ...refusals() },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${PUBLISHED_SECONDS}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `token-keys.ts` makes every key with these members
      return { keys: (await tokens.published()) as Static<typeof PublicKey>[] }
    },
  )

  app.post(
    '/api/token-keys/rotate',
    {
      config: { rule: { roles: ['ADMIN'] } },
      schema: {
        operationId: 'rotateTokenKeys',
        tags: ['sessions'],
        summary: 'Create a key for access tokens; it is published before it signs, and nobody is signed out',
        body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500 }) }),
        response: { 200: Type.Object({ id: Type.String(), signsFrom: Moment }), ...refusals(401, 403) },
      },
    },
    async (request) => {
      const { id, signsFrom } = await tokens.rotate(personOf(request).id, request.body.reason)
      return { id, signsFrom: signsFrom.toISOString() }
    },
  )
}
