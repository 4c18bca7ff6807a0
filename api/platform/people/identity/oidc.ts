import type { OidcSettings } from '../../kernel/settings.ts'
import { createHash } from 'node:crypto'
import { type JWTVerifyGetKey, createRemoteJWKSet, errors as joseErrors, jwtVerify } from 'jose'
import * as client from 'openid-client'
import type { Logger } from 'pino'
import { BusinessError } from '../../kernel/errors.ts'

/** What the identity server tells of somebody with an access token. */
export interface Told {
  subject: string
  username: string
  name: string
  email: string | undefined
  emailVerified: boolean
  /** As they are named there. */
  roles: string[]
  issuedAt: Date
}

/** What a session keeps of the identity server; it is stored sealed. */
export interface Kept {
  refreshToken: string
  /** The session over there, named by a back-channel logout. */
  sid: string | undefined
}

/** What has to come back with the answer of the identity server to one sign-in. */
export interface Attempt {
  state: string
  nonce: string
  verifier: string
}

/** Seconds that the identity server has for an answer. */
const PATIENCE = 5
/** Seconds by which clocks may differ. */
const SKEW = 5
/** How long one answer about a token counts, in milliseconds: half of the minute that a revoked account may still work. */
const ASKED_AGAIN_AFTER = 30_000
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** What a wrong token makes jose say; everything else means that its keys could not be had. */
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

/**
 * The identity server (Keycloak) as far as we speak with it. It is first asked when somebody needs it, so that the
 * product starts without it; while it is away, whoever needs it is told so.
 */
