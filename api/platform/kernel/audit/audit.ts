import { randomBytes } from 'node:crypto'
import { type Transaction, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { commitmentOf } from './format.ts'
import { asStored } from '../db/as-stored.ts'

/** An entry for the audit trail. */
export interface AuditRecord {
  /** Account id, or `system:<part>` for acts of the system. */
  actor: string
  /** The role that gave the right, if it is not the person's own matter: `HOD@department:12`, `ADMIN`. */
  actedAs?: string | null
  /** The action as `<noun>.<past participle>`: `case.submitted`, `register-item.changed`. */
  action: string
  caseId?: string | null
  /** The object as `<kind>:<id>`. */
  object?: string | null
  /** Details. They can be erased, so personal data belongs only here. */
  payload: object
}

/**
 * Writes audit entries in the caller's transaction, so that both commit or neither. The entry contains a salted
 * commitment to its payload. The payload is stored separately and can be erased without breaking the chain.
 */
export function audit(trx: Transaction<DB>) {
  /** Writes several entries in one statement; returns their ids in no particular order. */
  async function recordAll(records: readonly AuditRecord[]): Promise<string[]> {
    if (records.length === 0) return []
    const rows = records.map(({ actor, actedAs, action, caseId, object, payload }) => {
      const salt = randomBytes(32)
      // Commit to what jsonb returns.
      const plain = asStored(payload)
      return {
        actor,
        acted_as: actedAs ?? null,
        action,
        case_id: caseId ?? null,
        object: object ?? null,
        commitment: commitmentOf(salt, plain).toString('hex'),
        salt: salt.toString('hex'),
        payload: plain,
      }
    })
    const { rows: written } = await sql<{ id: string }>`
      with told as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(actor text, acted_as text, action text,
          case_id uuid, object text, commitment text, salt text, payload jsonb)
      ), entry as (
        insert into audit_entry (actor, acted_as, action, case_id, object, commitment)
        select actor, acted_as, action, case_id, object, decode(commitment, 'hex') from told
        returning id, commitment
      )
      insert into audit_payload (entry_id, salt, payload)
      select entry.id, decode(told.salt, 'hex'), told.payload
      from entry join told on decode(told.commitment, 'hex') = entry.commitment
      returning entry_id::text as id`.execute(trx)
    return written.map(({ id }) => id)
  }

  return {
    recordAll,
    async record(one: AuditRecord): Promise<void> {
      await recordAll([one])
    },
  }
}
