import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB } from '../db/database.generated.ts'
import { containing } from '../like.ts'
import { COUNT_LIMIT } from '../paging.ts'

/** Where a task stands: offered, taken by one person, decided but not yet moved on by the engine, over, or without effect. */
export type TaskState = 'open' | 'held' | 'accepted' | 'done' | 'void'

/** The lists of the inbox: offered to me, taken by me, taken by one of those it was offered to. */
export type Queue = 'open' | 'mine' | 'group'

const inboxState: Record<Queue, string> = { open: 'open', mine: 'mine', group: 'held' }

/** The inbox principal of those who see everything. */
export const everything = '*'

/** A task as the engine announced it. */
export interface NewTask {
  id: string
  caseId: string
  definitionId: string
  desk: string
  name: string
  formKey: string | null
  formHash: string | null
  dueAt: string | null
  followUpAt: string | null
  priority: number
  createdAt: string
}

export interface InboxQuery {
  principals: readonly string[]
  queue: Queue
  /** Field → value; `flow`, `desk`, `status` and what a form marks with `x-filter`. */
  filters: Readonly<Record<string, string>>
  /** Part of the reference or the subject of the case. */
  search?: string
  /** Created and id of the last task seen. */
  after?: { created: string; task: string }
  limit: number
}

/** How many tasks of a principal are looked at before the reader has to narrow the search. */
const examineAtMost = 10_000

export type TaskRow = Awaited<ReturnType<ReturnType<typeof taskRepository>['get']>>

