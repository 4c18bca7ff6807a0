import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { COUNT_LIMIT, isMoment } from '../../kernel/paging.ts'
import type { Sort } from './query.ts'

/**
 * A principal with one of its lists: what is read is among the rows of such places. Of decisions the principal is an
 * account, and the place what was decided by it or in its stead.
 */
export interface Place {
  principal: string
  state: 'open' | 'held' | 'mine' | 'asked' | 'by' | 'for'
  flows: readonly string[] | null
  /** In cents, as text. */
  limit: string | null
}

/** From, included, and until, excluded unless it says otherwise; as PostgreSQL reads them. */
export interface Range {
  from?: string | undefined
  until?: string | undefined
  /** Whether `until` is included. */
  closed?: boolean
}

/** A list to be read: rows of places, whatever fulfils all of the rest. */
export interface Listed {
  /** What waits, or what has been decided; of that, `created` is when it was decided. */
  of: 'inbox' | 'decisions'
  places: readonly Place[]
  /** Field of `inbox_filter` → value, the rarest first. */
  equal: readonly (readonly [field: string, value: string])[]
  created?: Range
  due?: Range
  amount?: Range
  /** Account of the requester. */
  requester?: string
  search?: { like: string; reference: string }
  /** Asked of each row `i`; nearly all rows fulfil them. */
  also: readonly RawBuilder<unknown>[]
  /** How many rows are looked at; `EXAMINED` where nothing is said. */
  examined?: number
}

/** Where a row stands in its order. */
export interface Position {
  /** What is sorted by, as text. */
  key: string
  created: string
  task: string
}

/** Positions in their order, each task once. */
export interface Found {
  rows: Position[]
  /** How far everything was looked through, where that is not the end. */
  cut?: Position
  /** How many there are in all, where that is known. */
  total?: number
}

/** How many rows are looked at before the reader has to narrow the search. */
const EXAMINED = 10_000
/** Of each place at least so many rows are looked at. */
const LEAST_SHARE = 20
/** A task stands under few principals of one person: so many rows hold more tasks than are counted. */
const ROWS_TO_COUNT = 3 * (COUNT_LIMIT + 1)

interface Order {
  /** Of a row `i` of `inbox`; for what comes in order of its creation also of `inbox_filter`. */
  key: RawBuilder<unknown>
  type: 'timestamptz' | 'bigint'
  range?: 'created' | 'due' | 'amount'
  descending?: true
}

const byCreation: Order = { key: sql`i.created`, type: 'timestamptz', range: 'created' }
const byAmount: Order = { key: sql`coalesce(i.amount, -1)`, type: 'bigint', range: 'amount' }
const orders: Record<Sort, Order> = {
  created: byCreation,
  '-created': { ...byCreation, descending: true },
  due: { key: sql`coalesce(i.due, 'infinity'::timestamptz)`, type: 'timestamptz', range: 'due' },
  'follow-up': { key: sql`coalesce(i.follow_up, 'infinity'::timestamptz)`, type: 'timestamptz' },
  '-priority': { key: sql`(-i.priority)`, type: 'bigint' },
  amount: byAmount,
  '-amount': { ...byAmount, descending: true },
}

/** What of a column of `i` a range means. */
const columns = { created: sql`i.created`, due: sql`due`, amount: sql`amount` }
/** The same, as the indexes have it. */
const keys = { created: byCreation.key, due: orders.due.key, amount: byAmount.key }
const types = { created: sql`timestamptz`, due: sql`timestamptz`, amount: sql`bigint` }

/** What has been decided, in the shape of the inbox. */
const decisions = sql`(select decided_by as principal, 'by' as state, decided_at as created, id as task, ${aboutTask()}
    from task where decided_by is not null and state in ('accepted', 'done')
  union all select decided_for, 'for', decided_at, id, ${aboutTask()}
    from task where decided_for is not null and state in ('accepted', 'done'))`

function aboutTask() {
  return sql`due_at as due, priority, follow_up_at as follow_up, created_at as came,
    (select flow from flow_case c where c.id = case_id) as flow, (select amount from flow_case c where c.id = case_id) as amount`
}

