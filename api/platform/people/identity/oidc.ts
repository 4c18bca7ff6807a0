import { bound } from '../../kernel/bound.ts'
import type { OidcSettings } from '../../kernel/settings.ts'
import { createHash } from 'node:crypto'
import { errors as joseErrors, jwtVerify } from 'jose'
import * as client from 'openid-client'
import type { Logger } from 'pino'
import { BusinessError } from '../../kernel/errors.ts'
import {
  RESPONSE_TIMEOUT_SECONDS,
  type ServerContext,
  discover,
  identityServerDown,
  type Asked,
} from './oidc-connection.ts'
import { mailPasswordLink } from './oidc-admin.ts'
import { known } from '../../kernel/known.ts'

/** The claims of an access token of the identity server. */
export interface IdentityClaims {
  subject: string
  username: string
  name: string
  email: string | undefined
  emailVerified: boolean
  /** By the identity server's names. */
  roles: string[]
  issuedAt: Date
}

/** What a session stores of the identity server; it is encrypted. */
export interface Kept {
  refreshToken: string
  /** The session at the identity server, which a back-channel logout names. */
  sid: string | undefined
}

/** What has to match in the identity server's response to one sign-in. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

/** Permitted clock difference in seconds. */
const CLOCK_SKEW_SECONDS = 5
/**
 * How long an introspection result is valid, in milliseconds: half of the minute for which a revoked account may still
 * work.
 */
const INTROSPECTION_CACHE_MS = 30_000
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** jose's errors for an invalid token; all others mean that the keys were not available. */
const WRONG_TOKEN = [
  joseErrors.JWTExpired,
  joseErrors.JWTClaimValidationFailed,
  joseErrors.JWTInvalid,
  joseErrors.JWSInvalid,
  joseErrors.JWSSignatureVerificationFailed,
  joseErrors.JOSEAlgNotAllowed,
  joseErrors.JOSENotSupported,
  joseErrors.JWKSNoMatchingKey,
  joseErrors.JWKSMultipleMatchingKeys,
]

interface AccessClaims {
  sub: string
  iat: number
  exp: number
  typ?: string
  sid?: string
  preferred_username?: string
  name?: string
  email?: string
  email_verified?: boolean
  realm_access?: { roles?: string[] }
}

export type IdentityServer = ReturnType<typeof identityServer>

/** The claims of a verified token, whatever its kind. */
async function verified<T>(server: ServerContext, token: string, refusal: string, maxAge?: number): Promise<T> {
  const { issuer, clientId, log } = server
  const { keys } = await discover(server)
  try {
    const { payload } = await jwtVerify<T>(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ['RS256'],
      requiredClaims: ['iat', 'exp'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      ...(maxAge === undefined ? {} : { maxTokenAge: maxAge }),
    })
    return payload
  } catch (cause) {
    if (!WRONG_TOKEN.some((wrong) => cause instanceof wrong)) throw identityServerDown(server, cause)
    log.debug({ err: cause }, 'a token of the identity server was refused')
    throw new BusinessError(refusal)
  }
}

/** Refresh and identity tokens have the same key or audience; only access tokens are of type `Bearer`. */
async function accessClaims(server: ServerContext, token: string): Promise<AccessClaims> {
  const claims = await verified<AccessClaims>(server, token, 'platform.not-signed-in')
  if (claims.typ !== 'Bearer' || typeof claims.sub !== 'string') throw new BusinessError('platform.not-signed-in')
  return claims
}

async function received(
  server: ServerContext,
  tokens: client.TokenEndpointResponse,
): Promise<{ told: IdentityClaims; kept: Kept }> {
  const { clientId } = server
  const claims = await accessClaims(server, tokens.access_token)
  if (tokens.refresh_token === undefined)
    throw new Error(`the identity server gives client ${clientId} no refresh tokens: enable them in its settings`)
  return { told: toldBy(claims), kept: { refreshToken: tokens.refresh_token, sid: claims.sid } }
}

/** Whether a token is still active there. */
function introspected(server: ServerContext, token: string): Promise<boolean> {
  const { log } = server
  return cacheBriefly(server.asked, token, async () => {
    try {
      const { config } = await discover(server)
      return (await client.tokenIntrospection(config, token)).active
    } catch (cause) {
      // The server accepted it before. If introspection fails now, it is retried soon, at the latest at the next
      // refresh.
      log.warn({ err: cause }, 'token introspection failed; the token is valid until it expires')
      return true
    }
  })
}

/** The sign-in address, and what has to match in the response. */
async function beginSignIn(server: ServerContext): Promise<{ address: string; attempt: Attempt }> {
  const { publicUrl } = server
  const callback = `${publicUrl}/api/auth/oidc/callback`
  const { config } = await discover(server)
  const attempt = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid profile email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  })
  return { address: address.href, attempt }
}

