import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Kysely } from 'kysely'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { DB } from '../kernel/db/database.generated.ts'
import { BusinessError } from '../kernel/errors.ts'
import type { Vault } from '../kernel/keys.ts'
import { component } from '../kernel/components.ts'

/** The header with a solved challenge: base64 of `{challenge, solution}` as JSON. */
export const PROOF_HEADER = 'x-proof'

/** Average tries for the cheapest challenge; each level doubles them. `npm run bench -- proof` measures it. */
const AVERAGE_TRIES = 250
/** PBKDF2 rounds per try; the server pays for one try per challenge. */
const PBKDF2_ROUNDS = 2000
/** Time to solve a challenge, in seconds. */
const LIFETIME_SECONDS = 600
/** Maximum length of the header; a proof is well below it. */
const MAX_HEADER_LENGTH = 3000

const Hex = Type.String({ pattern: '^[0-9a-f]+$', maxLength: 128 })
const Parameters = Type.Object({
  algorithm: Type.Literal('PBKDF2/SHA-256'),
  nonce: Hex,
  salt: Hex,
  cost: Type.Integer(),
  keyLength: Type.Integer(),
  keyPrefix: Hex,
  keySignature: Hex,
  expiresAt: Type.Integer(),
  data: Type.Object({ difficulty: Type.Integer() }),
})
const Payload = Type.Object({
  challenge: Type.Object({ parameters: Parameters, signature: Hex }),
  solution: Type.Object({ counter: Type.Integer(), derivedKey: Hex, time: Type.Optional(Type.Number()) }),
})

/** A challenge in altcha-lib's format; the server stores nothing. */
export const ProofChallenge = component('ProofChallenge', Type.Object({ parameters: Parameters, signature: Hex }))

/**
 * Proof of work instead of a third party's CAPTCHA: an anonymous browser computes for a moment before the server writes
 * anything. Challenges are signed and not stored; each solution is valid once.
 */
export function proofs({ db, vault }: { db: Kysely<DB>; vault: Vault }) {
  const secrets = {
    hmacSignatureSecret: vault.key('proof of work: challenges').toString('base64url'),
    hmacKeySignatureSecret: vault.key('proof of work: solutions').toString('base64url'),
  }

  /** Returns only true or false: details of a failure would help only forgers. */
  async function holds({ challenge, solution }: Static<typeof Payload>): Promise<boolean> {
    const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secrets })
    return verified
  }

  return {
    /** A new challenge. Its solution is within twice the average number of tries, so the wait is bounded. */
    async challenge(difficulty: number): Promise<Static<typeof ProofChallenge>> {
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: PBKDF2_ROUNDS,
        counter: randomInt(2 * AVERAGE_TRIES * 2 ** difficulty, 1),
        deriveKey,
        expiresAt: Math.floor(Date.now() / 1000) + LIFETIME_SECONDS,
        data: { difficulty },
        ...secrets,
      })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- signed with a counter, so it has every member
      return challenge as Challenge & Static<typeof ProofChallenge>
    },

    /** Checks and spends the proof of a request; throws if there is none, or it is too cheap. */
    async demand(header: string | string[] | undefined, difficulty: number): Promise<void> {
      if (header === undefined || header === '')
        throw new BusinessError('platform.proof-wanted', {}, [], { difficulty })
      const payload = read(header)
      const refused = new BusinessError('platform.proof-refused', {}, [], { difficulty })
      if (!payload || !(await holds(payload))) throw refused
      const { nonce, expiresAt, data } = payload.challenge.parameters
      if (data.difficulty < difficulty) throw new BusinessError('platform.proof-wanted', {}, [], { difficulty })
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('spent_proof')
        .values({ id: nonce, expires_at: new Date(expiresAt * 1000) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== 1n) throw refused
    },
  }
}

function read(header: string | string[]): Static<typeof Payload> | undefined {
  if (typeof header !== 'string' || header.length > MAX_HEADER_LENGTH) return undefined
  try {
    const payload: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
    return Value.Check(Payload, payload) ? payload : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
