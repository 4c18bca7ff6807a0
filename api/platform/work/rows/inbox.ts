import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { everything } from '../../people/persons/person.ts'

/** Longer values are cut off, because an index entry has limited room. */
const MAX_VALUE_LENGTH = 200

/**
 * CTEs with the inbox rows of some tasks: `listed` and `marked`. A task has a row for each candidate, `open` or `held`.
 * It has one for its assignee: `mine`, or `asked` while a question waits for the requester. Ended and accepted tasks
 * have none.
 */
function rowsOf(ids: readonly string[]): RawBuilder<unknown> {
  return sql`
    shown as (
      select t.*, p.principal, p.shown_as from task t cross join lateral (
        select principal, t.state as shown_as from task_candidate where task_id = t.id
        union select ${everything}, t.state
        union select 'user:' || t.assignee_id, case when exists (select from task_question q
            where q.task_id = t.id and q.answered_at is null and q.withdrawn_at is null) then 'asked' else 'mine' end
          where t.assignee_id is not null
      ) p
      where t.id = any(${[...ids]}) and t.state in ('open', 'held')
    ), listed as (
      select s.principal, s.shown_as as state, s.created_at as created, s.id as task, s.due_at as due, s.priority, c.flow,
        c.amount, s.follow_up_at as follow_up
      from shown s join flow_case c on c.id = s.case_id
    ), marked as (
      select s.principal, s.shown_as as state, f.field, left(f.value, ${MAX_VALUE_LENGTH}) as value, s.created_at as created,
        s.id as task
      from shown s join flow_case c on c.id = s.case_id
      cross join lateral (
        select 'flow' as field, c.flow as value
        union all select 'desk', s.desk
        union all select 'status', c.status
        union all select 'faculty', c.scope ->> 'faculty' where c.scope ->> 'faculty' is not null
        union all select '/' || key, value from jsonb_each_text(c.filters)
      ) f
    )`
}

/**
 * Rewrites the inbox rows of some tasks. The tasks stay locked until the transaction ends, so concurrent calls do not
 * interfere.
 */
export async function refreshInbox(db: Kysely<DB>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const some = [...new Set(ids)].sort()
  await sql`select id from task where id = any(${some}) order by id for no key update`.execute(db)
  await leaveInbox(db, some)
  await sql`
    with ${rowsOf(some)}, written as (
      insert into inbox (principal, state, created, task, due, priority, flow, amount, follow_up)
      select principal, state, created, task, due, priority, flow, amount, follow_up from listed
    )
    insert into inbox_filter (principal, state, field, value, created, task)
    select principal, state, field, value, created, task from marked`.execute(db)
}

/** Removes tasks from the inbox that are over, or accepted in this transaction. */
export async function leaveInbox(db: Kysely<DB>, ids: readonly string[]): Promise<void> {
  await sql`
    with listed as (delete from inbox where task = any(${[...ids]}))
    delete from inbox_filter where task = any(${[...ids]})`.execute(db)
}
