import { type Kysely, type NotNull, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { containing } from '../../kernel/like.ts'
import type { Person } from '../../people/persons/person.ts'
import { type CaseRow, endedUnsuccessfully, selectCases } from './cases.ts'
import { isTheirs, reaches } from './candidates.ts'

/** Cases that a person may list: all of a flow, or those of some units, by the unit names of the flow. */
export interface Visibility {
  flow: string
  /** Undefined: every case of the flow. */
  units?: { name: string; ids: string[] }[]
}

export interface CaseQuery {
  requesterId?: string
  /** Undefined: all. */
  visible?: readonly Visibility[]
  flow?: string
  /** Only cases that have not ended. */
  running?: boolean
  /** Cases in any of these states. */
  status?: readonly string[]
  /** States in the flow's other status lists: list → state, limited to certain desks if people see it only there. */
  statuses?: Readonly<Record<string, { state: string; desks?: readonly string[] }>>
  /** Fields of the start form marked `x-filter` → value. */
  fields?: Readonly<Record<string, string>>
  /** Cases that name this register entry. */
  item?: string
  search?: string
  after?: { created: string; id: string }
  limit: number
}

/** Whether a case `c` is one that the person may list. */
function among(visible: readonly Visibility[]) {
  const each = visible.map(({ flow, units }) => {
    const of = units?.map(({ name, ids }) => sql<boolean>`c.scope ->> ${name} = any(${ids}::text[])`)
    return of ? sql<boolean>`(c.flow = ${flow} and (${sql.join(of, sql` or `)}))` : sql<boolean>`c.flow = ${flow}`
  })
  return each.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(each, sql` or `)})`
}

/**
 * The newest case in a flow of the person that an entry is about, among those the reader may list (undefined: all).
 * Withdrawn and failed cases do not count.
 */
export function newestOfEntry(entry: RawBuilder<unknown>, flow: string, visible: readonly Visibility[] | undefined) {
  return sql`select c.id, c.reference, c.status, c.state, c.ended_at, c.end_reason from flow_case c
    join account a on a.id = c.requester_id where a.record_id = ${entry} and c.flow = ${flow} and c.state <> 'failed'
      and c.withdrawn_at is null and ${visible ? among(visible) : sql`true`}
    order by c.created_at desc, c.id desc limit 1`
}

/** A text normalised for comparison: no spaces, punctuation or capitals; null if nothing is left. */
const normalised = (text: RawBuilder<string | null>) =>
  sql`nullif(lower(regexp_replace(${text}, '[\\s[:punct:]]+', '', 'g')), '')`

/** The value of a field as SQL converts it to text. */
const textOf = (value: unknown) =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

function selectListedCases(db: Kysely<DB>, asked: Omit<CaseQuery, 'after' | 'limit'>) {
  const { requesterId, visible, flow, running, status, statuses = {}, fields = {}, item, search } = asked
  let query = selectCases(db)
  if (requesterId) query = query.where('c.requester_id', '=', requesterId)
  if (flow) query = query.where('c.flow', '=', flow)
  if (running) query = query.where('c.ended_at', 'is', null)
  if (status) query = query.where('c.status', 'in', [...status])
  if (item)
    query = query.where(sql<boolean>`exists (select from case_item i where i.case_id = c.id and i.item_id = ${item})`)
  for (const [list, { state, desks }] of Object.entries(statuses)) {
    query = query.where(sql<string>`c.statuses ->> ${list}`, '=', state)
    if (desks)
      query = query.where(sql<boolean>`exists (select from task t where t.case_id = c.id
        and t.state in ('open', 'held', 'accepted') and t.desk = any(${[...desks]}::text[]))`)
  }
  for (const [field, value] of Object.entries(fields))
    query = query.where(sql<string>`c.filters ->> ${field}`, '=', value)
  if (search) {
    const like = containing(search)
    query = query.where(
      sql<boolean>`(c.reference ilike ${like} or c.subject::text ilike ${like} or c.facts::text ilike ${like})`,
    )
  }
  return visible ? query.where(among(visible)) : query
}

/** Cases, newest first. */
export async function listCaseRows(db: Kysely<DB>, { after, limit, ...query }: CaseQuery) {
  let wanted = selectListedCases(db, query)
  if (after)
    wanted = wanted.where(sql<boolean>`(c.created_at, c.id) < (${after.created}::timestamptz, ${after.id}::uuid)`)
  return wanted.orderBy('c.created_at', 'desc').orderBy('c.id', 'desc').limit(limit).execute()
}

/** How many there are, counted to `limit`. */
export async function countCases(
  db: Kysely<DB>,
  query: Omit<CaseQuery, 'after' | 'limit'>,
  limit: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(selectListedCases(db, query).limit(limit).as('some'))
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listSomeCases(db: Kysely<DB>, ids: readonly string[]) {
  return ids.length === 0
    ? []
    : selectCases(db)
        .where('c.id', 'in', [...ids])
        .execute()
}

/**
 * The cases of a flow that name an entry in a field, without withdrawn and failed ones. Cases that match in these
 * pointers come first, then the newest. It lists cases that the reader may see and, with `handles`, all that match.
 */
export async function listEarlierCases(
  db: Kysely<DB>,
  {
    but,
    flow,
    by,
    item,
    like,
    reader,
    visible,
    handles,
    limit,
  }: {
    but: string
    flow: string
    by: string
    item: string
    like: readonly { path: string[]; value: unknown }[]
    reader: Pick<Person, 'id' | 'principals' | 'standsIn'>
    /** What the reader may list beside their own cases and tasks; undefined means all. */
    visible: readonly Visibility[] | undefined
    handles: boolean
    limit: number
  },
) {
  const same = like.map(
    ({ path, value }) =>
      sql<boolean>`${normalised(sql`c.data #>> ${path}::text[]`)} is not distinct from ${normalised(sql`${textOf(value)}::text`)}`,
  )
  const alike = same.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(same, sql` and `)})`
  const concerned = sql`select i.case_id from case_item i where i.path = ${by} and i.item_id = ${item}`
  const seen =
    visible === undefined
      ? sql<boolean>`true`
      : sql<boolean>`(c.requester_id = ${reader.id} or c.sent_by is not distinct from ${reader.id} or ${among(visible)}
          or c.id in (select t.case_id from task t join flow_case f on f.id = t.case_id
            left join task_candidate c on c.task_id = t.id and ${reaches(reader)}
          where t.case_id in (${concerned}) and (c.principal is not null or ${isTheirs(reader)})))`
  return selectCases(db)
    .select([alike.as('alike'), seen.as('seen')])
    .where('c.flow', '=', flow)
    .where('c.id', '<>', but)
    .where('c.state', '<>', 'failed')
    .where('c.withdrawn_at', 'is', null)
    .where(sql<boolean>`c.id in (${concerned})`)
    .where(handles ? sql<boolean>`(${seen} or ${alike})` : seen)
    .orderBy('alike', 'desc')
    .orderBy('c.created_at', 'desc')
    .limit(limit)
    .execute()
}