/** Whether a text can be what an order sorts by. */
export function isKey(sort: Sort, text: string): boolean {
  return orders[sort].type === 'bigint' ? /^-?\d{1,18}$/.test(text) : text === 'infinity' || isMoment(text)
}

/**
 * The lists of the inbox. What a page costs is bounded by the number of places and by `EXAMINED`, however many tasks
 * there are: a list is walked in its order along an index, or, where something narrows it to few rows, these are read
 * and sorted.
 */
export function inboxRepository(db: Kysely<DB> | Transaction<DB>, examinable = EXAMINED) {
  /** One page in the order of `sort`, beyond a position. */
  async function list(listed: Listed, sort: Sort, after: Position | undefined, limit: number): Promise<Found> {
    if (listed.places.length === 0) return { rows: [], total: 0 }
    const walk = walkOf(listed, sort)
    if (walk.conditions.length === 0) return { rows: await heads(listed.places, walk, after, limit) }
    if (walk.narrowing) {
      const few = await fewOf(listed)
      if (few) return collect(listed, few, sort, after, limit)
    }
    return examine(listed, walk, after, limit)
  }

  /**
   * Walks without conditions: the first of each place, then of each place that can have one among the wanted what comes
   * before the last of the wanted firsts.
   */
  async function heads(
    places: readonly Place[],
    walk: Walk,
    after: Position | undefined,
    limit: number,
  ): Promise<Position[]> {
    const { order } = walk
    const edge = order.descending
      ? sql`>= coalesce((select key from edge), ${least(order)})`
      : sql`<= coalesce((select key from edge), ${most(order)})`
    const before = step(walk, { after, limit: sql`${limit}`, more: sql`and ${order.key} ${edge}` })
    const { rows } = await sql<Position>`
      with place as materialized (${table(places)}), head as materialized (
        select p.*, h.key, h.created, h.task from place p cross join lateral (${step(walk, { after, limit: sql`1` })}) h
      ), edge as materialized (
        select key from (select distinct key, created, task from head) d
        order by ${ordered(order, 'd')} offset ${limit - 1} limit 1
      )
      select key::text, created::text, task from (
        select distinct s.key, s.created, s.task
        from head p cross join lateral (${before}) s where p.key ${edge}
      ) found order by ${ordered(order, 'found')} limit ${limit}`.execute(db)
    return rows
  }

  /**
   * Walks with conditions. Each place that has rows is looked through to its share; what comes after a row that was not
   * looked at any more is left out.
   */
  async function examine(
    { places: all, examined = examinable }: Listed,
    walk: Walk,
    after: Position | undefined,
    limit: number,
  ): Promise<Found> {
    const { order, conditions } = walk
    const { rows: live } = await sql<{ n: number }>`
      select p.n from (${table(all)}) p cross join lateral (${step(walk, { after, limit: sql`1` })}) s`.execute(db)
    if (live.length === 0) return { rows: [] }
    const places = live.map(({ n }) => all[n - 1]!)
    const share = Math.max(LEAST_SHARE, Math.floor(examined / places.length))
    const beyond = order.descending ? sql`>=` : sql`<=`
    const { rows } = await sql<Position & { cut: boolean }>`
      with place as materialized (${table(places)}), found as materialized (
        select p.n, s.key, s.created, s.task from place p cross join lateral (
          select i.key, i.created, i.task from (${step(walk, { after, limit: sql`${share}` })}) i ${walk.joined}
          where ${sql.join(conditions, sql` and `)} order by ${ordered(order, 'i')} limit ${limit}
        ) s
      ), cut as materialized (
        select s.key, s.created, s.task from place p
        cross join lateral (${step(walk, { after, limit: sql`1 offset ${share - 1}` })}) s
        where (select count(*) from found f where f.n = p.n) < ${limit}
        order by ${ordered(order, 's')} limit 1
      )
      select key::text, created::text, task, cut from (
        (select distinct f.key, f.created, f.task, false as cut from found f left join cut c on true
          where c.task is null or (f.key, f.created, f.task) ${beyond} (c.key, c.created, c.task)
          order by ${ordered(order, 'f')} limit ${limit})
        union all select key, created, task, true from cut
      ) both_ order by cut, ${ordered(order, 'both_')}`.execute(db)
    const found = rows.filter(({ cut }) => !cut)
    const cut = rows.find((row) => row.cut)
    return { rows: found, ...(cut && found.length < limit && { cut }) }
  }

  /** Reads what `few` gives as a whole, sorts what fulfils everything, and answers the wanted part of it. */
  async function collect(
    listed: Listed,
    few: RawBuilder<unknown>,
    sort: Sort,
    after: Position | undefined,
    limit: number,
  ): Promise<Found> {
    const order = orders[sort]
    const conditions = [...conditionsOf(listed), ...restrictions(listed)]
    const { rows } = await sql<Position & { total: string }>`
      with place as materialized (${table(listed.places)}), found as materialized (
        select distinct ${order.key} as key, i.created, i.task from place p cross join lateral (${few} limit ${examinable + 1}) few
        cross join lateral (
          select * from ${tableOf(listed)} i where ${inPlace(listed)} and i.created = few.created and i.task = few.task
          offset 0
        ) i
        where ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
      )
      select key::text, created::text, task, total from (
        select *, (select count(*) from found) as total from found i where true ${beyondOf(order, after, sql`i.key`)}
        order by ${ordered(order, 'i')} limit ${limit}
      ) page`.execute(db)
    return { rows, ...(after === undefined && { total: Number(rows[0]?.total ?? 0) }) }
  }

  /** Something that narrows a list to so few rows that all of them can be looked at. */
  async function fewOf(listed: Listed): Promise<RawBuilder<unknown> | undefined> {
    const cases = casesOf(listed)
    if (cases) {
      const count = await counted(cases.all)
      if (count <= examinable && (count > 0 || cases.named)) return cases.few
    }
    for (const few of narrowedBy(listed)) {
      // With a limit of its own each place is looked up by itself: joined as a whole, all tasks there are would be read.
      const all = sql`select from (${table(listed.places)}) p
        cross join lateral (${few} limit ${examinable + 1}) few`
      if ((await counted(all)) <= examinable) return few
    }
    return undefined
  }

  /** How many rows there are, counted to one above what is examined. */
  async function counted(rows: RawBuilder<unknown>): Promise<number> {
    const found = await sql<{ count: string }>`
      select count(*) from (${rows} limit ${examinable + 1}) counted`.execute(db)
    return Number(found.rows[0]!.count)
  }

  return {
    list,

    /** How many tasks a list has, counted to one above the limit; `more` where there may be further ones. */
    async count(listed: Listed): Promise<{ count: number; more: boolean }> {
      if (listed.places.length === 0) return { count: 0, more: false }
      const sort = listed.due && listed.equal.length === 0 ? 'due' : '-created'
      const walk = walkOf(listed, sort)
      if (walk.conditions.length > 0 || listed.of === 'decisions') {
        const { rows, cut, total } = await list(listed, sort, undefined, COUNT_LIMIT + 1)
        return { count: total ?? rows.length, more: cut !== undefined }
      }
      const states = Map.groupBy(listed.places, ({ state }) => state)
      const parts = [...states].map(
        ([state, places]) => sql`(select i.task from ${walk.from} i
          where i.principal = any(${places.map(({ principal }) => principal)}) and i.state = ${state} ${walk.kept}
          limit ${ROWS_TO_COUNT})`,
      )
      const { rows } = await sql<{ rows: string; tasks: string }>`
        select count(*) as rows, count(distinct task) as tasks from (${sql.join(parts, sql` union all `)}) counted`.execute(
        db,
      )
      const { tasks, rows: seen } = rows[0]!
      return { count: Number(tasks), more: Number(seen) >= ROWS_TO_COUNT }
    },
  }
}

