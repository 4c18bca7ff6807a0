import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../kernel/keys.ts'

/** How long somebody who gave the secret is let in, in seconds. */
const LIFE = 1800

/** Whom a token lets in where, until when. */
export interface TrackingToken {
  token: string
  expiresAt: string
}

/**
 * The secrets of cases that are followed without signing in, of 192 bits each, and the tokens that they are changed for.
 * A secret follows from the settings' own and the case, so that it can be mailed again though only its hash is stored.
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

    /** A token for one case. It holds no longer than the secret does. */
    tokenFor(caseId: string, secretHash: Buffer): TrackingToken {
      const expires = String(Math.floor(Date.now() / 1000) + LIFE)
      const mac = macOf(caseId, expires, secretHash).toString('base64url')
      return { token: [caseId, expires, mac].join('.'), expiresAt: new Date(Number(expires) * 1000).toISOString() }
    },

    /** The case that a token is for; nothing is believed before `isGenuine` says so. */
    caseOf: (token: string): string | undefined => /^[0-9a-f-]{36}(?=\.)/.exec(token)?.[0],

    /** Whether we made the token while the case had this secret, and it has not run out. */
    isGenuine(token: string, secretHash: Buffer): boolean {
      const [caseId, expires, mac, more] = token.split('.')
      if (!caseId || !expires || !mac || more !== undefined) return false
      return (
        isSame(Buffer.from(mac, 'base64url'), macOf(caseId, expires, secretHash)) && Number(expires) * 1000 > Date.now()
      )
    },
  }
}

/** What is stored of a secret. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Compares without telling by its time where they differ. */
export function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