export function identityServer(
  { issuer, clientId, clientSecret, name, admin }: OidcSettings,
  { publicUrl, log }: { publicUrl: string; log: Logger },
) {
  const options: client.DiscoveryRequestOptions = {
    timeout: PATIENCE,
    // Settings allow http for this machine alone.
    execute: [client.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : [])],
  }
  const callback = `${publicUrl}/api/auth/oidc/callback`
  let found: Promise<{ config: client.Configuration; keys: JWTVerifyGetKey }> | undefined
  let adminToken: { token: string; until: number } | undefined

  function discover() {
    found ??= client
      .discovery(
        new URL(issuer),
        clientId,
        { id_token_signed_response_alg: 'RS256' },
        clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
        options,
      )
      .then((config) => ({
        config,
        keys: createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri!), { timeoutDuration: PATIENCE * 1000 }),
      }))
      .catch((cause: unknown) => {
        found = undefined
        throw away(cause)
      })
    return found
  }

  function away(cause: unknown): BusinessError {
    log.warn({ err: cause }, 'the identity server does not answer')
    return new BusinessError('platform.identity-server-away')
  }

  /** The claims of one of its tokens, whatever kind of token it is. */
  async function verified<T>(token: string, refusal: string, maxAge?: number): Promise<T> {
    const { keys } = await discover()
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: clientId,
        algorithms: ['RS256'],
        requiredClaims: ['iat', 'exp'],
        clockTolerance: SKEW,
        ...(maxAge === undefined ? {} : { maxTokenAge: maxAge }),
      })
      return payload as T
    } catch (cause) {
      if (!WRONG_TOKEN.some((wrong) => cause instanceof wrong)) throw away(cause)
      log.debug({ err: cause }, 'a token of the identity server was refused')
      throw new BusinessError(refusal)
    }
  }

  /** Refresh and identity tokens carry the same key or audience; only access tokens are of type `Bearer`. */
  async function accessClaims(token: string): Promise<AccessClaims> {
    const claims = await verified<AccessClaims>(token, 'platform.not-signed-in')
    if (claims.typ !== 'Bearer' || typeof claims.sub !== 'string') throw new BusinessError('platform.not-signed-in')
    return claims
  }

  async function received(tokens: client.TokenEndpointResponse): Promise<{ told: Told; kept: Kept }> {
    const claims = await accessClaims(tokens.access_token)
    if (tokens.refresh_token === undefined)
      throw new Error(`the identity server gives ${clientId} no refresh tokens: allow them in its settings there`)
    return { told: toldBy(claims), kept: { refreshToken: tokens.refresh_token, sid: claims.sid } }
  }

  const introspected = seldom(async (token: string): Promise<boolean> => {
    try {
      const { config } = await discover()
      return (await client.tokenIntrospection(config, token)).active
    } catch (cause) {
      // It has said yes before; what it cannot be asked now is asked again soon, at the latest at the next refresh.
      log.warn({ err: cause }, 'token introspection failed; the token is valid until it expires')
      return true
    }
  })

  async function adminCall(method: string, path: string, body?: unknown): Promise<Response> {
    const base = issuer.replace('/realms/', '/admin/realms/')
    try {
      return await fetch(`${base}${path}`, {
        method,
        redirect: 'error',
        headers: { authorization: `Bearer ${await adminAccess()}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A mail server that it has to wait for is its matter; it waits for ten seconds.
        signal: AbortSignal.timeout(15_000),
      })
    } catch (cause) {
      throw cause instanceof BusinessError ? cause : away(cause)
    }
  }

  async function adminAccess(): Promise<string> {
    if (adminToken && adminToken.until > Date.now()) return adminToken.token
    const config = await client.discovery(
      new URL(issuer),
      admin!.clientId,
      undefined,
      client.ClientSecretPost(admin!.clientSecret),
      options,
    )
    const tokens = await client.clientCredentialsGrant(config)
    adminToken = { token: tokens.access_token, until: Date.now() + ((tokens.expiresIn() ?? 60) - 30) * 1000 }
    return adminToken.token
  }

  return {
    issuer,
    name,

    /** The address where somebody signs in, and what has to come back from there. */
    async begin(): Promise<{ address: string; attempt: Attempt }> {
      const { config } = await discover()
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
    },

    /** Trades the code that came back for what the identity server tells. */
    async finish(query: string, { state, nonce, verifier }: Attempt): Promise<{ told: Told; kept: Kept }> {
      const { config } = await discover()
      const tokens = await client
        .authorizationCodeGrant(config, new URL(`${callback}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        .catch((cause: unknown) => {
          if (isAway(cause)) throw away(cause)
          log.warn({ err: cause }, 'the identity server refused a sign-in')
          throw new BusinessError('platform.identity-refused')
        })
      return received(tokens)
    },

    /** Refreshes there too; undefined when it refuses: the session is over, or the account is closed. */
    async renew(refreshToken: string): Promise<{ told: Told; kept: Kept } | undefined> {
      const { config } = await discover()
      const tokens = await client.refreshTokenGrant(config, refreshToken).catch((cause: unknown) => {
        if (cause instanceof client.ResponseBodyError && cause.error === 'invalid_grant') return undefined
        throw away(cause)
      })
      return tokens && received(tokens)
    },

    /**
     * Whether a token that it gave still counts there; asked at most each half a minute. A public client cannot ask:
     * there a token counts until it runs out.
     */
    stillGood: (token: string): Promise<boolean> | true => clientSecret === undefined || introspected(token),

    /** Reads an access token of its that came to our API as it is; any other kind of token is refused. */
    async bearer(token: string): Promise<{ told: Told; expiresAt: number }> {
      const claims = await accessClaims(token)
      return { told: toldBy(claims), expiresAt: claims.exp * 1000 }
    },

    /** Reads a back-channel logout: whose sessions, or which one, have ended there. */
    async loggedOut(logoutToken: string): Promise<{ subject: string | undefined; sid: string | undefined }> {
      const claims = await verified<{ sub?: string; sid?: string; nonce?: string; events?: Record<string, unknown> }>(
        logoutToken,
        'platform.request-invalid',
        120,
      )
      const { sub: subject, sid, nonce, events } = claims
      const isLogout = events !== null && typeof events === 'object' && LOGOUT_EVENT in events
      if (!isLogout || nonce !== undefined || (subject ?? sid) === undefined)
        throw new BusinessError('platform.request-invalid')
      return { subject, sid }
    },

    /** Ends the session there that a refresh token belongs to; our own has ended already, so a failure is only told. */
    async logOut(refreshToken: string): Promise<void> {
      try {
        const { config } = await discover()
        const answer = await fetch(config.serverMetadata().end_session_endpoint!, {
          method: 'POST',
          // What is sent holds secrets that are for this address alone.
          redirect: 'error',
          body: new URLSearchParams({
            client_id: clientId,
            ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
            refresh_token: refreshToken,
          }),
          signal: AbortSignal.timeout(PATIENCE * 1000),
        })
        if (!answer.ok) throw new Error(`it answers ${answer.status}`)
      } catch (cause) {
        log.warn({ err: cause }, 'ending a session at the identity server failed')
      }
    },

    /** Has the identity server mail a link by which its account sets a password. */
    async mailPasswordLink({ subject, email }: { subject: string | null; email: string }): Promise<void> {
      if (!admin) throw new BusinessError('platform.identity-server-only', { name })
      const id = subject ?? (await idOf(email))
      const answer = await adminCall('PUT', `/users/${encodeURIComponent(id)}/execute-actions-email`, [
        'UPDATE_PASSWORD',
      ])
      if (answer.status === 204) return
      log.warn({ status: answer.status, answer: await answer.text() }, 'the identity server failed to mail a link')
      if (answer.status === 404) throw new BusinessError('platform.identity-unknown', { name })
      throw new BusinessError('platform.identity-mail-failed', { name })
    },
  }

  async function idOf(email: string): Promise<string> {
    const answer = await adminCall('GET', `/users?exact=true&email=${encodeURIComponent(email)}`)
    if (!answer.ok) throw away(new Error(`its list of users answers ${answer.status}`))
    const [user, ...more] = (await answer.json()) as { id: string }[]
    if (!user || more.length > 0) throw new BusinessError('platform.identity-unknown', { name })
    return user.id
  }
}

function toldBy(claims: AccessClaims): Told {
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

/** Nobody answered, or not as an identity server does; everything else is a refusal. */
function isAway(cause: unknown): boolean {
  if (cause instanceof client.ResponseBodyError) return cause.status >= 500
  if (cause instanceof client.AuthorizationResponseError) return false
  return (
    !(cause instanceof client.ClientError) ||
    ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'].includes(cause.code ?? '')
  )
}

/** Asks once for many: an answer counts for half a minute. */
function seldom(ask: (token: string) => Promise<boolean>) {
  const asked = new Map<string, { until: number; answer: Promise<boolean> }>()
  return (token: string): Promise<boolean> => {
    // In the order in which they were asked, so the oldest come first.
    for (const [key, { until }] of asked) {
      if (until > Date.now()) break
      asked.delete(key)
    }
    const key = createHash('sha256').update(token).digest('base64')
    const known = asked.get(key)
    if (known) return known.answer
    const answer = ask(token)
    asked.set(key, { until: Date.now() + ASKED_AGAIN_AFTER, answer })
    return answer
  }
}
