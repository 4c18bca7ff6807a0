import type { OidcSettings } from '../../kernel/settings.ts'
import { type JWTVerifyGetKey, createRemoteJWKSet } from 'jose'
import * as client from 'openid-client'
import type { Logger } from 'pino'
import { BusinessError } from '../../kernel/errors.ts'
import { known } from '../../kernel/known.ts'

/** Seconds to wait for a response of the identity server. */
export const RESPONSE_TIMEOUT_SECONDS = 5

/** The settings, and what is cached about the identity server. */
export interface ServerContext extends OidcSettings {
  publicUrl: string
  log: Logger
  found?: Promise<{ config: client.Configuration; keys: JWTVerifyGetKey }> | undefined
  adminToken?: { token: string; until: number }
  asked: Asked
}

export function discoveryOptions({ issuer }: ServerContext): client.DiscoveryRequestOptions {
  return {
    timeout: RESPONSE_TIMEOUT_SECONDS,
    // Settings permit http only for this machine.
    execute: [client.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : [])],
  }
}

/** The metadata and keys of the identity server; loaded once, and again after a failure. */
export function discover(server: ServerContext) {
  const { issuer, clientId, clientSecret } = server
  server.found ??= client
    .discovery(
      new URL(issuer),
      clientId,
      { id_token_signed_response_alg: 'RS256' },
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      discoveryOptions(server),
    )
    .then((config) => ({
      config,
      keys: createRemoteJWKSet(new URL(known(config.serverMetadata().jwks_uri, 'the address of its keys')), {
        timeoutDuration: RESPONSE_TIMEOUT_SECONDS * 1000,
      }),
    }))
    .catch((cause: unknown) => {
      server.found = undefined
      throw identityServerDown(server, cause)
    })
  return server.found
}

export function identityServerDown({ log }: ServerContext, cause: unknown): BusinessError {
  log.warn({ err: cause }, 'the identity server does not answer')
  return new BusinessError('platform.identity-server-away')
}

/** Introspection results, by the token's hash. */
export type Asked = Map<string, { until: number; answer: Promise<boolean> }>
