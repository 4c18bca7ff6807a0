import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { Type } from 'typebox'
import type { DB } from '../kernel/db/database.generated.ts'
import { throttle } from '../people/identity/throttle.ts'
import type { Vault } from '../kernel/keys.ts'
import { networkOf } from './network.ts'
import { PROOF_HEADER, proofs } from './proof.ts'

/** The header of what strangers write. */
export const ProofHeader = Type.Object({
  [PROOF_HEADER]: Type.Optional(
    Type.String({ description: 'A solved challenge of `/api/public/proof`; each is good once' }),
  ),
})

/** What writing costs somebody who has not signed in: a proof of work, the dearer the more their network has written. */
export function anonymousWrites({ db, vault }: { db: Kysely<DB>; vault: Vault }) {
  const counts = throttle(db)
  const proof = proofs({ db, vault })
  const counted = (request: FastifyRequest) => [{ kind: 'stranger', of: networkOf(request.ip) } as const]

  return {
    /** How dear the next write is. */
    due: (request: FastifyRequest): Promise<number> => counts.level(counted(request)),

    /** Takes the proof that came along; what comes without one counts for nothing, what comes with one makes the next dearer. */
    async demandProof(request: FastifyRequest): Promise<void> {
      await proof.demand(request.headers[PROOF_HEADER], await counts.level(counted(request)))
      await counts.note(counted(request))
    },
  }
}
