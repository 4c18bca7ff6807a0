import { type Expression, type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Person } from '../../people/persons/person.ts'
import { leaveInbox, refreshInbox } from './inbox.ts'

/** Where a task stands: offered, taken by one person, decided but not yet moved on by the engine, over, or without effect. */
export type TaskState = 'open' | 'held' | 'accepted' | 'done' | 'void'

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
  /** Who may not decide it: `requester`, and desks whose deciders may not. */
  fourEyes?: readonly string[]
  createdAt: string
}

/**
 * What a task becomes at another desk; without `dueAt` it is due when it was. `in` counts from now: an ISO 8601 duration.
 */
export type Moved = Pick<NewTask, 'name' | 'formKey' | 'formHash'> & {
  dueAt?: string | null | { in: string } | undefined
}

/** A task that the engine has ended. */
export interface EndedTask {
  id: string
  state: 'done' | 'void'
  at: string | Date
  reason: string | null
}

/** Whom a task is offered to; `standsInFor` names the principal that nobody holds, and in whose place it is. */
export interface Candidate {
  task: string
  principal: string
  standsInFor?: string
}

/** Who has decided at a desk of a case, and in whose stead. */
export interface Decision {
  case_id: string
  desk: string
  decided_by: string
  decided_for: string | null
}

/** Of a task that nobody has. */
const nobodys = { assignee_id: null, held_for: null, claimed_at: null, delegated_by: null, follow_up_at: null }

export type TaskRow = Awaited<ReturnType<ReturnType<typeof taskRepository>['get']>>

