import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Cases of a stopped migration whose commands were taken back, and whose tasks are still blocked. */
export async function listMovesTakenBack(
  db: Kysely<DB>,
  id: string,
  limit: number,
): Promise<{ caseId: string; command: string }[]> {
  return db
    .selectFrom('case_migration_entry as e')
    .innerJoin('command as c', 'c.id', 'e.command_id')
    .select(['e.case_id as caseId', 'c.id as command'])
    .where('e.migration_id', '=', id)
    .where('e.state', '=', 'sent')
    .where('c.state', '=', 'cancelled')
    .orderBy('e.position')
    .limit(limit)
    .execute()
}

export async function listCasesToMove(db: Kysely<DB>, id: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('case_migration_entry')
    .select('case_id')
    .where('migration_id', '=', id)
    .where('state', '=', 'waiting')
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows.map((row) => row.case_id)
}

/** A command for the case that the engine has not executed yet: a decision, or a moved token. */
export async function findPendingCommand(db: Kysely<DB>, caseId: string): Promise<'complete' | 'modify' | undefined> {
  const row = await db
    .selectFrom('command')
    .select('kind')
    .where('case_id', '=', caseId)
    .where('state', '=', 'pending')
    .where('kind', 'in', ['complete', 'modify'])
    .orderBy('kind')
    .limit(1)
    .$narrowType<{ kind: 'complete' | 'modify' }>()
    .executeTakeFirst()
  return row?.kind
}

/** waiting → sent; false if it no longer waits. */
export async function sendCaseMove(db: Kysely<DB>, id: string, caseId: string, command: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('case_migration_entry')
    .set({ state: 'sent', command_id: command })
    .where('migration_id', '=', id)
    .where('case_id', '=', caseId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** waiting → failed. */
export async function failCaseMove(db: Kysely<DB>, id: string, caseId: string, code: string): Promise<void> {
  await db
    .updateTable('case_migration_entry')
    .set({ state: 'failed', code, at: sql`clock_timestamp()` })
    .where('migration_id', '=', id)
    .where('case_id', '=', caseId)
    .where('state', '=', 'waiting')
    .execute()
}

/** sent → failed: the engine refused the command, or it was taken back. Returns whether it was still sent. */
export async function refuseCaseMove(
  db: Kysely<DB>,
  command: string,
  code: string,
  detail: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('case_migration_entry')
    .set({ state: 'failed', code, detail, at: sql`clock_timestamp()` })
    .where('command_id', '=', command)
    .where('state', '=', 'sent')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * sent → done, if the case was moving to the version that it now runs on. Stores which element became which, since the
 * first version; returns the elements that changed in this move.
 */
export async function arriveCase(
  db: Kysely<DB>,
  caseId: string,
  definitionId: string,
): Promise<{ source: string; target: string }[]> {
  const { rows } = await sql<{ source: string; target: string }>`
    with arrived as (
      update case_migration_entry e set state = 'done', at = clock_timestamp()
      from case_migration m
      where m.id = e.migration_id and e.case_id = ${caseId} and e.state = 'sent' and m.to_id = ${definitionId}
      returning m.instructions
    ), became as (
      select i.source, i.target
      from arrived, jsonb_to_recordset(arrived.instructions) as i(source text, target text)
      where i.source <> i.target
    ), kept as (
      insert into case_desk (case_id, source, target)
      select ${caseId}::uuid, source, target from became
      union
      select ${caseId}::uuid, d.source, b.target
      from became b join case_desk d on d.case_id = ${caseId} and d.target = b.source
      where d.source <> b.target
      on conflict do nothing
    )
    select source, target from became`.execute(db)
  return rows
}
