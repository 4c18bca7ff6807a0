import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { BusinessError } from '../kernel/errors.ts'
import type { Session } from '../people/identity/sessions.ts'
import { ACCESS_SECONDS, type TokenKeys } from '../people/identity/token-keys.ts'
import { accessToken } from './auth.ts'
import { component } from '../kernel/components.ts'

/** The response to a sign-in or refresh. */
export const Tokens = component(
  'Tokens',
  Type.Object({
    access_token: Type.String(),
    refresh_token: Type.Optional(Type.String({ description: 'Absent for `client_id=web`, which has it in a cookie' })),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer(),
    refresh_expires_in: Type.Integer(),
  }),
)

/** The client that keeps its refresh token in a cookie. */
export const WEB = 'web'

/** Sends the tokens of sessions: to programs in the response, to browsers in an HttpOnly cookie. */
export function sessionAnswers(app: FastifyInstance, { publicUrl, tokens }: { publicUrl: string; tokens: TokenKeys }) {
  const secure = publicUrl.startsWith('https:')
  // The prefix keeps unencrypted pages from overwriting the cookie.
  const name = secure ? '__Secure-prakriya_refresh' : 'prakriya_refresh'
  const options = { path: '/api/auth', httpOnly: true, sameSite: 'strict', secure } as const

  function setCookie(reply: FastifyReply, session: Session): void {
    reply.setCookie(name, session.refreshToken, { ...options, maxAge: session.expiresIn })
  }

  /** Whether an origin is ours: the public address, or the host of this request. */
  function isOwn(origin: string, host: string): boolean {
    if (!URL.canParse(origin)) return false
    const { origin: same, host: from } = new URL(origin)
    return same === new URL(publicUrl).origin || from === host
  }

  return {
    setCookie,

    /** The refresh token from the cookie. */
    cookieOf: (request: FastifyRequest): string | undefined => request.cookies[name],

    clearCookie: (reply: FastifyReply): void => void reply.clearCookie(name, options),

    /**
     * Rejects pages of other sites, which could sign a browser in as somebody else, or out. Browsers send origin and
     * fetch metadata; programs need neither.
     */
    expectOwnSite({ headers, host }: FastifyRequest): void {
      const { origin, 'sec-fetch-site': site } = headers
      if (site !== undefined && site !== 'same-origin') throw new BusinessError('platform.not-allowed')
      if (origin !== undefined && !isOwn(origin, host)) throw new BusinessError('platform.not-allowed')
    },

    async answer(request: FastifyRequest, reply: FastifyReply, session: Session, client: string | undefined) {
      const web = client === WEB
      if (web) setCookie(reply, session)
      reply.header('cache-control', 'no-store')
      request.log.info({ person: session.person.id, session: session.family }, 'session refreshed')
      return {
        access_token: await accessToken(app, tokens, session),
        ...(web ? {} : { refresh_token: session.refreshToken }),
        token_type: 'Bearer' as const,
        expires_in: Math.min(ACCESS_SECONDS, session.expiresIn),
        refresh_expires_in: session.expiresIn,
      }
    },
  }
}