/** Whether a case is on its way to another version: its command is written, and the feed has not found it there yet. */
function isMoving(caseId: Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from case_migration_entry where case_id = ${caseId} and state = 'sent')`
}

/** Somebody's name, looked up row by row: joined, each of the six would make the statement dearer to plan than to run. */
function nameOf(account: Expression<string | null>) {
  return sql<string | null>`(select name from account where id = ${account})`
}

/** Tasks, whom they are offered to, and the inbox made from both. */
export function taskRepository(db: Kysely<DB> | Transaction<DB>) {
  const tasks = () =>
    db
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
        sql<boolean>`(select registered from account where id = ${eb.ref('c.requester_id')})`.as(
          'requester_registered',
        ),
        nameOf(eb.ref('t.assignee_id')).as('assignee_name'),
        nameOf(eb.ref('t.decided_by')).as('decider_name'),
        nameOf(eb.ref('t.held_for')).as('held_for_name'),
        nameOf(eb.ref('t.decided_for')).as('decided_for_name'),
        nameOf(eb.ref('t.delegated_by')).as('delegated_by_name'),
      ])

  /** What was held in somebody's stead is nobody's once the substitution is over. */
  async function freeOfSubstitutes(id: string): Promise<void> {
    await sql`update task t set assignee_id = null, held_for = null, claimed_at = null, delegated_by = null, follow_up_at = null
      where id = ${id} and held_for is not null and not exists (
        select from substitution s where s.absent_id = t.held_for and s.substitute_id = coalesce(t.delegated_by, t.assignee_id)
          and s.state = 'accepted' and s.starts_at <= now() and s.ends_at > now())`.execute(db)
  }

  /** Every decision in these cases, with effect or on the way to it; also at what its desk became as the case moved. */
  async function listDecisions(caseIds: readonly string[]): Promise<Decision[]> {
    const { rows } = await sql<Decision>`
      with decided as (
        select case_id, desk, decided_by, decided_for from task
        where case_id = any(${[...caseIds]}::uuid[]) and state in ('accepted', 'done') and decided_by is not null
      )
      select * from decided
      union all
      select d.case_id, b.target, d.decided_by, d.decided_for
      from decided d join case_desk b on b.case_id = d.case_id and b.source = d.desk`.execute(db)
    return rows
  }

  /** → done or void. Their links go with them, and what was promised of them. */
  async function endAll(ended: readonly EndedTask[]): Promise<void> {
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

  /** Each of them once. */
  async function addCandidates(added: readonly Candidate[]): Promise<void> {
    if (added.length === 0) return
    await sql`
      insert into task_candidate (task_id, principal, stands_in_for)
      select task, principal, "standsInFor"
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as added(task text, principal text, "standsInFor" text)
      where not exists (select from task where id = added.task and state in ('done', 'void'))
      on conflict (task_id, principal) do update set stands_in_for = case
        when task_candidate.stands_in_for is null then null else excluded.stands_in_for end`.execute(db)
  }

  return {
    /** Writes the inbox rows of some tasks anew. */
    refreshInbox: (ids: readonly string[]) => refreshInbox(db, ids),

    /** Takes tasks that this transaction has accepted out of the inbox. */
    leaveInbox: (ids: readonly string[]) => leaveInbox(db, ids),

    async find(id: string) {
      return tasks().where('t.id', '=', id).executeTakeFirst()
    },

    async get(id: string) {
      return tasks().where('t.id', '=', id).executeTakeFirstOrThrow()
    },

    /** The task as it stands, and stands still until the transaction ends. */
    async lock(id: string) {
      await db.selectFrom('task').select('id').where('id', '=', id).forNoKeyUpdate().execute()
      return tasks().where('t.id', '=', id).executeTakeFirstOrThrow()
    },

    /** Tasks in the order of their ids here; what is not there is left out. */
    async listSome(ids: readonly string[]) {
      if (ids.length === 0) return []
      const found = await tasks()
        .where('t.id', 'in', [...ids])
        .execute()
      const byId = new Map(found.map((task) => [task.id, task]))
      return ids.flatMap((id) => byId.get(id) ?? [])
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

    /** Who has decided at these desks of a case, and in whose stead, with effect or on the way to it. */
    async listDeciders(caseId: string, desks: readonly string[]): Promise<string[]> {
      if (desks.length === 0) return []
      return decidersAt(await listDecisions([caseId]), caseId, desks)
    },

    listDecisions,

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

    /** Which of these tasks are offered to a person or to whom they stand in for, or were taken or decided by or for them. */
    async listVisible(
      ids: readonly string[],
      person: Pick<Person, 'id' | 'principals' | 'standsIn'>,
    ): Promise<string[]> {
      if (ids.length === 0) return []
      const { rows } = await sql<{ id: string }>`
        select t.id from task t join flow_case f on f.id = t.case_id where t.id = any(${[...ids]})
          and (${isTheirs(person)} or exists (select from task_candidate c where c.task_id = t.id and ${reaches(person)}))`.execute(
        db,
      )
      return rows.map((row) => row.id)
    },

    /** Decisions of this person whose command nobody has tried to send yet, and when it will be sent. */
    async listUndoable(accountId: string) {
      return tasks()
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
    },

    // ---- what people do -------------------------------------------------------------------------

    /** open → held, for oneself or in somebody's stead. False if the task is not open any more. */
    async claim(id: string, accountId: string, heldFor: string | null = null): Promise<boolean> {
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
    },

    /** held by somebody absent → held by their substitute. False if they do not hold it any more. */
    async takeOver(id: string, absent: string, accountId: string): Promise<boolean> {
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
    },

    /** held → open. False if somebody else holds it or it is not held. */
    async release(id: string, holder: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('task')
        .set((eb) => ({ ...nobodys, state: 'open', version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'held')
        .where('assignee_id', '=', holder)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** open, or held by this person → accepted. False if somebody else was faster. */
    async accept(
      id: string,
      accountId: string,
      { outcome, decidedFor }: { outcome: string | null; decidedFor: string | null },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('task')
        .set((eb) => ({
          state: 'accepted',
          decided_by: accountId,
          decided_for: decidedFor,
          decided_at: sql`clock_timestamp()`,
          outcome,
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
    },

    async setCommand(id: string, commandId: string): Promise<void> {
      await db.updateTable('task').set({ command_id: commandId }).where('id', '=', id).execute()
    },

    /** accepted → held or open: the decision did not take effect and the engine still has the task. */
    async reopen(id: string): Promise<void> {
      await freeOfSubstitutes(id)
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
    },

    // ---- what the engine tells --------------------------------------------------------------------

    /** A task that is there already stays as it is. */
    async create(...made: readonly NewTask[]): Promise<void> {
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
    },

    /** A task that the engine still has is not over, whatever we believed; after a migration it may be at another desk. */
    async revive(
      id: string,
      {
        definitionId,
        desk,
        fourEyes = [],
        moved,
      }: Pick<NewTask, 'definitionId' | 'desk' | 'fourEyes'> & { moved?: Moved },
    ): Promise<void> {
      await freeOfSubstitutes(id)
      await db
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
        .execute()
    },

    /** Nobody decides the open tasks of a case until it has moved to another version. */
    async makeWait(caseId: string): Promise<void> {
      await db
        .updateTable('task')
        .set({ moving: true })
        .where('case_id', '=', caseId)
        .where('state', 'in', ['open', 'held'])
        .execute()
    },

    /** The case does not move after all. */
    async stay(caseId: string): Promise<void> {
      await db
        .updateTable('task')
        .set({ moving: false })
        .where('case_id', '=', caseId)
        .where('moving', '=', true)
        .execute()
    },

    /** The version and desk that each of these tasks was last known at, and whether it has moved before. */
    async listVersions(ids: readonly string[]) {
      return db
        .selectFrom('task')
        .select(['id', 'process_definition_id', 'desk', 'moved', 'four_eyes'])
        .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
        .execute()
    },

    endAll,

    /** → done or void. Its links go with it. */
    end: (id: string, state: 'done' | 'void', at: string | Date, reason: string | null) =>
      endAll([{ id, state, at, reason }]),

    addCandidates,

    /**
     * The task may not be there yet; if it is over, nothing is added. `standsInFor` names the principal that nobody holds;
     * what the diagram offers by itself is not overwritten by it.
     */
    addCandidate: (task: string, principal: string, standsInFor?: string) =>
      addCandidates([{ task, principal, ...(standsInFor !== undefined && { standsInFor }) }]),

    async removeCandidates(removed: readonly Candidate[]): Promise<void> {
      if (removed.length === 0) return
      await sql`
        delete from task_candidate k
        using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as removed(task text, principal text)
        where k.task_id = removed.task and k.principal = removed.principal`.execute(db)
    },
  }
}

function momentOf(dueAt: string | null | { in: string }) {
  return typeof dueAt === 'object' && dueAt !== null ? sql<Date>`clock_timestamp() + ${dueAt.in}::interval` : dueAt
}

/** Who has decided at some desks of a case, and in whose stead. */
export function decidersAt(decisions: readonly Decision[], caseId: string, desks: readonly string[]): string[] {
  return decisions
    .filter((one) => one.case_id === caseId && desks.includes(one.desk))
    .flatMap((one) => [one.decided_by, ...(one.decided_for === null ? [] : [one.decided_for])])
}

/** Whether a task `t` is or was somebody's: taken or decided by them, or in their stead. */
export function isTheirs({ id }: Pick<Person, 'id'>): RawBuilder<boolean> {
  return sql<boolean>`${id}::uuid in (t.assignee_id, t.decided_by, t.held_for, t.decided_for)`
}

/** Whether a candidate `c` of a task of the case `f` is somebody's principal, or that of somebody for whom they stand in. */
export function reaches({ principals, standsIn }: Pick<Person, 'principals' | 'standsIn'>): RawBuilder<boolean> {
  const own = sql<boolean>`c.principal = any(${[...principals]}::text[])`
  const through = standsIn.map(
    (stead) => sql<boolean>`(c.principal = any(${stead.principals}::text[])
      and (${stead.flows}::text[] is null or f.flow = any(${stead.flows}::text[]))
      and (${stead.amountLimit}::bigint is null or f.amount <= ${stead.amountLimit}::bigint))`,
  )
  return sql<boolean>`(${sql.join([own, ...through], sql` or `)})`
}