/** How a list is walked along an index. */
interface Walk {
  order: Order
  /** The table as `i`. */
  from: RawBuilder<unknown>
  /** What the index itself keeps to, beside the place. */
  kept: RawBuilder<unknown>
  place: RawBuilder<unknown>
  /** What is asked of each row beyond that. */
  conditions: RawBuilder<unknown>[]
  /** Brings what the conditions read, where the walked table has not got it. */
  joined: RawBuilder<unknown>
  /** Whether a condition can leave out most rows. */
  narrowing: boolean
}

function walkOf(listed: Listed, sort: Sort): Walk {
  const order = orders[sort]
  const [first, ...others] = listed.equal
  const marked = first !== undefined && order.range === 'created' && listed.of === 'inbox'
  // Of decisions, when a task came in is something else than the order.
  const native = order.range && (listed.of === 'inbox' ? listed[order.range] : undefined)
  const rest = { ...listed, equal: marked ? others : listed.equal, ...(native && { [order.range!]: undefined }) }
  const narrowing = conditionsOf(rest)
  const conditions = [...narrowing, ...restrictions(listed)]
  return {
    order,
    from: marked ? sql`inbox_filter` : tableOf(listed),
    place: inPlace(listed),
    kept: sql`${marked ? sql`and i.field = ${first[0]} and i.value = ${first[1]}` : sql``}
      ${native ? within(order.key, types[order.range!], native) : sql``}`,
    conditions,
    joined:
      marked && conditions.length > 0
        ? sql`cross join lateral (select x.flow, x.amount, x.due, x.follow_up from inbox x where x.principal = i.principal
            and x.state = i.state and x.created = i.created and x.task = i.task offset 0) more`
        : sql``,
    narrowing: narrowing.length > 0,
  }
}

