import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { freeOfSubstitutes } from './engine-tasks.ts'

/** The columns of a task that nobody holds. */
const nobodys = { assignee_id: null, held_for: null, claimed_at: null, delegated_by: null, follow_up_at: null }

/** open → held, for oneself or in somebody's stead. False if the task is no longer open. */
export async function markTaskClaimed(
  db: Kysely<DB>,
  id: string,
  accountId: string,
  heldFor: string | null = null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set((eb) => ({
      state: 'held',
      assignee_id: accountId,
      held_for: heldFor,
      claimed_at: sql`clock_timestamp()`,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** held by an absent person → held by their substitute. False if they no longer hold it. */
export async function markTaskTakenOver(
  db: Kysely<DB>,
  id: string,
  absent: string,
  accountId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set((eb) => ({
      assignee_id: accountId,
      held_for: absent,
      claimed_at: sql`clock_timestamp()`,
      follow_up_at: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'held')
    .where('assignee_id', '=', absent)
    .where('delegated_by', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** held → open. False if somebody else holds it or nobody does. */
export async function markTaskReleased(db: Kysely<DB>, id: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set((eb) => ({ ...nobodys, state: 'open', version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'held')
    .where('assignee_id', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** open, or held by this person → accepted, with the command that tells the engine. False if somebody else was faster. */
export async function markTaskAccepted(
  db: Kysely<DB>,
  id: string,
  accountId: string,
  { outcome, decidedFor, command }: { outcome: string | null; decidedFor: string | null; command: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set((eb) => ({
      state: 'accepted',
      decided_by: accountId,
      decided_for: decidedFor,
      decided_at: sql`clock_timestamp()`,
      outcome,
      command_id: command,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('moving', '=', false)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'open'),
        eb.and([eb('state', '=', 'held'), eb('assignee_id', '=', accountId), eb('delegated_by', 'is', null)]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** accepted → held or open: the decision did not take effect and the engine still has the task. */
export async function markTaskReopened(db: Kysely<DB>, id: string): Promise<void> {
  await freeOfSubstitutes(db, id)
  await db
    .updateTable('task')
    .set((eb) => ({
      state: sql`case when assignee_id is null then 'open' else 'held' end`,
      decided_by: null,
      decided_for: null,
      decided_at: null,
      outcome: null,
      command_id: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'accepted')
    .execute()
}
