import { Type } from 'typebox'
import { BusinessError } from '../../kernel/errors.ts'
import { answerChallenge, nameChallenged } from '../../people/identity/second-factor.ts'
import { refreshSession, signInByPassword, signOut } from '../../people/identity/sessions.ts'
import type { App } from '../../http/app.ts'
import { clientOf } from '../../http/auth.ts'
import { Id, Nullable, refusals } from '../../http/schemas.ts'
import { Tokens, WEB } from '../../http/session-answers.ts'
import { signInAnswers } from './sign-in-answers.ts'
import type { SessionRouteDependencies } from './session-schemas.ts'

/** Sign-in with and without a second factor, refresh and sign-out. */
export function tokenRoutes(
  app: App,
  { db, identity, library, publicUrl, tokens, vault }: SessionRouteDependencies,
): void {
  const letters = { library, publicUrl }
  const factorContext = { db, vault, letters }
  const { answers, throttle, opened, welcome } = signInAnswers(app, { db, publicUrl, tokens, vault })

  app.post(
    '/api/auth/token',
    {
      config: { rule: 'public', oauth: true },
      schema: {
        operationId: 'getToken',
        tags: ['sessions'],
        summary: 'Sign in, or exchange a refresh token for the next one',
        description:
          'If the account has a second factor, `password` fails with the problem `platform.second-factor-wanted` and a `challenge`. Answer it with the grant `second_factor` and a `code` (from the authenticator, or a recovery code).',
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

  app.post(
    '/api/auth/logout',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'logout',
        tags: ['sessions'],
        summary: 'End the session of the refresh token in the cookie or the body; unknown tokens are ignored',
        body: Type.Optional(Nullable(Type.Object({ refresh_token: Type.Optional(Type.String({ maxLength: 200 })) }))),
        response: { 204: Type.Null(), ...refusals(403) },
      },
    },
    async (request, reply) => {
      answers.expectOwnSite(request)
      const token = request.body?.refresh_token ?? answers.cookieOf(request)
      const logout = token === undefined ? undefined : await identity?.sessions.prepareLogout(token)
      if (token !== undefined) await signOut(db, token)
      await logout?.()
      answers.clearCookie(reply)
      return reply.code(204).send(null)
    },
  )
}

/** The fields that this kind of request requires. */
function required<T extends Record<string, string | undefined>>(fields: T): Record<keyof T, string> {
  const missing = Object.keys(fields).filter((name) => fields[name] === undefined)
  if (missing.length > 0)
    throw new BusinessError(
      'platform.form-invalid',
      {},
      missing.map((name) => ({ field: `/${name}`, code: 'platform.field-required' })),
    )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- none of them is missing, as checked above
  return fields as Record<keyof T, string>
}
