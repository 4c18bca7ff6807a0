import { type Kysely, type RawBuilder, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { beginningWith } from '../../kernel/like.ts'
import { type AuditWanted, MAX_ENTRIES_READ } from './search-repository.ts'
import { DAY_MS } from '../../kernel/units.ts'

/** Rows to read before the word index is tried. */
const ROWS_BEFORE_INDEX = 500

/** Maximum matches in a span of days that are read one by one. */
const MAX_MATCHES_READ = 500

/** Lengths in days of the spans that `audit_words` indexes. */
const SPANS = [1, 4, 16, 64, 256, 1024, 4096]

/** Maximum cases to walk along; if more match a reference, the search walks along time instead. */
const MAX_CASES = 50

/** A position among the entries. */
export interface Place {
  /** As PostgreSQL writes it. */
  at: string
  id: string
}

/** Where a search continues, and in which direction. */
export interface Walk {
  /** Only entries beyond this one. */
  beyond?: Place | undefined
  /** From the newest to older entries, or the other way round. */
  towards: 'older' | 'newer'
  limit: number
}

/** Entries of a walk. `reached` is how far it read; there may be more beyond. */
export interface Found {
  ids: string[]
  reached?: Place
}

/** The ids of a page, in the order of the walk. */
export async function findEntries(db: Kysely<DB>, wanted: AuditWanted, walk: Walk): Promise<Found> {
  const cases = wanted.reference === undefined ? undefined : await casesOf(db, wanted.reference)
  if (cases?.ids?.length === 0) return { ids: [] }
  const along = driverOf(wanted, cases)
  const rest = restOf(wanted, cases, along.name)
  if (wanted.text === undefined) return walkedEntries(db, along, rest, wanted, walk, MAX_ENTRIES_READ)
  const quick = await walkedEntries(db, along, rest, wanted, walk, ROWS_BEFORE_INDEX)
  if (quick.reached === undefined) return quick
  // Everything up to that position is known. From there, use the word index and the walk.
  const on = { ...walk, beyond: quick.reached, limit: walk.limit - quick.ids.length }
  const held = await entriesHolding(
    db,
    wanted.text,
    [...restOf(wanted, cases, 'words'), ...boundsOf(wanted, on)],
    wanted,
    on,
  )
  // Entries sealed meanwhile may shift the position, so drop duplicates.
  const afterQuick = (found: Found): Found => ({ ...found, ids: [...new Set([...quick.ids, ...found.ids])] })
  if (held && held.reached === undefined) return afterQuick(held)
  const looked = await walkedEntries(db, along, rest, wanted, on, MAX_ENTRIES_READ)
  const further = (one: Place, than: Place) =>
    walk.towards === 'older' ? new Date(one.at) < new Date(than.at) : new Date(one.at) > new Date(than.at)
  return afterQuick(held?.reached && looked.reached && further(held.reached, looked.reached) ? held : looked)
}

async function casesOf(db: Kysely<DB>, reference: string): Promise<Cases> {
  const begins = beginningWith(reference.toUpperCase())
  const { rows } = await sql<{ id: string }>`
    select id from flow_case where reference like ${begins} order by reference limit ${MAX_CASES + 1}`.execute(db)
  return { begins, ids: rows.length > MAX_CASES ? null : rows.map(({ id }) => id) }
}

/**
 * Entries with these words that match, from the position of the walk. It reads two neighbouring spans of days at a time
 * and makes them longer until a page is full. `reached` is the end of the last spans with few enough matches to read
 * each. It is undefined if there were none.
 */
async function entriesHolding(
  db: Kysely<DB>,
  text: string,
  fitting: RawBuilder<boolean>[],
  { from, until }: AuditWanted,
  { beyond, towards, limit }: Walk & { beyond: Place },
): Promise<Found | undefined> {
  const older = towards === 'older'
  const order = older ? sql`desc` : sql`asc`
  const day = new Date(beyond.at).getTime() / DAY_MS
  return db.transaction().execute(async (trx) => {
    // Force the word index: if a rare word is estimated to be frequent, PostgreSQL would scan all rows.
    const { rows: set } = await sql<{ asked: string }>`
      select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
        websearch_to_tsquery('simple', ${text})::text as asked`.execute(trx)
    const { asked } = known(set[0], 'the words as PostgreSQL reads them')
    if (asked === '') return { ids: [] }
    // The index does not know word order: matches of a phrase are read and checked, and count towards the limit.
    const counted = asked.replaceAll(/<(-|\d+)>/g, '&')
    if (counted !== asked && asked.includes('!')) return undefined
    let found: Found | undefined
    for (const span of [...SPANS, undefined]) {
      // The current span may be almost over, so include its neighbour.
      const place = span && Math.floor(day / span)
      const both = place === undefined ? '' : `'${span} ${place}' | '${span} ${older ? place - 1 : place + 1}'`
      const within = place === undefined ? sql`` : sql`&& ${both}::tsquery`
      const { rows } = await sql<{ id: string; fits: boolean }>`
        with l as materialized (
          select * from audit_lookup
          where audit_words(words, at) @@ (${counted}::tsquery ${within}) limit ${MAX_MATCHES_READ + 1}
        )
        select l.entry_id::text as id, ${sql.join([sql<boolean>`true`, ...fitting], sql` and `)} as fits
        from l order by l.at ${order}, l.entry_id ${order}`.execute(trx)
      if (rows.length > MAX_MATCHES_READ) return found
      const ids = rows
        .filter(({ fits }) => fits)
        .slice(0, limit)
        .map(({ id }) => id)
      if (ids.length === limit || span === undefined || place === undefined) return { ids }
      const edge = new Date((older ? place - 1 : place + 2) * span * DAY_MS)
      const end = older ? from : (until ?? new Date())
      if (end && (older ? edge <= end : edge >= end)) return { ids }
      found = { ids, reached: { at: `${edge.toISOString().slice(0, 10)} 00:00:00+00`, id: '0' } }
    }
    return found
  })
}

async function walkedEntries(
  db: Kysely<DB>,
  { from, where }: Driver,
  rest: RawBuilder<boolean>[],
  wanted: AuditWanted,
  walk: Walk,
  examined: number,
): Promise<Found> {
  const { towards, limit } = walk
  const order = towards === 'older' ? sql`desc` : sql`asc`
  const bounds = [where, ...boundsOf(wanted, walk)]
  const some = (count: RawBuilder<unknown>) => sql`(select l.* from ${from} where ${sql.join(bounds, sql` and `)}
    order by l.at ${order}, l.entry_id ${order} ${count}) l`
  const { rows } = await sql<{ id: string }>`
    select l.entry_id::text as id from ${some(rest.length === 0 ? sql`` : sql`limit ${examined}`)}
    where ${sql.join([sql<boolean>`true`, ...rest], sql` and `)}
    order by l.at ${order}, l.entry_id ${order} limit ${limit}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === limit || rest.length === 0) return { ids }
  const { rows: last } = await sql<Place>`
    select l.at::text as at, l.entry_id::text as id from ${some(sql`limit 1 offset ${examined - 1}`)}`.execute(db)
  return { ids, ...(last[0] && { reached: last[0] }) }
}

/** The cases whose number begins with a text; `ids` is null if there are many. */
interface Cases {
  /** LIKE pattern. */
  begins: string
  ids: readonly string[] | null
}

/** The index that a search walks along. */
interface Driver {
  name: 'reference' | 'person' | 'desk' | 'action' | 'flow' | 'time' | 'words'
  /** With `at` and `entry_id`, as `l`. */
  from: RawBuilder<unknown>
  where: RawBuilder<boolean>
}

/** Walks along the most selective condition. */
function driverOf({ person, desk, action, flow }: AuditWanted, cases: Cases | undefined): Driver {
  const from = sql`audit_lookup l`
  if (cases?.ids) return { name: 'reference', from, where: sql`l.case_id = any(${[...cases.ids]}::uuid[])` }
  if (person !== undefined) return { name: 'person', from: sql`audit_person l`, where: sql`l.person = ${person}::uuid` }
  if (desk !== undefined) return { name: 'desk', from, where: sql`l.desk = ${desk}` }
  if (action !== undefined) return { name: 'action', from, where: sql`l.action = ${action}` }
  if (flow !== undefined) return { name: 'flow', from, where: sql`l.flow = ${flow}` }
  return { name: 'time', from, where: sql`true` }
}

/**
 * The conditions that the walk itself does not cover, on `l`. Sub-selects run row by row: a join would read the whole
 * other table.
 */
function restOf(
  { person, part, desk, action, flow, text }: AuditWanted,
  cases: Cases | undefined,
  along: Driver['name'],
): RawBuilder<boolean>[] {
  const acted = part === 'acted'
  const looked = (column: 'case_id' | 'words') =>
    along === 'person'
      ? sql`(select k.${sql.ref(column)} from audit_lookup k where k.entry_id = l.entry_id)`
      : sql`l.${sql.ref(column)}`
  const involved =
    along === 'person'
      ? sql<boolean>`l.acted = ${acted}`
      : sql<boolean>`(select ${part === undefined ? sql`true` : sql`q.acted = ${acted}`} from audit_person q
          where q.person = ${person}::uuid and q.at = l.at and q.entry_id = l.entry_id)`
  return [
    ...(cases && along !== 'reference' ? [ofCases(cases, looked('case_id'))] : []),
    ...(person !== undefined && (along !== 'person' || part !== undefined) ? [involved] : []),
    ...(desk !== undefined && along !== 'desk' ? [sql<boolean>`l.desk = ${desk}`] : []),
    ...(action !== undefined && along !== 'action' ? [sql<boolean>`l.action = ${action}`] : []),
    ...(flow !== undefined && along !== 'flow' ? [sql<boolean>`l.flow = ${flow}`] : []),
    ...(text !== undefined ? [sql<boolean>`${looked('words')} @@ websearch_to_tsquery('simple', ${text})`] : []),
  ]
}

function ofCases({ begins, ids }: Cases, id: RawBuilder<unknown>): RawBuilder<boolean> {
  return ids === null
    ? sql`(select c.reference like ${begins} from flow_case c where c.id = ${id})`
    : sql`${id} = any(${[...ids]}::uuid[])`
}

/** The requested days, and the position of the walk. */
function boundsOf({ from, until }: AuditWanted, { beyond, towards }: Walk): RawBuilder<boolean>[] {
  const place = beyond && sql`(${beyond.at}::timestamptz, ${beyond.id}::bigint)`
  return [
    ...(from ? [sql<boolean>`l.at >= ${from}`] : []),
    ...(until ? [sql<boolean>`l.at < ${until}`] : []),
    ...(place === undefined
      ? []
      : [
          towards === 'older'
            ? sql<boolean>`(l.at, l.entry_id) < ${place}`
            : sql<boolean>`(l.at, l.entry_id) > ${place}`,
        ]),
  ]
}