/** Exchanges the code for tokens and claims. */
async function finishSignIn(
  server: ServerContext,
  query: string,
  { state, nonce, verifier }: Attempt,
): Promise<{ told: IdentityClaims; kept: Kept }> {
  const { log, publicUrl } = server
  const callback = `${publicUrl}/api/auth/oidc/callback`
  const { config } = await discover(server)
  const tokens = await client
    .authorizationCodeGrant(config, new URL(`${callback}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    .catch((cause: unknown) => {
      if (isAway(cause)) throw identityServerDown(server, cause)
      log.warn({ err: cause }, 'the identity server refused a sign-in')
      throw new BusinessError('platform.identity-refused')
    })
  return received(server, tokens)
}

/** Refreshes at the identity server; undefined if it refuses: the session is over, or the account is closed. */
async function renewTokens(
  server: ServerContext,
  refreshToken: string,
): Promise<{ told: IdentityClaims; kept: Kept } | undefined> {
  const { config } = await discover(server)
  const tokens = await client.refreshTokenGrant(config, refreshToken).catch((cause: unknown) => {
    if (cause instanceof client.ResponseBodyError && cause.error === 'invalid_grant') return undefined
    throw identityServerDown(server, cause)
  })
  return tokens && received(server, tokens)
}

/**
 * Whether a token is still active there; checked at most every 30 seconds. A public client cannot check, so a token is
 * valid until it expires.
 */
function isTokenActive(server: ServerContext, token: string): Promise<boolean> | true {
  const { clientSecret } = server
  return clientSecret === undefined || introspected(server, token)
}

/** Reads an access token that was sent to our API; throws for any other kind of token. */
async function readBearer(server: ServerContext, token: string): Promise<{ told: IdentityClaims; expiresAt: number }> {
  const claims = await accessClaims(server, token)
  return { told: toldBy(claims), expiresAt: claims.exp * 1000 }
}

/** Reads a back-channel logout: the person or session that has ended. */
async function readLogout(
  server: ServerContext,
  logoutToken: string,
): Promise<{ subject: string | undefined; sid: string | undefined }> {
  const claims = await verified<{ sub?: string; sid?: string; nonce?: string; events?: Record<string, unknown> }>(
    server,
    logoutToken,
    'platform.request-invalid',
    120,
  )
  const { sub: subject, sid, nonce, events } = claims
  const isLogout = events !== null && typeof events === 'object' && LOGOUT_EVENT in events
  if (!isLogout || nonce !== undefined || (subject ?? sid) === undefined)
    throw new BusinessError('platform.request-invalid')
  return { subject, sid }
}

/**
 * Ends the session of a refresh token at the identity server. The local session has ended already, so a failure is only
 * logged.
 */
async function logOut(server: ServerContext, refreshToken: string): Promise<void> {
  const { clientId, clientSecret, log } = server
  try {
    const { config } = await discover(server)
    const answer = await fetch(known(config.serverMetadata().end_session_endpoint, 'its address for logging out'), {
      method: 'POST',
      // The request contains secrets for this address only.
      redirect: 'error',
      body: new URLSearchParams({
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        refresh_token: refreshToken,
      }),
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_SECONDS * 1000),
    })
    if (!answer.ok) throw new Error(`it answers ${answer.status}`)
  } catch (cause) {
    log.warn({ err: cause }, 'ending a session at the identity server failed')
  }
}

/**
 * Client of the identity server (Keycloak). It connects on first use, so that the system starts without it. While it is
 * down, callers get an error that says so.
 */
export function identityServer(settings: OidcSettings, { publicUrl, log }: { publicUrl: string; log: Logger }) {
  const { issuer, name } = settings
  const server: ServerContext = { ...settings, publicUrl, log, asked: new Map() }
  return {
    issuer,
    name,
    ...bound(server, {
      begin: beginSignIn,
      finish: finishSignIn,
      renew: renewTokens,
      isTokenActive,
      bearer: readBearer,
      loggedOut: readLogout,
      logOut,
      mailPasswordLink,
    }),
  }
}

function toldBy(claims: AccessClaims): IdentityClaims {
  const { sub, iat, preferred_username, name, email, email_verified, realm_access } = claims
  const username = preferred_username ?? email ?? sub
  return {
    subject: sub,
    username,
    name: name ?? username,
    email,
    emailVerified: email_verified === true,
    roles: realm_access?.roles ?? [],
    issuedAt: new Date(iat * 1000),
  }
}

/** No response, or none of an identity server; everything else is a refusal. */
function isAway(cause: unknown): boolean {
  if (cause instanceof client.ResponseBodyError) return cause.status >= 500
  if (cause instanceof client.AuthorizationResponseError) return false
  return (
    !(cause instanceof client.ClientError) ||
    ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'].includes(cause.code ?? '')
  )
}

/** Caches a result for 30 seconds, shared by concurrent callers. */
function cacheBriefly(asked: Asked, token: string, ask: () => Promise<boolean>): Promise<boolean> {
  // In insertion order, so the oldest come first.
  for (const [key, { until }] of asked) {
    if (until > Date.now()) break
    asked.delete(key)
  }
  const key = createHash('sha256').update(token).digest('base64')
  const earlier = asked.get(key)
  if (earlier) return earlier.answer
  const answer = ask()
  asked.set(key, { until: Date.now() + INTROSPECTION_CACHE_MS, answer })
  return answer
}
