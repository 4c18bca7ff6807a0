import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { expectPassword } from '../../people/identity/own-account.ts'
import { beginPasskey, listPasskeys, registerPasskey, removePasskey } from '../../people/identity/passkeys.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, Name, Nullable, refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'
import { WithPassword, RecoveryCodes, PasskeyId, guarded, type MeRouteDependencies } from './me-schemas.ts'

const Passkey = component(
  'Passkey',
  Type.Object({ id: PasskeyId, name: Type.String(), createdAt: Moment, lastUsedAt: Nullable(Moment) }),
)

/** The authenticator's response; the library validates it. */
const Answer = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object({ id: Type.String({ maxLength: 1400 }), response: Type.Object({}) }),
)

/** One’s own passkeys. */
export function passkeyRoutes(app: App, { db, library, publicUrl }: MeRouteDependencies): void {
  const letters = { library, publicUrl }
  const keyContext = { db, letters, publicUrl, log: app.log }

  app.post(
    '/api/me/passkeys/options',
    {
      config: guarded,
      schema: {
        operationId: 'beginPasskey',
        tags: ['me'],
        summary: 'Get the options for creating a passkey',
        body: WithPassword,
        response: {
          200: Type.Object({ challenge: Id, options: Type.Record(Type.String(), Type.Unknown()) }),
          ...refusals(401, 403, 409, 422),
        },
      },
    },
    async (request) => {
      const person = personOf(request)
      await expectPassword(db, person.id, request.body.password)
      const { challenge, options } = await beginPasskey(keyContext, person)
      return { challenge, options: { ...options } }
    },
  )

  app.post(
    '/api/me/passkeys',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'addPasskey',
        tags: ['me'],
        summary: 'Register a passkey that the browser created; the password alone no longer signs in',
        body: Type.Object(
          { challenge: Id, name: Name({ minLength: 1, maxLength: 100 }), response: Answer },
          { additionalProperties: false },
        ),
        response: {
          201: Type.Object({
            ...Passkey.properties,
            recoveryCodes: Nullable(RecoveryCodes),
          }),
          ...refusals(401, 403, 410, 422),
        },
      },
    },
    async (request, reply) => {
      const made = await registerPasskey(keyContext, personOf(request).id, request.body)
      reply.header('cache-control', 'no-store')
      return reply.code(201).send({ ...made, createdAt: made.createdAt.toISOString(), lastUsedAt: null })
    },
  )

  app.get(
    '/api/me/passkeys',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listMyPasskeys',
        tags: ['me'],
        summary: 'List your passkeys',
        response: { 200: Type.Object({ items: Type.Array(Passkey) }), ...refusals(401) },
      },
    },
    async (request) => ({
      items: (await listPasskeys(keyContext, personOf(request).id)).map((one) => ({
        ...one,
        createdAt: one.createdAt.toISOString(),
        lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
      })),
    }),
  )

  app.delete(
    '/api/me/passkeys/:id',
    {
      config: guarded,
      schema: {
        operationId: 'removePasskey',
        tags: ['me'],
        summary: 'Remove a passkey',
        params: Type.Object({ id: PasskeyId }),
        body: WithPassword,
        response: { 204: Type.Null(), ...refusals(401, 404, 422) },
      },
    },
    async (request, reply) => {
      const { id } = personOf(request)
      await expectPassword(db, id, request.body.password)
      await removePasskey(keyContext, id, request.params.id)
      return reply.code(204).send(null)
    },
  )
}
