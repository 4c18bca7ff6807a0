import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import { beginPasskeySignIn, signInByPasskey } from '../../people/identity/passkeys.ts'
import { answerChallenge, nameChallenged } from '../../people/identity/second-factor.ts'
import {
  type Method,
  type Session,
  openSession,
  refreshSession,
  signInByPassword,
  signOut,
} from '../../people/identity/sessions.ts'
import { PUBLISHED_FOR, type TokenKeys } from '../../people/identity/token-keys.ts'
import type { App } from '../../http/app.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { SignInElsewhere } from './foreign-sessions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Vault } from '../../kernel/keys.ts'
import { clientOf, personOf } from '../../http/auth.ts'
import { Id, Moment, Nullable, refusals } from '../../http/schemas.ts'
import { Tokens, WEB, sessionAnswers } from '../../http/session-answers.ts'
import { signInThrottle } from '../../http/sign-in-throttle.ts'
import { component } from '../../kernel/components.ts'

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

/** What a browser's authenticator said; the library looks at it closely. */
const Answer = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object({ id: Type.String({ maxLength: 1400 }), response: Type.Object({}) }),
)

/** Sign-in with and without a second step, refresh, sign-out, and the keys of access tokens. */
export function sessionRoutes(
  app: App,
  {
    db,
    identity,
    library,
    publicUrl,
    tokens,
    vault,
  }: {
    db: Kysely<DB>
    identity?: SignInElsewhere | undefined
    library: Library
    publicUrl: string
    tokens: TokenKeys
    vault: Vault
  },
): void {
  const throttle = signInThrottle({ db, vault, publicUrl })
  const letters = { library, publicUrl }
  const factorContext = { db, vault, letters }
  const keyContext = { db, letters, publicUrl, log: app.log }
  const answers = sessionAnswers(app, { publicUrl, tokens })

  app.post(
    '/api/auth/token',
    {
      config: { rule: 'public', oauth: true },
      schema: {
        operationId: 'getToken',
        tags: ['sessions'],
        summary: 'Signs in, or trades a refresh token for the next one',
        description:
          'Where the account has a second factor, `password` is answered with the problem `platform.second-factor-wanted` and a `challenge`, which `second_factor` answers with a `code` (of the authenticator, or a recovery code).',
        consumes: ['application/x-www-form-urlencoded'],
        body: Type.Object({
          grant_type: Type.Enum(['password', 'refresh_token', 'second_factor']),
          username: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
          password: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          challenge: Type.Optional(Id),
          code: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
          refresh_token: Type.Optional(Type.String({ maxLength: 200 })),
          client_id: Type.Optional(Type.String({ maxLength: 100 })),
          client_secret: Type.Optional(Type.String({ maxLength: 200 })),
          scope: Type.Optional(Type.String({ maxLength: 200 })),
        }),
        response: { 200: Tokens, ...refusals(401, 403, 410, 415, 422, 428) },
      },
    },
    async (request, reply) => {
      if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
        throw new BusinessError('platform.media-type-unknown')
      const { grant_type, username, password, challenge, code, refresh_token, client_id } = request.body
      const cookie = answers.cookieOf(request)
      if (client_id === WEB || (refresh_token === undefined && cookie !== undefined)) answers.expectOwnSite(request)
      if (grant_type === 'password') {
        const given = required({ username, password })
        const session = await throttle.attempt(request, given.username, () =>
          signInByPassword(db, given.username, given.password, clientOf(request)),
        )
        return welcome(request, reply, session, client_id)
      }
      if (grant_type === 'second_factor') {
        const given = required({ challenge, code })
        const challenged = await nameChallenged(factorContext, given.challenge)
        const { accountId, method } = await throttle.attempt(request, challenged, () =>
          answerChallenge(factorContext, given.challenge, given.code),
        )
        return welcome(request, reply, await opened(request, accountId, method), client_id)
      }
      const token = refresh_token ?? cookie
      if (token === undefined) throw new BusinessError('platform.session-ended')
      await identity?.sessions.renewFor(token)
      return answers.answer(
        request,
        reply,
        await refreshSession(db, token),
        refresh_token === undefined ? WEB : client_id,
      )
    },
  )

  function opened(request: FastifyRequest, accountId: string, method: Method): Promise<Session> {
    return db.transaction().execute((trx) => openSession(trx, accountId, { method, client: clientOf(request) }))
  }

  /** The answer to a sign-in that is complete; a browser is known again by it. */
  function welcome(request: FastifyRequest, reply: FastifyReply, session: Session, client: string | undefined) {
    if (client === WEB) throttle.remember(request, reply, session.person.id)
    return answers.answer(request, reply, session, client)
  }

  app.post(
    '/api/auth/passkey/options',
    {
      config: { rule: 'public', rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'getPasskeyOptions',
        tags: ['sessions'],
        summary: 'What a browser needs to sign in with a passkey',
        response: {
          200: Type.Object({ challenge: Id, options: Type.Record(Type.String(), Type.Unknown()) }),
          ...refusals(),
        },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const { challenge, options } = await beginPasskeySignIn(keyContext)
      return { challenge, options: { ...options } }
    },
  )

  app.post(
    '/api/auth/passkey',
    {
      config: { rule: 'public', rateLimit: { max: 30, timeWindow: '1 minute' } },
      schema: {
        operationId: 'signInWithPasskey',
        tags: ['sessions'],
        summary: 'Signs in with a passkey, which stands for the password and the second factor',
        body: Type.Object({
          challenge: Id,
          response: Answer,
          client_id: Type.Optional(
            Type.String({ maxLength: 100, description: '`web` has the refresh token in a cookie' }),
          ),
        }),
        response: { 200: Tokens, ...refusals(401, 403, 410, 422) },
      },
    },
    async (request, reply) => {
      if (request.body.client_id === WEB) answers.expectOwnSite(request)
      const accountId = await signInByPasskey(keyContext, request.body)
      return welcome(request, reply, await opened(request, accountId, 'passkey'), request.body.client_id)
    },
  )

  app.post(
    '/api/auth/logout',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'logout',
        tags: ['sessions'],
        summary: 'Ends the session of the refresh token in the cookie or the body; unknown ones change nothing',
        body: Type.Optional(Nullable(Type.Object({ refresh_token: Type.Optional(Type.String({ maxLength: 200 })) }))),
        response: { 204: Type.Null(), ...refusals(403) },
      },
    },
    async (request, reply) => {
      answers.expectOwnSite(request)
      const token = request.body?.refresh_token ?? answers.cookieOf(request)
      const farewell = token === undefined ? undefined : await identity?.sessions.farewell(token)
      if (token !== undefined) await signOut(db, token)
      await farewell?.()
      answers.clearCookie(reply)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/.well-known/jwks.json',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getTokenKeys',
        tags: ['sessions'],
        summary: 'The public keys that access tokens are checked with, those of the near future included',
        response: { 200: Type.Object({ keys: Type.Array(PublicKey) }), ...refusals() },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${PUBLISHED_FOR}`)
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
        summary: 'Makes a new key for access tokens; it is published before it signs, and nobody is signed out',
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

/** Fields that this kind of request cannot do without. */
function required<T extends Record<string, string | undefined>>(fields: T): Record<keyof T, string> {
  const missing = Object.keys(fields).filter((name) => fields[name] === undefined)
  if (missing.length > 0)
    throw new BusinessError(
      'platform.form-invalid',
      {},
      missing.map((name) => ({ field: `/${name}`, code: 'platform.field-required' })),
    )
  return fields as Record<keyof T, string>
}
