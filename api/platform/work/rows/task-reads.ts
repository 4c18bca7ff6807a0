import { type Expression, type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** A person's name as a sub-select. As six joins, the statement would take longer to plan than to run. */
function nameOf(account: Expression<string | null>) {
  return sql<string | null>`(select name from account where id = ${account})`
}

function selectTasks(db: Kysely<DB>) {
  return db
    .selectFrom('task as t')
    .innerJoin('flow_case as c', 'c.id', 't.case_id')
    .select([
      't.id',
      't.case_id',
      't.process_definition_id',
      't.desk',
      't.name',
      't.form_key',
      't.form_hash',
      't.state',
      't.four_eyes',
    ])
    .select(['t.assignee_id', 't.held_for', 't.claimed_at', 't.decided_by', 't.decided_for', 't.decided_at'])
    .select(['t.outcome', 't.command_id'])
    .select(['t.due_at', 't.priority', 't.version', 't.created_at', 't.ended_at', 't.end_reason'])
    .select(['c.reference', 'c.flow', 'c.status', 'c.statuses', 'c.subject', 'c.requester_id', 'c.sent_by'])
    .select(['c.flow_hash', 'c.amount'])
    .select(['t.follow_up_at', 't.delegated_by', 'c.scope'])
    .select((eb) => [
      nameOf(eb.ref('c.requester_id')).$notNull().as('requester_name'),
      sql<boolean>`(select registered from account where id = ${eb.ref('c.requester_id')})`.as('requester_registered'),
      nameOf(eb.ref('t.assignee_id')).as('assignee_name'),
      nameOf(eb.ref('t.decided_by')).as('decider_name'),
      nameOf(eb.ref('t.held_for')).as('held_for_name'),
      nameOf(eb.ref('t.decided_for')).as('decided_for_name'),
      nameOf(eb.ref('t.delegated_by')).as('delegated_by_name'),
    ])
}

export async function findTask(db: Kysely<DB>, id: string) {
  return selectTasks(db).where('t.id', '=', id).executeTakeFirst()
}

export async function getTask(db: Kysely<DB>, id: string) {
  return selectTasks(db).where('t.id', '=', id).executeTakeFirstOrThrow()
}

/** The task, locked until the transaction ends. */
export async function lockTask(db: Kysely<DB>, id: string) {
  await db.selectFrom('task').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return selectTasks(db).where('t.id', '=', id).executeTakeFirstOrThrow()
}

/** Tasks in the order of their ids here; unknown ids are left out. */
export async function listSomeTasks(db: Kysely<DB>, ids: readonly string[]) {
  if (ids.length === 0) return []
  const found = await selectTasks(db)
    .where('t.id', 'in', [...ids])
    .execute()
  const byId = new Map(found.map((task) => [task.id, task]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function listOpenTasksOfCases(db: Kysely<DB>, caseIds: readonly string[]) {
  if (caseIds.length === 0) return []
  return selectTasks(db)
    .where('t.case_id', 'in', [...caseIds])
    .where('t.state', 'in', ['open', 'held', 'accepted'])
    .orderBy('t.created_at')
    .execute()
}

export async function listOpenTasks(db: Kysely<DB>, caseId: string) {
  return selectTasks(db)
    .where('t.case_id', '=', caseId)
    .where('t.state', 'in', ['open', 'held', 'accepted'])
    .orderBy('t.created_at')
    .execute()
}

/** Whether the newest task of a case is one of these desks and decided: the decision is stored, or steps follow from it. */
export async function isSettledAt(db: Kysely<DB>, caseId: string, desks: readonly string[]): Promise<boolean> {
  const newest = await selectTasks(db)
    .where('t.case_id', '=', caseId)
    .orderBy('t.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest !== undefined && desks.includes(newest.desk) && ['accepted', 'done'].includes(newest.state)
}

/** Whether a decision of the case has been accepted that the feed has not confirmed yet. */
export async function isBeingDecided(db: Kysely<DB>, caseId: string): Promise<boolean> {
  const row = await db
    .selectFrom('task')
    .select('id')
    .where('case_id', '=', caseId)
    .where('state', '=', 'accepted')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function listTasksOfCase(db: Kysely<DB>, caseId: string) {
  return selectTasks(db).where('t.case_id', '=', caseId).orderBy('t.created_at').execute()
}

/** Decisions of this person whose command nobody has tried to send, and when it will be sent. */
export async function listUndoableTasks(db: Kysely<DB>, accountId: string) {
  return selectTasks(db)
    .innerJoin('command as k', 'k.id', 't.command_id')
    .select('k.not_before as until')
    .where('t.decided_by', '=', accountId)
    .where('t.decided_at', '>', sql<Date>`now() - interval '5 minutes'`)
    .where('t.state', '=', 'accepted')
    .where('k.state', '=', 'pending')
    .where('k.attempts', '=', 0)
    .where('k.not_before', '>', sql<Date>`clock_timestamp()`)
    .orderBy('t.decided_at', 'desc')
    .execute()
}
