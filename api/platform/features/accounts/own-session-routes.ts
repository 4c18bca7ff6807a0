import { Type } from 'typebox'
import { oneOf } from '../../kernel/one-of.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { changeOwnPassword } from '../../people/identity/own-account.ts'
import { mailSecurityNotice } from '../../people/identity/second-factor.ts'
import { endSessions, listSessions } from '../../people/identity/sessions.ts'
import type { App } from '../../http/app.ts'
import { personOf } from '../../http/auth.ts'
import { Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { Password, guarded, type MeRouteDependencies } from './me-schemas.ts'

const METHODS = ['password', 'totp', 'recovery-code', 'passkey', 'oidc'] as const

/** One’s own password and sessions. */
export function ownSessionRoutes(app: App, { db, library, publicUrl }: MeRouteDependencies): void {
  const letters = { library, publicUrl }

  app.post(
    '/api/me/password',
    {
      config: guarded,
      schema: {
        operationId: 'changeMyPassword',
        tags: ['me'],
        summary: 'Change your password and end all your other sessions',
        body: Type.Object({ current: Password, password: Password }, { additionalProperties: false }),
        response: { 204: Type.Null(), ...refusals(401, 422) },
      },
    },
    async (request, reply) => {
      const person = personOf(request)
      await changeOwnPassword(db, person, { ...request.body, session: request.user.sid }, (trx) =>
        mailSecurityNotice(letters, trx, person.id, 'platform.mail.password-changed', '/session/forgot-password'),
      )
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/me/sessions',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'listMySessions',
        tags: ['me'],
        summary: 'List your sessions',
        response: {
          200: Type.Object({
            items: Type.Array(
              Type.Object({
                id: Id,
                current: Type.Boolean({ description: 'The session of this request' }),
                method: Type.Enum(METHODS),
                userAgent: Nullable(Type.String()),
                address: Nullable(Type.String()),
                createdAt: Moment,
                lastSeenAt: Moment,
              }),
            ),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => ({
      items: (await listSessions(db, personOf(request).id)).map((row) => ({
        id: row.id,
        current: row.id === request.user.sid,
        method: oneOf(METHODS, row.method),
        userAgent: row.user_agent,
        address: row.address,
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.last_seen_at.toISOString(),
      })),
    }),
  )

  app.delete(
    '/api/me/sessions/:id',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'endMySession',
        tags: ['me'],
        summary: 'End one of your sessions',
        params: Type.Object({ id: Id }),
        response: { 204: Type.Null(), ...refusals(401, 404) },
      },
    },
    async (request, reply) => {
      const { id: by } = personOf(request)
      const ended = await db
        .transaction()
        .execute((trx) =>
          endSessions(trx, by, { only: request.params.id, by, reason: 'signed out from another session' }),
        )
      if (ended === 0) throw new BusinessError('platform.not-found')
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/me/sessions/end-others',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'endMyOtherSessions',
        tags: ['me'],
        summary: 'End all your other sessions',
        response: { 204: Type.Null(), ...refusals(401) },
      },
    },
    async (request, reply) => {
      const { id: by } = personOf(request)
      const { sid: except } = request.user
      await db
        .transaction()
        .execute((trx) => endSessions(trx, by, { except, by, reason: 'signed out from another session' }))
      return reply.code(204).send(null)
    },
  )
}