/** By key, the case of a requester that counts in a flow with one case each. */
export async function listOnceCases(db: Kysely<DB>, flow: string, requesterId: string, again: readonly string[]) {
  const rows = await db
    .selectFrom('flow_case')
    .select(['once_key', 'id', 'reference', 'subject'])
    .where('flow', '=', flow)
    .where('requester_id', '=', requesterId)
    .where('once_key', 'is not', null)
    .where((eb) => eb.not(endedUnsuccessfully(again)))
    .$narrowType<{ once_key: NotNull }>()
    .execute()
  return new Map(rows.map(({ once_key, ...row }) => [once_key, row]))
}

/** The newest case in a flow, by register entry. */
export async function listNewestOfEntries(
  db: Kysely<DB>,
  entries: readonly string[],
  flow: string,
  visible: readonly Visibility[] | undefined,
) {
  const { rows } = await sql<
    Pick<CaseRow, 'id' | 'reference' | 'status' | 'state' | 'ended_at' | 'end_reason'> & { entry: string }
  >`select e.id as entry, newest.* from unnest(${[...entries]}::uuid[]) e(id)
    cross join lateral (${newestOfEntry(sql`e.id`, flow, visible)}) newest`.execute(db)
  return rows
}

/** Those of these cases that an account asked for, as their ids. */
export async function casesOf(db: Kysely<DB>, requesterId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('flow_case')
    .select('id')
    .where('requester_id', '=', requesterId)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Set(rows.map(({ id }) => id))
}
