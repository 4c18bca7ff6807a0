import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../kernel/keys.ts'

/** Lifetime of a token, in seconds. */
const LIFETIME_SECONDS = 1800

/** A token, its case and when it expires. */
export interface TrackingToken {
  token: string
  expiresAt: string
}

/**
 * The 192-bit secrets of cases that are followed without signing in, and the tokens they are exchanged for. A secret is
 * derived from TOKEN_SECRET and the case. It can therefore be mailed again although only its hash is stored.
 */
export function trackingSecrets(vault: Vault) {
  const secretKey = vault.key('secrets of tracked cases')
  const tokenKey = vault.key('tokens of tracked cases')

  function macOf(caseId: string, expires: string, secretHash: Buffer): Buffer {
    return createHmac('sha256', tokenKey).update(`${caseId}.${expires}.`).update(secretHash).digest()
  }

  return {
    secretOf: (caseId: string): string =>
      createHmac('sha256', secretKey).update(caseId).digest().subarray(0, 24).toString('base64url'),

    /** A token for one case. It is no longer valid once the secret changes. */
    tokenFor(caseId: string, secretHash: Buffer): TrackingToken {
      const expires = String(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS)
      const mac = macOf(caseId, expires, secretHash).toString('base64url')
      return { token: [caseId, expires, mac].join('.'), expiresAt: new Date(Number(expires) * 1000).toISOString() }
    },

    /** The case that a token claims to be for; call `isGenuine` before trusting it. */
    caseOf: (token: string): string | undefined => /^[0-9a-f-]{36}(?=\.)/.exec(token)?.[0],

    /** Whether the server issued the token for this secret of the case, and it has not expired. */
    isGenuine(token: string, secretHash: Buffer): boolean {
      const [caseId, expires, mac, more] = token.split('.')
      if (!caseId || !expires || !mac || more !== undefined) return false
      return (
        isSame(Buffer.from(mac, 'base64url'), macOf(caseId, expires, secretHash)) && Number(expires) * 1000 > Date.now()
      )
    },
  }
}

/** The stored form of a secret. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Compares in constant time. */
export function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
