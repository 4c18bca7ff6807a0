import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../db/database.generated.ts'
import { commitmentOf } from './format.ts'

/** One thing that somebody did, as told to the audit. */
export interface AuditRecord {
  /** Account id, or `system:<part>` for what the product does by itself. */
  actor: string
  /** The role that gave the right, where it is not the person's own matter: `HOD@department:12`, `ADMIN`. */
  actedAs?: string | null
  /** What happened, as `<noun>.<past participle>`: `case.submitted`, `register-item.changed`. */
  action: string
  caseId?: string | null
  /** What it was done to, as `<kind>:<id>`. */
  object?: string | null
  /** Details; erasable, so everything personal belongs here and nowhere else. */
  payload: object
}

/**
 * Writes audit entries in the caller's transaction: they stand or fall with what they tell. The entry holds a salted
 * commitment, the payload lies beside it and can be erased without breaking the chain that the sealer makes.
 */
export function audit(trx: Transaction<DB>) {
  return {
    async record({ actor, actedAs, action, caseId, object, payload }: AuditRecord): Promise<void> {
      const salt = randomBytes(32)
      // What jsonb gives back is what must be committed to, so dates and undefined members go first.
      const plain = JSON.parse(JSON.stringify(payload)) as JsonObject
      const entry = await trx
        .insertInto('audit_entry')
        .values({
          actor,
          acted_as: actedAs ?? null,
          action,
          case_id: caseId ?? null,
          object: object ?? null,
          commitment: commitmentOf(salt, plain),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await trx
        .insertInto('audit_payload')
        .values({ entry_id: entry.id, salt, payload: JSON.stringify(plain) })
        .execute()
    },
  }
}