/** Tasks, whom they are offered to, and the inbox made from both. */
export function taskRepository(db: Kysely<DB> | Transaction<DB>) {
  const tasks = () =>
    db
      .selectFrom('task as t')
      .innerJoin('flow_case as c', 'c.id', 't.case_id')
      .innerJoin('account as r', 'r.id', 'c.requester_id')
      .leftJoin('account as a', 'a.id', 't.assignee_id')
      .leftJoin('account as d', 'd.id', 't.decided_by')
      .select([
        't.id',
        't.case_id',
        't.process_definition_id',
        't.desk',
        't.name',
        't.form_key',
        't.form_hash',
        't.state',
      ])
      .select(['t.assignee_id', 't.claimed_at', 't.decided_by', 't.decided_at', 't.outcome', 't.command_id'])
      .select(['t.due_at', 't.priority', 't.version', 't.created_at', 't.ended_at', 't.end_reason'])
      .select(['c.reference', 'c.flow', 'c.status', 'c.statuses', 'c.subject', 'c.requester_id', 'c.sent_by'])
      .select('c.flow_hash')
      .select(['r.name as requester_name', 'a.name as assignee_name', 'd.name as decider_name'])

  /**
   * Writes the inbox rows of some tasks anew. Ended and accepted tasks have none. The tasks stay locked until the
   * transaction ends, so two of these never mix.
   */
  async function refreshInbox(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const some = [...new Set(ids)].sort()
    await sql`select id from task where id = any(${some}) order by id for no key update`.execute(db)
    await db.deleteFrom('inbox').where('task', 'in', some).execute()
    await db.deleteFrom('inbox_filter').where('task', 'in', some).execute()
    await sql`
      with shown as (
        select t.*, p.principal, p.shown_as from task t cross join lateral (
          select principal, t.state as shown_as from task_candidate where task_id = t.id
          union select ${everything}, t.state
          union select 'user:' || t.assignee_id, 'mine' where t.assignee_id is not null
        ) p
        where t.id = any(${some}) and t.state in ('open', 'held')
      ), listed as (
        insert into inbox (principal, state, created, task, due, priority, flow, amount, follow_up)
        select s.principal, s.shown_as, s.created_at, s.id, s.due_at, s.priority, c.flow, c.amount, s.follow_up_at
        from shown s join flow_case c on c.id = s.case_id
      )
      insert into inbox_filter (principal, state, field, value, created, task)
      select s.principal, s.shown_as, f.key, f.value, s.created_at, s.id
      from shown s join flow_case c on c.id = s.case_id
      cross join lateral (
        select 'flow' as key, c.flow as value
        union all select 'desk', s.desk
        union all select 'status', c.status
        union all select key, value from jsonb_each_text(c.filters)
      ) f`.execute(db)
  }

  return {
    refreshInbox,

    async find(id: string) {
      return tasks().where('t.id', '=', id).executeTakeFirst()
    },

    async get(id: string) {
      return tasks().where('t.id', '=', id).executeTakeFirstOrThrow()
    },

    async listOpenOfCases(caseIds: readonly string[]) {
      if (caseIds.length === 0) return []
      const open = ['open', 'held', 'accepted']
      return tasks()
        .where('t.case_id', 'in', [...caseIds])
        .where('t.state', 'in', open)
        .orderBy('t.created_at')
        .execute()
    },

    async listOpenOfCase(caseId: string) {
      return tasks()
        .where('t.case_id', '=', caseId)
        .where('t.state', 'in', ['open', 'held', 'accepted'])
        .orderBy('t.created_at')
        .execute()
    },

    async listOfCase(caseId: string) {
      return tasks().where('t.case_id', '=', caseId).orderBy('t.created_at').execute()
    },

    async listCandidates(
      ids: readonly string[],
    ): Promise<{ task_id: string; principal: string; stands_in_for: string | null }[]> {
      if (ids.length === 0) return []
      return db
        .selectFrom('task_candidate')
        .select(['task_id', 'principal', 'stands_in_for'])
        .where('task_id', 'in', [...ids])
        .orderBy('principal')
        .execute()
    },

    /** Who has decided at these desks of a case, with effect or on the way to it. */
    async listDeciders(caseId: string, desks: readonly string[]): Promise<string[]> {
      if (desks.length === 0) return []
      const rows = await db
        .selectFrom('task')
        .select('decided_by')
        .where('case_id', '=', caseId)
        .where('desk', 'in', [...desks])
        .where('state', 'in', ['accepted', 'done'])
        .where('decided_by', 'is not', null)
        .execute()
      return rows.map((row) => row.decided_by!)
    },

    /**
     * The desks of a case that had decided when a desk was reached first, each with its last decision then. What was
     * decided before the start form was corrected last does not count any more.
     */
    async listEarlier(caseId: string, desk: string, startForm: string) {
      const { rows } = await sql<{ desk: string; name: string; decider_id: string; decider: string }>`
        with round as (
          select coalesce(max(ended_at), '-infinity') as began from task
          where case_id = ${caseId} and form_key = ${startForm} and state = 'done'
        ), reached as (
          select min(t.created_at) as at from task t, round
          where t.case_id = ${caseId} and t.desk = ${desk} and t.created_at >= round.began
        )
        select distinct on (t.desk) t.desk, t.name, a.id as decider_id, a.name as decider
        from round, reached, task t join account a on a.id = t.decided_by
        where t.case_id = ${caseId} and t.desk <> ${desk} and t.form_key is distinct from ${startForm} and t.state = 'done'
          and t.created_at >= round.began and t.decided_at <= reached.at
        order by t.desk, t.decided_at desc`.execute(db)
      return rows
    },

    /** Which of these tasks are offered to a person, or were taken or decided by them. */
    async listVisible(ids: readonly string[], accountId: string, principals: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return []
      const rows = await db
        .selectFrom('task as t')
        .leftJoin('task_candidate as c', 'c.task_id', 't.id')
        .select('t.id')
        .distinct()
        .where('t.id', 'in', [...ids])
        .where((eb) =>
          eb.or([
            eb('c.principal', 'in', [...principals]),
            eb('t.assignee_id', '=', accountId),
            eb('t.decided_by', '=', accountId),
          ]),
        )
        .execute()
      return rows.map((row) => row.id)
    },

    // ---- what people do -------------------------------------------------------------------------

    /** open → held. False if the task is not open any more. */
    async claim(id: string, accountId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('task')
        .set((eb) => ({
          state: 'held',
          assignee_id: accountId,
          claimed_at: sql`clock_timestamp()`,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .where('state', '=', 'open')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** held → open. False if somebody else holds it or it is not held. */
    async release(id: string, holder: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('task')
        .set((eb) => ({ state: 'open', assignee_id: null, claimed_at: null, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'held')
        .where('assignee_id', '=', holder)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** open, or held by this person → accepted. False if somebody else was faster. */
    async accept(id: string, accountId: string, outcome: string | null): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('task')
        .set((eb) => ({
          state: 'accepted',
          decided_by: accountId,
          decided_at: sql`clock_timestamp()`,
          outcome,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .where((eb) =>
          eb.or([eb('state', '=', 'open'), eb.and([eb('state', '=', 'held'), eb('assignee_id', '=', accountId)])]),
        )
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async setCommand(id: string, commandId: string): Promise<void> {
      await db.updateTable('task').set({ command_id: commandId }).where('id', '=', id).execute()
    },

    /** accepted → held or open: the decision did not take effect and the engine still has the task. */
    async reopen(id: string): Promise<void> {
      await db
        .updateTable('task')
        .set((eb) => ({
          state: sql`case when assignee_id is null then 'open' else 'held' end`,
          decided_by: null,
          decided_at: null,
          outcome: null,
          command_id: null,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .where('state', '=', 'accepted')
        .execute()
    },

    // ---- what the engine tells --------------------------------------------------------------------

    /** A task that is there already stays as it is. */
    async create(task: NewTask): Promise<void> {
      await db
        .insertInto('task')
        .values({
          id: task.id,
          case_id: task.caseId,
          process_definition_id: task.definitionId,
          desk: task.desk,
          name: task.name,
          form_key: task.formKey,
          form_hash: task.formHash,
          due_at: task.dueAt,
          follow_up_at: task.followUpAt,
          priority: task.priority,
          created_at: task.createdAt,
        })
        .onConflict((oc) => oc.doNothing())
        .execute()
    },

    /** A task that the engine still has is not over, whatever we believed; after a migration it may be at another desk. */
    async revive(id: string, definitionId: string, desk: string): Promise<void> {
      await db
        .updateTable('task')
        .set((eb) => ({
          process_definition_id: definitionId,
          desk,
          state: sql`case when state not in ('done', 'void') then state
            when exists (select from command where id = task.command_id and state = 'pending') then 'accepted'
            when assignee_id is null then 'open' else 'held' end`,
          ended_at: null,
          end_reason: null,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
    },

    /** → done or void. Its links go with it. */
    async end(id: string, state: 'done' | 'void', at: string | Date, reason: string | null): Promise<void> {
      await db
        .updateTable('task')
        .set((eb) => ({ state, ended_at: at, end_reason: reason, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('state', 'not in', ['done', 'void'])
        .execute()
      await db.deleteFrom('task_candidate').where('task_id', '=', id).execute()
    },

    /**
     * The task may not be there yet; if it is over, nothing is added. `standsInFor` names the principal that nobody holds;
     * what the diagram offers by itself is not overwritten by it.
     */
    async addCandidate(taskId: string, principal: string, standsInFor: string | null = null): Promise<void> {
      await sql`insert into task_candidate (task_id, principal, stands_in_for) select ${taskId}, ${principal}, ${standsInFor}
        where not exists (select from task where id = ${taskId} and state in ('done', 'void'))
        on conflict (task_id, principal) do update set stands_in_for = case
          when task_candidate.stands_in_for is null then null else excluded.stands_in_for end`.execute(db)
    },

    async removeCandidate(taskId: string, principal: string): Promise<void> {
      await db.deleteFrom('task_candidate').where('task_id', '=', taskId).where('principal', '=', principal).execute()
    },

    // ---- inbox --------------------------------------------------------------------------------------

    /** One page of tasks, newest first, each once. */
    async listInbox({ after, limit, ...query }: InboxQuery) {
      const beyond = after ? sql`and (i.created, i.task) < (${after.created}::timestamptz, ${after.task})` : sql``
      const { rows } = await sql<{ task: string; created: string }>`
        select h.task, h.created::text as created from ${shown(query, beyond, limit)}
        group by h.created, h.task order by h.created desc, h.task desc limit ${limit}`.execute(db)
      const ids = rows.map((row) => row.task)
      const found = ids.length === 0 ? [] : await tasks().where('t.id', 'in', ids).execute()
      const byId = new Map(found.map((task) => [task.id, task]))
      return rows.flatMap(({ task, created }) => {
        const row = byId.get(task)
        return row ? [{ ...row, created }] : []
      })
    },

    /** How many tasks a queue has, counted to one above the limit. */
    async countInbox(query: Omit<InboxQuery, 'after' | 'limit'>): Promise<number> {
      const { rows } = await sql<{ count: string }>`
        select count(*) from (
          select distinct h.task from ${shown(query, sql``, COUNT_LIMIT + 1)} limit ${COUNT_LIMIT + 1}
        ) counted`.execute(db)
      return Number(rows[0]!.count)
    },
  }
}

/**
 * The newest rows of each principal, as `h`: so the cost is bounded by principals times `limit`, however many tasks there
 * are. The first filter picks the index; further ones are asked of each row, of 10,000 rows at most.
 */
function shown(
  { principals, queue, filters, search }: Omit<InboxQuery, 'after' | 'limit'>,
  beyond: RawBuilder<unknown>,
  limit: number,
) {
  const state = inboxState[queue]
  const [first, ...others] = Object.entries(filters)
  const held = first
    ? sql`inbox_filter i where i.principal = p.principal and i.state = ${state} and i.field = ${first[0]} and i.value = ${first[1]}`
    : sql`inbox i where i.principal = p.principal and i.state = ${state}`
  // What somebody has taken themselves is not with colleagues.
  const source =
    queue === 'group'
      ? sql`${held} and not exists (select from inbox own where own.principal = any(${[...principals]}::text[])
          and own.state = ${inboxState.mine} and own.created = i.created and own.task = i.task)`
      : held
  const further = others.map(
    ([
      field,
      value,
    ]) => sql`and exists (select from inbox_filter x where x.principal = h.principal and x.state = ${state}
      and x.field = ${field} and x.value = ${value} and x.created = h.created and x.task = h.task)`,
  )
  if (search) {
    const like = containing(search)
    further.push(sql`and exists (select from task t join flow_case c on c.id = t.case_id
      where t.id = h.task and (c.reference ilike ${like} or c.subject::text ilike ${like}))`)
  }
  const examined = further.length > 0 ? examineAtMost : limit
  return sql`unnest(${[...principals]}::text[]) p(principal) cross join lateral (
      select i.principal, i.created, i.task from ${source} ${beyond} order by i.created desc, i.task desc limit ${examined}
    ) h where true ${sql.join(further, sql` `)}`
}
