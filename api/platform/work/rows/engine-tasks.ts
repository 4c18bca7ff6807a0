import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { EndedTask, Moved, NewTask } from './tasks.ts'

/** Whether a case is moving to another version: its command is written, and the feed has not confirmed the move. */
function isMoving(caseId: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from case_migration_entry where case_id = ${caseId} and state = 'sent')`
}

/** Releases the tasks that a substitute holds once the substitution is over. */
export async function freeOfSubstitutes(db: Kysely<DB>, id: string): Promise<void> {
  await sql`update task t set assignee_id = null, held_for = null, claimed_at = null, delegated_by = null, follow_up_at = null
    where id = ${id} and held_for is not null and not exists (
      select from substitution s where s.absent_id = t.held_for and s.substitute_id = coalesce(t.delegated_by, t.assignee_id)
        and s.state = 'accepted' and s.starts_at <= now() and s.ends_at > now())`.execute(db)
}

/** → done or void. Deletes their links and promises. */
export async function endTasks(db: Kysely<DB>, ended: readonly EndedTask[]): Promise<void> {
  if (ended.length === 0) return
  await sql`
    with ended as (
      select id, state, at, reason from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb)
        as e(id text, state text, at timestamptz, reason text)
    ), links as (delete from task_candidate where task_id in (select id from ended)),
    promised as (delete from desk_promise where done_at is null and task_id in (select id from ended))
    update task t set state = e.state, ended_at = e.at, end_reason = e.reason, version = t.version + 1
    from ended e where t.id = e.id and t.state not in ('done', 'void')`.execute(db)
}

/** An existing task is not changed. */
export async function createTasks(db: Kysely<DB>, ...made: NewTask[]): Promise<void> {
  if (made.length === 0) return
  await sql`
    insert into task (id, case_id, process_definition_id, desk, name, form_key, form_hash, due_at, follow_up_at, priority,
      four_eyes, created_at, moving)
    select id, "caseId", "definitionId", desk, name, "formKey", "formHash", "dueAt", "followUpAt", priority,
      coalesce("fourEyes", '{}'), "createdAt", ${isMoving(sql.ref<string>('made.caseId'))}
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made(id text, "caseId" uuid, "definitionId" text, desk text,
      name text, "formKey" text, "formHash" text, "dueAt" timestamptz, "followUpAt" timestamptz, priority int,
      "fourEyes" text[], "createdAt" timestamptz)
    on conflict do nothing`.execute(db)
}

/**
 * Gives new tasks of a desk to who held the one of the case that a message took away, with what they had begun to write:
 * nobody has decided at the desk meanwhile.
 */
export async function keepClaims(db: Kysely<DB>, created: readonly NewTask[]): Promise<void> {
  const made = created.filter(({ keeps }) => keeps).map(({ id }) => id)
  if (made.length === 0) return
  await sql`
    with kept as (
      select n.id, o.id as before, o.assignee_id, o.held_for, o.claimed_at
      from task n cross join lateral (
        select t.id, t.state, t.decided_by, t.assignee_id, t.held_for, t.claimed_at from task t
        where t.case_id = n.case_id and t.desk = n.desk and t.id <> n.id
        order by t.created_at desc, t.id desc limit 1) o
      where n.id = any(${made}::text[]) and n.state = 'open' and o.state = 'void' and o.decided_by is null
    ), written as (
      update task_draft d set task_id = k.id from kept k where d.task_id = k.before
    )
    update task t set state = 'held', assignee_id = k.assignee_id, held_for = k.held_for, claimed_at = k.claimed_at,
      version = t.version + 1
    from kept k join account a on a.id = k.assignee_id and a.active where t.id = k.id`.execute(db)
}

/**
 * Reopens a task that the engine still has, and updates it if a migration moved it to another desk. Returns its due
 * date.
 */
export async function reviveTask(
  db: Kysely<DB>,
  id: string,
  { definitionId, desk, fourEyes = [], moved }: Pick<NewTask, 'definitionId' | 'desk' | 'fourEyes'> & { moved?: Moved },
): Promise<Date | null> {
  await freeOfSubstitutes(db, id)
  const { due_at } = await db
    .updateTable('task')
    .set((eb) => ({
      process_definition_id: definitionId,
      desk,
      four_eyes: [...fourEyes],
      moving: isMoving(eb.ref('task.case_id')),
      ...(moved && { moved: true, name: moved.name, form_key: moved.formKey, form_hash: moved.formHash }),
      ...(moved?.dueAt !== undefined && { due_at: momentOf(moved.dueAt) }),
      state: sql`case when state not in ('done', 'void') then state
        when exists (select from command where id = task.command_id and state = 'pending') then 'accepted'
        when assignee_id is null then 'open' else 'held' end`,
      ended_at: null,
      end_reason: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returning('due_at')
    .executeTakeFirstOrThrow()
  return due_at
}

/** Blocks decisions on the open tasks of a case until it has moved to another version. */
export async function makeTasksWait(db: Kysely<DB>, caseId: string): Promise<void> {
  await db
    .updateTable('task')
    .set({ moving: true })
    .where('case_id', '=', caseId)
    .where('state', 'in', ['open', 'held'])
    .execute()
}

/** Unblocks the tasks of a case that does not move after all. */
export async function endWaitOfTasks(db: Kysely<DB>, caseId: string): Promise<void> {
  await db.updateTable('task').set({ moving: false }).where('case_id', '=', caseId).where('moving', '=', true).execute()
}

/** The version and desk that each of these tasks was last known at, and whether it has moved before. */
export async function listTaskVersions(db: Kysely<DB>, ids: readonly string[]) {
  return db
    .selectFrom('task')
    .select(['id', 'process_definition_id', 'desk', 'moved', 'four_eyes'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute()
}

/** → done or void. Deletes its links. */
export function endTask(db: Kysely<DB>, id: string, state: 'done' | 'void', at: string | Date, reason: string | null) {
  return endTasks(db, [{ id, state, at, reason }])
}

function momentOf(dueAt: string | null | { in: string }) {
  return typeof dueAt === 'object' && dueAt !== null ? sql<Date>`clock_timestamp() + ${dueAt.in}::interval` : dueAt
}
