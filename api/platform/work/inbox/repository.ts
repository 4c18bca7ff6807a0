import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { COUNT_LIMIT } from '../../kernel/paging.ts'
import type { Sort } from './query.ts'
import { type Found, type Listed, type Place, type Position, inPlace, table, tableOf } from './places.ts'
import { type Walk, step, walkOf } from './walk.ts'
import { beyondOf, least, most, ordered, orders } from './orders.ts'
import { casesOf, conditionsOf, narrowedBy, restrictions } from './conditions.ts'
import { known } from '../../kernel/known.ts'

/** Maximum rows read before the reader has to narrow the search. */
const MAX_ROWS_READ = 10_000

/** Minimum rows read of each place. */
const MIN_ROWS_PER_PLACE = 20

/** One task has few rows per person, so this many rows hold more tasks than are counted. */
const ROWS_TO_COUNT = 3 * (COUNT_LIMIT + 1)

/** The database, and the maximum number of rows to read. */
export interface ListSource {
  db: Kysely<DB>
  examined?: number | undefined
}

/**
 * One page of a list in the order of `sort`, after a position. The cost is bounded by the number of places and by
 * `MAX_ROWS_READ`, not by the number of tasks. It walks the list along an index or, if a condition leaves few rows, reads
 * and sorts these.
 */
export async function readList(
  context: ListSource,
  listed: Listed,
  sort: Sort,
  after: Position | undefined,
  limit: number,
): Promise<Found> {
  if (listed.places.length === 0) return { rows: [], total: 0 }
  const walk = walkOf(listed, sort)
  if (walk.conditions.length === 0) return { rows: await heads(context, listed.places, walk, after, limit) }
  if (walk.narrowing) {
    const few = await fewOf(context, listed)
    if (few) return collect(context, listed, few, sort, after, limit)
  }
  return examine(context, listed, walk, after, limit)
}

/**
 * Walks without conditions. It first reads the first row of each place. It then reads further rows only from places
 * whose first row is in the page.
 */
async function heads(
  { db }: ListSource,
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
 * Walks with conditions. It reads at most its share of each place that has rows. Rows after the first unread row are
 * left out.
 */
async function examine(
  { db, examined: examinable = MAX_ROWS_READ }: ListSource,
  { places: all, examined = examinable }: Listed,
  walk: Walk,
  after: Position | undefined,
  limit: number,
): Promise<Found> {
  const { order, conditions } = walk
  const { rows: live } = await sql<{ n: number }>`
    select p.n from (${table(all)}) p cross join lateral (${step(walk, { after, limit: sql`1` })}) s`.execute(db)
  if (live.length === 0) return { rows: [] }
  const places = live.map(({ n }) => known(all[n - 1], 'a place with rows'))
  const share = Math.max(MIN_ROWS_PER_PLACE, Math.floor(examined / places.length))
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

/** Reads all rows of `few`, sorts those that meet every condition, and returns the page. */
async function collect(
  { db, examined: examinable = MAX_ROWS_READ }: ListSource,
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

/** A condition that leaves few enough rows to read all of them. */
async function fewOf(context: ListSource, listed: Listed): Promise<RawBuilder<unknown> | undefined> {
  const { examined: examinable = MAX_ROWS_READ } = context
  const cases = casesOf(listed)
  if (cases) {
    const count = await countUpTo(context, cases.all)
    if (count <= examinable && (count > 0 || cases.named)) return cases.few
  }
  for (const few of narrowedBy(listed)) {
    // The limit makes PostgreSQL look up each place separately; a plain join would read all tasks.
    const all = sql`select from (${table(listed.places)}) p
      cross join lateral (${few} limit ${examinable + 1}) few`
    if ((await countUpTo(context, all)) <= examinable) return few
  }
  return undefined
}

/** How many rows there are, counted to one above the maximum. */
async function countUpTo(
  { db, examined: examinable = MAX_ROWS_READ }: ListSource,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const found = await sql<{ count: string }>`
    select count(*) from (${rows} limit ${examinable + 1}) counted`.execute(db)
  return Number(known(found.rows[0], 'the count').count)
}

/** How many tasks a list has, counted to one above the limit; `more` if there may be more. */
export async function countList(context: ListSource, listed: Listed): Promise<{ count: number; more: boolean }> {
  const { db } = context
  if (listed.places.length === 0) return { count: 0, more: false }
  const sort = listed.due && listed.equal.length === 0 ? 'due' : '-created'
  const walk = walkOf(listed, sort)
  if (walk.conditions.length > 0 || listed.of === 'decisions') {
    const { rows, cut, total } = await readList(context, listed, sort, undefined, COUNT_LIMIT + 1)
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
  const { tasks, rows: seen } = known(rows[0], 'the count')
  return { count: Number(tasks), more: Number(seen) >= ROWS_TO_COUNT }
}