function tableOf({ of }: Listed) {
  return of === 'inbox' ? sql`inbox` : decisions
}

/** Rows `i` of a place `p`. */
function inPlace({ of }: Listed) {
  return of === 'inbox'
    ? sql`i.principal = p.principal and i.state = p.state`
    : sql`i.principal = p.principal::uuid and i.state = p.state`
}

/** The next rows of a place `p` in the order of a walk. */
function step(
  { order, from, place, kept }: Walk,
  {
    after,
    limit,
    more = sql``,
  }: { after: Position | undefined; limit: RawBuilder<unknown>; more?: RawBuilder<unknown> },
) {
  const along = order.range === 'created' ? sql`` : sql`${order.key} ${direction(order)},`
  return sql`select ${order.key} as key, i.* from ${from} i where ${place} ${kept} ${beyondOf(order, after, order.key)} ${more}
    order by ${along} i.created ${direction(order)}, i.task ${direction(order)} limit ${limit}`
}

function beyondOf(order: Order, after: Position | undefined, key: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!after) return sql``
  const beyond = order.descending ? sql`<` : sql`>`
  if (order.range === 'created')
    return sql`and (i.created, i.task) ${beyond} (${after.created}::timestamptz, ${after.task})`
  const value = order.type === 'bigint' ? sql`${after.key}::bigint` : sql`${after.key}::timestamptz`
  return sql`and (${key}, i.created, i.task) ${beyond} (${value}, ${after.created}::timestamptz, ${after.task})`
}

/** What a list asks of each row `i` of a place `p`, save what belongs to the place itself. */
function conditionsOf(listed: Listed): RawBuilder<unknown>[] {
  const { equal, requester, search } = listed
  // A sub-select in this place is asked row by row, as it has to be: a join would be planned over all tasks there are.
  const ofTask = (condition: RawBuilder<unknown>) =>
    sql`(select ${condition} from task t join flow_case c on c.id = t.case_id join account r on r.id = c.requester_id
      where t.id = i.task)`
  const conditions = equal.map(([field, value]) =>
    listed.of === 'inbox'
      ? sql`(select true from inbox_filter x where x.principal = i.principal and x.state = i.state
          and x.field = ${field} and x.value = ${value} and x.created = i.created and x.task = i.task)`
      : ofTask(sql`${valueOf(field)} = ${value}`),
  )
  for (const name of ['created', 'due', 'amount'] as const) {
    const range = listed[name]
    const column = name === 'created' && listed.of === 'decisions' ? sql`i.came` : columns[name]
    if (range) conditions.push(sql`(true ${within(column, types[name], range)})`)
  }
  if (requester) conditions.push(ofTask(sql`c.requester_id = ${requester}`))
  if (search) {
    const { like } = search
    const texts = [sql`c.reference`, sql`c.subject::text`, sql`r.name`, sql`t.name`]
    conditions.push(
      ofTask(
        sql.join(
          texts.map((text) => sql`${text} ilike ${like}`),
          sql` or `,
        ),
      ),
    )
  }
  return conditions
}

