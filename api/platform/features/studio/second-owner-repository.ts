import { type Kysely, sql } from 'kysely'
import { needsSecondOwner } from '../../people/access/second-owners.ts'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Whether a flow requires a second owner; locked until the end of the transaction. */
export async function lockSecondOwner(db: Kysely<DB>, process: string): Promise<boolean> {
  await db.selectFrom('studio_setting').select('process').where('process', '=', process).forUpdate().execute()
  return needsSecondOwner(db, process)
}

/** Sets whether a flow requires a second owner. */
export async function setSecondOwner(db: Kysely<DB>, process: string, wanted: boolean): Promise<void> {
  await db
    .insertInto('studio_setting')
    .values({ process, second_owner: wanted })
    .onConflict((oc) => oc.column('process').doUpdateSet({ second_owner: wanted }))
    .execute()
}

/** Stores a request to waive the second owner. */
export async function insertWaiver(
  db: Kysely<DB>,
  id: string,
  process: string,
  by: string,
  reason: string,
): Promise<void> {
  await db.insertInto('second_owner_waiver').values({ id, process, reason, asked_by: by }).execute()
}

/** The waiting waiver requests of these processes: who and why. */
export async function listWaivers(db: Kysely<DB>, processes: readonly string[]) {
  return db
    .selectFrom('second_owner_waiver as w')
    .innerJoin('account as a', 'a.id', 'w.asked_by')
    .select(['w.id', 'w.process', 'w.reason', 'w.asked_by', 'w.asked_at', 'a.name as by'])
    .where('w.process', 'in', [...processes])
    .where('w.state', '=', 'waiting')
    .execute()
}

/** A waiver request, locked for this transaction. */
export async function lockWaiver(db: Kysely<DB>, process: string, id: string) {
  return db
    .selectFrom('second_owner_waiver')
    .select(['state', 'asked_by', 'reason'])
    .where('id', '=', id)
    .where('process', '=', process)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * The database permits the waiver only in the transaction that confirms it, so `decided_at` is the start time of that
 * transaction.
 */
export async function saveWaiverDecision(
  db: Kysely<DB>,
  id: string,
  state: 'confirmed' | 'refused' | 'withdrawn',
  by: string,
  note: string,
): Promise<void> {
  await db
    .updateTable('second_owner_waiver')
    .set({ state, decided_by: by, decided_at: sql`transaction_timestamp()`, decision_note: note })
    .where('id', '=', id)
    .execute()
}
