import { type Kysely, type RawBuilder, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { WorkingDay } from '../../records/calendar/working-days.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { everything } from '../../people/persons/person.ts'

/** Maximum tasks counted per principal, oldest first; no more can be handed on. */
const MAX_COUNTED = 5000
/** Maximum people shown. */
const MAX_SHOWN = 200

/** The tasks to read: all, or those offered to a role at one of these places (`<kind>:<id>`). */
export type Places = 'everywhere' | readonly string[]

/** How many tasks wait, by one grouping. */
interface Waiting {
  count: number
  overdue: number
  oldest: Date
}

interface WaitingWith extends Waiting {
  /** Null if nobody has them. */
  assignee: string | null
}

interface WaitingAt extends Waiting {
  flow: string
  desk: string
  name: string
}

/** A desk's figures between two times, and what waits there. */
export interface DeskFigures {
  flow: string
  desk: string
  name: string
  decided: number
  /** Of the tasks with a due date. */
  inTime: number
  late: number
  /** In working hours, from when a task reached the desk. */
  medianHours: number | null
  p90Hours: number | null
  open: number
  overdue: number
  oldestOpen: Date | null
}

/** The principals at these places that have tasks. */
export async function listPrincipals(db: Kysely<DB>, places: Places, roles: Iterable<string>): Promise<string[]> {
  if (places === 'everywhere') return [everything]
  const all = [...roles].flatMap((role) => places.map((place) => `${role}@${place}`))
  const { rows } = await sql<{ principal: string }>`
    select p.principal from unnest(${all}::text[]) p(principal)
    where exists (select from inbox i where i.principal = p.principal)`.execute(db)
  return rows.map((row) => row.principal)
}

/** Whether a task `t` is offered at one of these places. */
function offeredAt(places: Places): RawBuilder<unknown> {
  return places === 'everywhere'
    ? sql`true`
    : sql`exists (select from task_candidate k where k.task_id = t.id
        and split_part(k.principal, '@', 2) = any(${[...places]}::text[]))`
}

/** Waiting tasks by assignee (null: nobody) and by desk. */
export async function listWaitingTasks(
  db: Kysely<DB>,
  principals: readonly string[],
): Promise<{ byHolder: WaitingWith[]; byDesk: WaitingAt[] }> {
  const { rows } = await sql<(WaitingWith & { by_desk: false }) | (WaitingAt & { by_desk: true })>`
    with these as (
      select distinct i.task from unnest(${[...principals]}::text[]) p(principal)
      cross join (values ('open'), ('held')) s(state)
      cross join lateral (select task from inbox i where i.principal = p.principal and i.state = s.state
        order by i.created limit ${MAX_COUNTED}) i
    )
    select t.assignee_id as assignee, c.flow, t.desk, max(t.name) as name, count(*)::int as count,
      (count(*) filter (where t.due_at < now()))::int as overdue, min(t.created_at) as oldest,
      grouping(t.assignee_id) = 1 as by_desk
    from these join task t on t.id = these.task join flow_case c on c.id = t.case_id
    group by grouping sets ((t.assignee_id), (c.flow, t.desk))`.execute(db)
  return { byHolder: rows.filter((row) => !row.by_desk), byDesk: rows.filter((row) => row.by_desk) }
}

/**
 * Active people with one of these roles at these places, or of these accounts, and how much they have decided since a
 * time.
 */
export async function listTeam(
  db: Kysely<DB>,
  { places, roles, accounts }: { places: Places; roles: readonly string[]; accounts: readonly string[] },
  since: Date,
) {
  const there =
    places === 'everywhere' ? sql`true` : sql`g.scope_kind || ':' || g.scope_id = any(${[...places]}::text[])`
  const { rows } = await sql<{ id: string; name: string; post: string | null; done: number }>`
    select a.id, a.name, post_of(a.id, a.post) as post,
      (select count(*)::int from task t where t.decided_by = a.id and t.decided_at >= ${since}) as done
    from account a
    where a.active and (a.id = any(${[...accounts]}::uuid[]) or exists (
      select from role_grant g where g.account_id = a.id and g.role = any(${[...roles]}::text[]) and ${there}
        and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())))
    order by a.id = any(${[...accounts]}::uuid[]) desc, a.name, a.id limit ${MAX_SHOWN}`.execute(db)
  return rows
}

/** Ids of the tasks without an assignee, oldest first, each with the time since when it waits. */
export async function listFreeTasks(
  db: Kysely<DB>,
  principals: readonly string[],
  { after, limit }: Wanted,
): Promise<Listed[]> {
  const beyond = after ? sql`and (i.created, i.task) > (${after[0]}::timestamptz, ${after[1]})` : sql``
  const { rows } = await sql<Listed>`
    select distinct i.created as at, i.created::text as created, i.task
    from unnest(${[...principals]}::text[]) p(principal)
    cross join lateral (select created, task from inbox i where i.principal = p.principal and i.state = 'open' ${beyond}
      order by i.created, i.task limit ${limit}) i
    order by i.created, i.task limit ${limit}`.execute(db)
  return rows
}

/** Like `listFreeTasks`, for tasks with an assignee. */
export async function listHeldTasks(
  db: Kysely<DB>,
  places: Places,
  account: string,
  { after, limit }: Wanted,
): Promise<Listed[]> {
  const beyond = after ? sql`and (i.created, i.task) > (${after[0]}::timestamptz, ${after[1]})` : sql``
  const { rows } = await sql<Listed>`
    select i.created::text as created, i.task from inbox i join task t on t.id = i.task
    where i.principal = ${`user:${account}`} and i.state in ('mine', 'asked') and t.assignee_id = ${account}
      and ${offeredAt(places)} ${beyond}
    order by i.created, i.task limit ${limit}`.execute(db)
  return rows
}

/**
 * How long desks took, in working hours, for decisions between two times, and what waits there now. It is limited to
 * cases of these units. Waits that began before the first day count from then.
 */
export async function listDeskFigures(
  db: Kysely<DB>,
  {
    places,
    flow,
    from,
    until,
    days,
  }: {
    places: Places
    flow: string | null
    from: string
    until: string
    days: readonly WorkingDay[]
  },
): Promise<DeskFigures[]> {
  const units = places === 'everywhere' ? [] : places.map((place) => place.slice(place.indexOf(':') + 1))
  const belongs =
    places === 'everywhere'
      ? sql`true`
      : sql`exists (select from jsonb_each_text(c.scope) unit where unit.value = any(${units}::text[]))`
  const first = known(days[0], 'the first working day of the report')
  const workedAt = (moment: RawBuilder<unknown>) => sql`(select d.before + greatest(0, least(d.until - d.starts,
    extract(epoch from (${moment} at time zone 'Asia/Colombo')::time) - d.starts)) from days d
    where d.day = greatest(${first.date}::date, (${moment} at time zone 'Asia/Colombo')::date))`
  const { rows } = await sql<DeskFigures>`
    with days as materialized (
      select * from unnest(${days.map((one) => one.date)}::date[], ${days.map((one) => one.before)}::float8[],
        ${days.map((one) => one.from)}::float8[], ${days.map((one) => one.until)}::float8[])
        d(day, before, starts, until)
    ), asked as (
      select t.id, t.case_id from task t where t.state in ('accepted', 'done')
        and t.decided_at >= ${from}::timestamptz and t.decided_at < ${until}::timestamptz
      union all select t.id, t.case_id from inbox i join task t on t.id = i.task
        where i.principal = ${everything} and i.state in ('open', 'held')
    ), these as (
      select c.flow, t.desk, t.name, t.state, t.created_at, t.due_at, t.decided_at,
        case when t.decided_at is not null then ${workedAt(sql`t.decided_at`)} - ${workedAt(sql`t.created_at`)} end as seconds
      from asked join task t on t.id = asked.id join flow_case c on c.id = asked.case_id
      where (${flow}::text is null or c.flow = ${flow}) and ${belongs}
    )
    select flow, desk, max(name) as name,
      (count(*) filter (where decided_at is not null))::int as decided,
      (count(*) filter (where decided_at <= due_at))::int as "inTime",
      (count(*) filter (where decided_at > due_at))::int as late,
      round((percentile_cont(0.5) within group (order by seconds) / 3600)::numeric, 1)::float8 as "medianHours",
      round((percentile_cont(0.9) within group (order by seconds) / 3600)::numeric, 1)::float8 as "p90Hours",
      (count(*) filter (where state in ('open', 'held')))::int as open,
      (count(*) filter (where state in ('open', 'held') and due_at < now()))::int as overdue,
      min(created_at) filter (where state in ('open', 'held')) as "oldestOpen"
    from these group by flow, desk order by flow, desk`.execute(db)
  return rows
}

interface Wanted {
  /** Time and task of the last row. */
  after?: readonly [string, string] | undefined
  limit: number
}

interface Listed {
  created: string
  task: string
}
