import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { BusinessError } from '../../errors.ts'
import { accounts } from '../../identity/accounts.ts'
import { type Session, sessions } from '../../identity/sessions.ts'
import { signInGuard } from '../../identity/sign-in-guard.ts'
import type { App, Dependencies } from '../app.ts'
import { ACCESS_SECONDS, accessToken, personOf } from '../auth.ts'
import { Id, Nullable, refusals } from '../schemas.ts'

const COOKIE = 'prakriya_refresh'

const Tokens = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.Optional(Type.String({ description: 'Absent for `client_id=web`, which has it in a cookie' })),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer(),
  refresh_expires_in: Type.Integer(),
})

/** Sign-in, refresh, sign-out, and who one is. */
export function sessionRoutes(
  app: App,
  { db, groups, publicUrl }: Pick<Dependencies, 'db' | 'groups' | 'publicUrl'>,
): void {
  const own = sessions(db)
  const guard = signInGuard()
  const cookie = {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl.startsWith('https:'),
  } as const

  app.post(
    '/api/auth/token',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getToken',
        tags: ['sessions'],
        summary: 'Signs in, or trades a refresh token for the next one',
        consumes: ['application/x-www-form-urlencoded'],
        body: Type.Object({
          grant_type: Type.Enum(['password', 'refresh_token']),
          username: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
          password: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          refresh_token: Type.Optional(Type.String({ maxLength: 200 })),
          client_id: Type.Optional(Type.String({ maxLength: 100 })),
          client_secret: Type.Optional(Type.String({ maxLength: 200 })),
          scope: Type.Optional(Type.String({ maxLength: 200 })),
        }),
        response: { 200: Tokens, ...refusals(401, 415, 422) },
      },
    },
    async (request, reply) => {
      if (!request.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
        throw new BusinessError('platform.media-type-unknown')
      const { grant_type, username, password, refresh_token, client_id } = request.body
      if (grant_type === 'password') {
        const wrong = Object.entries({ username, password }).filter(([, value]) => value === undefined)
        if (username === undefined || password === undefined)
          throw new BusinessError(
            'platform.form-invalid',
            {},
            wrong.map(([name]) => ({ field: `/${name}`, code: 'platform.field-required' })),
          )
        return answer(
          request,
          reply,
          await guard(request.ip, username, () => own.signIn(username, password)),
          client_id,
        )
      }
      const token = refresh_token ?? request.cookies[COOKIE]
      if (token === undefined) throw new BusinessError('platform.session-ended')
      return answer(request, reply, await own.refresh(token), refresh_token === undefined ? 'web' : client_id)
    },
  )

  function answer(request: FastifyRequest, reply: FastifyReply, session: Session, client: string | undefined) {
    const web = client === 'web'
    if (web) reply.setCookie(COOKIE, session.refreshToken, { ...cookie, maxAge: session.expiresIn })
    reply.header('cache-control', 'no-store')
    request.log.info({ person: session.person.id, session: session.family }, 'session goes on')
    return {
      access_token: accessToken(app, session),
      ...(web ? {} : { refresh_token: session.refreshToken }),
      token_type: 'Bearer' as const,
      expires_in: Math.min(ACCESS_SECONDS, session.expiresIn),
      refresh_expires_in: session.expiresIn,
    }
  }

  app.post(
    '/api/auth/logout',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'logout',
        tags: ['sessions'],
        summary: 'Ends the session of the refresh token in the cookie or the body; unknown ones change nothing',
        body: Type.Optional(Nullable(Type.Object({ refresh_token: Type.Optional(Type.String({ maxLength: 200 })) }))),
        response: { 204: Type.Null(), ...refusals() },
      },
    },
    async (request, reply) => {
      const token = request.body?.refresh_token ?? request.cookies[COOKIE]
      if (token !== undefined) await own.signOut(token)
      reply.clearCookie(COOKIE, cookie)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/me',
    {
      config: { rule: 'signed-in' },
      schema: {
        operationId: 'getMe',
        tags: ['sessions'],
        summary: 'The person who asks, with what they may act as now',
        response: {
          200: Type.Object({
            id: Id,
            username: Type.String(),
            name: Type.String(),
            email: Type.String(),
            post: Nullable(Type.String()),
            seesAll: Type.Boolean(),
            grants: Type.Array(
              Type.Object({
                role: Type.String(),
                scope: Nullable(Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() })),
              }),
            ),
            groups: Type.Array(Type.String(), { description: 'Permission groups' }),
          }),
          ...refusals(401),
        },
      },
    },
    async (request) => {
      const { id, username, name, email, post, seesAll, grants } = personOf(request)
      const titles = await accounts(db).unitTitles(grants)
      const roles = new Set(grants.map(({ role }) => role))
      return {
        id,
        username,
        name,
        email,
        post,
        seesAll,
        grants: grants.map(({ role, scopeKind, scopeId }) => ({
          role,
          scope: scopeKind === null ? null : { kind: scopeKind, id: scopeId!, name: titles.get(scopeId!) ?? scopeId! },
        })),
        groups: Object.entries(groups)
          .filter(([, holders]) => seesAll || holders.some((role) => roles.has(role)))
          .map(([group]) => group),
      }
    },
  )
}
