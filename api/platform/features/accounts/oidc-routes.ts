import { Type } from 'typebox'
import { isObject } from '../../kernel/objects.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Attempt } from '../../people/identity/oidc.ts'
import type { App } from '../../http/app.ts'
import type { SignInElsewhere } from './external-sessions.ts'
import type { TokenKeys } from '../../people/identity/token-keys.ts'
import type { Vault } from '../../kernel/keys.ts'
import { clientOf } from '../../http/auth.ts'
import { Nullable, refusals } from '../../http/schemas.ts'
import { sessionAnswers } from '../../http/session-answers.ts'

/** Seconds within which the browser has to return from the identity server. */
const ATTEMPT_SECONDS = 600
const SEALED_AS = 'sign-in at the identity server'

/** Only local pages: `//elsewhere` leaves the site, and browsers drop tabs and line ends before they parse a URL. */
const OWN_PAGE = '^/(?![/\\\\])[^\\s\\\\]*$'

/** Routes of built-in passwords and second factors; the identity server handles these. */
const BUILT_IN =
  /^\/api\/(auth\/(passkey|register|accounts|email|reset-password|forgot-password|tokens\/look|confirm-email)|me\/(password|totp|recovery-codes|passkeys|confirm-email))(\/|$)/

/** Sign-in at an identity server, if the settings name one; built-in sign-in is then off. */
export function oidcRoutes(
  app: App,
  {
    identity,
    publicUrl,
    tokens,
    vault,
  }: { identity?: SignInElsewhere | undefined; publicUrl: string; tokens: TokenKeys; vault: Vault },
): void {
  const answers = sessionAnswers(app, { publicUrl, tokens })
  const secure = publicUrl.startsWith('https:')
  const COOKIE = secure ? '__Secure-prakriya_oidc' : 'prakriya_oidc'
  // The identity server redirects from another site, so browsers would withhold a `strict` cookie.
  const cookie = { path: '/api/auth/oidc', httpOnly: true, sameSite: 'lax', secure } as const

  const present = () => {
    if (!identity) throw new BusinessError('platform.not-found')
    return identity
  }

  if (identity) closeBuiltIn(app, identity)

  app.get(
    '/api/auth/methods',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'getSignInMethods',
        tags: ['sessions'],
        summary: 'List the ways to sign in',
        response: {
          200: Type.Object({
            password: Type.Boolean(),
            oidc: Nullable(Type.Object({ name: Type.String({ description: 'Label of the button' }) })),
            signUp: Type.Boolean({ description: 'Applicants can sign up' }),
          }),
          ...refusals(),
        },
      },
    },
    async () => ({
      password: identity === undefined,
      oidc: identity ? { name: identity.server.name } : null,
      signUp: identity === undefined,
    }),
  )

  app.get(
    '/api/auth/oidc/start',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'startSignInAtIdentityServer',
        tags: ['sessions'],
        summary: 'Redirect the browser to the identity server',
        querystring: Type.Object({ to: Type.String({ pattern: OWN_PAGE, maxLength: 1000, default: '/dashboard' }) }),
        response: { 303: Type.Null(), ...refusals(404) },
      },
    },
    async (request, reply) => {
      const { to } = request.query
      try {
        const { address, attempt } = await present().server.begin()
        const until = Date.now() + ATTEMPT_SECONDS * 1000
        const sealed = vault.seal(SEALED_AS, Buffer.from(JSON.stringify({ ...attempt, to, until })))
        reply.setCookie(COOKIE, sealed.toString('base64url'), { ...cookie, maxAge: ATTEMPT_SECONDS })
        return reply.header('cache-control', 'no-store').redirect(address, 303)
      } catch (error) {
        if (!(error instanceof BusinessError) || !identity) throw error
        return reply.redirect(signInPage(to, error), 303)
      }
    },
  )

  app.get(
    '/api/auth/oidc/callback',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'finishSignInAtIdentityServer',
        tags: ['sessions'],
        summary: 'Receive the browser from the identity server, open a session and redirect',
        response: { 303: Type.Null(), ...refusals(404) },
      },
    },
    async (request, reply) => {
      const { sessions } = present()
      reply.clearCookie(COOKIE, cookie).header('cache-control', 'no-store')
      const attempt = attemptIn(vault, request.cookies[COOKIE])
      try {
        if (!attempt) throw new BusinessError('platform.identity-refused')
        const query = request.url.split('?')[1] ?? ''
        const session = await sessions.signIn(await present().server.finish(query, attempt), clientOf(request))
        answers.setCookie(reply, session)
        request.log.info({ person: session.person.id, session: session.family }, 'signed in at the identity server')
        return reply.redirect(attempt.to, 303)
      } catch (error) {
        // The caller is a browser, so the error is shown on the sign-in page.
        if (!(error instanceof BusinessError)) throw error
        request.log.info({ code: error.code }, 'sign-in at the identity server refused')
        return reply.redirect(signInPage(attempt?.to ?? '/dashboard', error), 303)
      }
    },
  )

  app.post(
    '/api/auth/oidc/backchannel-logout',
    {
      config: { rule: 'public' },
      schema: {
        operationId: 'endSessionsByIdentityServer',
        tags: ['sessions'],
        summary: 'Receive notice that sessions have ended at the identity server (OpenID Connect Back-Channel Logout)',
        consumes: ['application/x-www-form-urlencoded'],
        body: Type.Object({ logout_token: Type.String({ maxLength: 10_000 }) }),
        response: { 200: Type.Null(), ...refusals(404) },
      },
    },
    async (request, reply) => {
      await present().sessions.loggedOut(request.body.logout_token)
      return reply.header('cache-control', 'no-store').code(200).send(null)
    },
  )
}

function signInPage(to: string, { code }: BusinessError): string {
  return `/session/signin?${new URLSearchParams({ to, problem: code })}`
}

/** The content of the attempt cookie, if the attempt has not expired. */
function attemptIn(vault: Vault, value: string | undefined): (Attempt & { to: string }) | undefined {
  if (value === undefined) return undefined
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this server has sealed it as an attempt
    const attempt = JSON.parse(vault.open(SEALED_AS, Buffer.from(value, 'base64url')).toString()) as Attempt & {
      to: string
      until: number
    }
    return attempt.until > Date.now() ? attempt : undefined
  } catch {
    // Not sealed by this server: treat as missing.
    return undefined
  }
}

/** Turns off built-in sign-in and sign-up. */
function closeBuiltIn(app: App, { server: { name } }: SignInElsewhere): void {
  app.addHook('onRequest', async ({ routeOptions: { url = '' } }) => {
    if (BUILT_IN.test(url)) throw new BusinessError('platform.identity-server-only', { name })
  })
  // Refresh stays: it uses the server's own tokens.
  app.addHook('preHandler', async ({ routeOptions: { url }, body }) => {
    const refreshes = isObject(body) && body['grant_type'] === 'refresh_token'
    if (url === '/api/auth/token' && !refreshes) throw new BusinessError('platform.identity-server-only', { name })
  })
}
