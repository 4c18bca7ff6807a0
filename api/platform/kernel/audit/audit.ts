import { randomBytes, randomUUID } from 'node:crypto'
import { type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { canonical, commitmentOf } from './format.ts'
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

  /**
   * Writes an entry whose payload contains a text that only the same statement finds out. `found` are its first
   * queries: the last one, `found`, returns at most one row with the `text`, which needs no escape in JSON. Returns the
   * text; undefined, and nothing written, if it returns no row.
   */
  async function recordFound(
    one: Omit<AuditRecord, 'payload'> & { payload(text: string): object },
    found: RawBuilder<unknown>,
  ): Promise<string | undefined> {
    const salt = randomBytes(32)
    const hole = randomUUID()
    const plain = asStored(one.payload(hole))
    const { rows } = await sql<{ text: string }>`
      with ${found}, entry as (
        insert into audit_entry (actor, acted_as, action, case_id, object, commitment)
        select ${one.actor}, ${one.actedAs ?? null}, ${one.action}, ${one.caseId ?? null}::uuid, ${one.object ?? null},
          sha256(${salt}::bytea || convert_to(replace(${canonical(plain)}, ${hole}, text), 'UTF8'))
        from found returning id
      ), payload as (
        insert into audit_payload (entry_id, salt, payload)
        select id, ${salt}::bytea, replace(${JSON.stringify(plain)}, ${hole}, text)::jsonb from entry, found
      )
      select text from found`.execute(trx)
    return rows[0]?.text
  }

  return {
    recordAll,
    recordFound,
    async record(one: AuditRecord): Promise<void> {
      await recordAll([one])
    },
  }
}
