import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import type { DB } from '../kernel/db/database.generated.ts'
import { throttle } from '../people/identity/throttle.ts'
import type { Vault } from '../kernel/keys.ts'
import { networkOf } from './network.ts'
import { PROOF_HEADER, proofs } from './proof.ts'

/** The proof header of anonymous writes. */
export const ProofHeader = Type.Object({
  [PROOF_HEADER]: Type.Optional(
    Type.String({ description: 'Solution of a challenge from `/api/public/proof`; each can be used once' }),
  ),
})

/** Anonymous writes need a proof of work, whose cost grows with the writes from their network. */
export function anonymousWrites({ db, vault }: { db: Kysely<DB>; vault: Vault }) {
  const counts = throttle(db)
  const proof = proofs({ db, vault })
  const counted = (request: FastifyRequest) => [{ kind: 'stranger', of: networkOf(request.ip) } as const]

  return {
    /** The level of the next write. */
    due: (request: FastifyRequest): Promise<number> => counts.level(counted(request)),

    /** Checks the proof of a request. Only accepted ones raise the cost of the next. */
    async demandProof(request: FastifyRequest): Promise<void> {
      await proof.demand(request.headers[PROOF_HEADER], await counts.level(counted(request)))
      await counts.note(counted(request))
    },
  }
}
