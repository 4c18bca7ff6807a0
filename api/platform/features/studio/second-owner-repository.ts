import { type Kysely, sql } from 'kysely'
import { needsSecondOwner } from '../../people/access/second-owners.ts'
import type { DB } from '../../kernel/db/database.generated.ts'

/** The same, and until the end of the transaction nobody else changes it. */
export async function lockSecondOwner(db: Kysely<DB>, process: string): Promise<boolean> {
  await db.selectFrom('studio_setting').select('process').where('process', '=', process).forUpdate().execute()
  return needsSecondOwner(db, process)
}

/** Has a flow ask for a second owner, or do without. */
export async function setSecondOwner(db: Kysely<DB>, process: string, wanted: boolean): Promise<void> {
  await db
    .insertInto('studio_setting')
    .values({ process, second_owner: wanted })
    .onConflict((oc) => oc.column('process').doUpdateSet({ second_owner: wanted }))
    .execute()
}

/** Writes down that somebody asks to do without. */
export async function insertWaiver(
  db: Kysely<DB>,
  id: string,
  process: string,
  by: string,
  reason: string,
): Promise<void> {
  await db.insertInto('second_owner_waiver').values({ id, process, reason, asked_by: by }).execute()
}

/** Who of these processes asks to do without a second owner, and why. */
export async function listWaivers(db: Kysely<DB>, processes: readonly string[]) {
  return db
    .selectFrom('second_owner_waiver as w')
    .innerJoin('account as a', 'a.id', 'w.asked_by')
    .select(['w.id', 'w.process', 'w.reason', 'w.asked_by', 'w.asked_at', 'a.name as by'])
    .where('w.process', 'in', [...processes])
    .where('w.state', '=', 'waiting')
    .execute()
}

/** What is asked for, kept for this transaction alone. */
export async function lockWaiver(db: Kysely<DB>, process: string, id: string) {
  return db
    .selectFrom('second_owner_waiver')
    .select(['state', 'asked_by', 'reason'])
    .where('id', '=', id)
    .where('process', '=', process)
    .forUpdate()
    .executeTakeFirst()
}

/** The database lets a flow do without only in the transaction that this begins: hence its moment. */
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