/** What a case says where the inbox has a field of `inbox_filter`. */
function valueOf(field: string) {
  if (field === 'flow') return sql`c.flow`
  if (field === 'desk') return sql`t.desk`
  if (field === 'status') return sql`c.status`
  if (field === 'faculty') return sql`c.scope ->> 'faculty'`
  return sql`left(c.filters ->> ${field.slice(1)}, 200)`
}

/** What keeps a substitute to what is theirs, and what the queue asks. */
function restrictions({ places, also }: Listed): RawBuilder<unknown>[] {
  const limited = places.some(({ flows, limit }) => flows !== null || limit !== null)
  const kept = sql`(p.flows is null or flow = any(p.flows)) and (p."limit" is null or amount <= p."limit")`
  return [...also, ...(limited ? [kept] : [])]
}

/** What can narrow a list, the rarest first: rows of a place `p` with `created` and `task`. */
function narrowedBy(listed: Listed): RawBuilder<unknown>[] {
  const rows = (from: RawBuilder<unknown>, more: RawBuilder<unknown>) =>
    sql`select i.created, i.task from ${from} i where ${inPlace(listed)} ${more}`
  if (listed.of === 'decisions') return [rows(decisions, sql``)]
  const filters = listed.equal.map(([field, value]) =>
    rows(sql`inbox_filter`, sql`and i.field = ${field} and i.value = ${value}`),
  )
  const ranged = (['due', 'amount', 'created'] as const).flatMap((name) => {
    const range = listed[name]
    return range ? [rows(sql`inbox`, within(keys[name], types[name], range))] : []
  })
  return [...filters, ...ranged, rows(sql`inbox`, sql``)]
}

/** A list that is about the cases of one requester, or about the one case that has this very reference. */
function casesOf(listed: Listed): { all: RawBuilder<unknown>; few: RawBuilder<unknown>; named: boolean } | undefined {
  const { of, requester, search } = listed
  const all = requester
    ? sql`select id from flow_case where requester_id = ${requester}`
    : search && sql`select id from flow_case where reference = ${search.reference}`
  if (!all || of === 'decisions') return undefined
  const few = sql`select i.created, i.task from task t join inbox i on i.task = t.id
    where ${inPlace(listed)} and t.state in ('open', 'held') and t.case_id in (${all})`
  return { all, few, named: requester !== undefined }
}

function within(column: RawBuilder<unknown>, type: RawBuilder<unknown>, { from, until, closed }: Range) {
  return sql`${from === undefined ? sql`` : sql`and ${column} >= ${from}::${type}`}
    ${until === undefined ? sql`` : sql`and ${column} ${closed ? sql`<=` : sql`<`} ${until}::${type}`}`
}

function ordered(order: Order, alias: string) {
  const names = order.range === 'created' ? ['created', 'task'] : ['key', 'created', 'task']
  return sql.join(names.map((name) => sql`${sql.ref(`${alias}.${name}`)} ${direction(order)}`))
}

function direction({ descending }: Order) {
  return descending ? sql`desc` : sql`asc`
}

function least({ type }: Order) {
  return type === 'bigint' ? sql`'-9223372036854775808'::bigint` : sql`'-infinity'::timestamptz`
}

function most({ type }: Order) {
  return type === 'bigint' ? sql`'9223372036854775807'::bigint` : sql`'infinity'::timestamptz`
}

/** Places as rows. */
function table(places: readonly Place[]) {
  const rows = JSON.stringify(places.map((place, index) => ({ n: index + 1, ...place })))
  return sql`select * from jsonb_to_recordset(${rows}::jsonb) as p(n int, principal text, state text, flows text[], "limit" bigint)`
}
