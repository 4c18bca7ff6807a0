import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { containing } from '../../kernel/like.ts'

/** So many entries are looked at before the reader has to narrow a search, or look further back. */
const EXAMINED = 2000
/** So many where another way is tried next. */
const QUICK = 500
/** As many as that hold a word within some days are looked at one by one. */
const FEW = 500
/** Lengths of the spans of days that words are found in, as `audit_words` knows them. */
const SPANS = [1, 4, 16, 64, 256, 1024, 4096]
const DAY = 86_400_000
/** Along as many cases a search walks; where more begin with a reference, it is looked for in a walk along time. */
const CASES = 50

/** What somebody asks of the entries, all of it together. */
export interface AuditWanted {
  /** Beginning of the reference of a case. */
  reference?: string | undefined
  /** Account of whoever did it, or whom it was about. */
  person?: string | undefined
  part?: 'acted' | 'concerned' | undefined
  flow?: string | undefined
  desk?: string | undefined
  action?: string | undefined
  /** Moments, from included and until not. */
  from?: Date | undefined
  until?: Date | undefined
  /** Words of the payload, as one asks a search engine. */
  text?: string | undefined
}

/** A place among the entries. */
export interface Place {
  /** As PostgreSQL writes it. */
  at: string
  id: string
}

export interface Walk {
  /** Entries beyond this one. */
  beyond?: Place | undefined
  /** Away from the newest, or towards it. */
  towards: 'older' | 'newer'
  limit: number
}

export interface EntryRow extends Place {
  moment: Date
  actor: string
  actorName: string | null
  actorRegistered: boolean | null
  actorPost: string | null
  actedAs: string | null
  action: string
  caseId: string | null
  reference: string | null
  /** Version of the diagram that the case goes by. */
  definitionId: string | null
  flow: string | null
  desk: string | null
  taskName: string | null
  object: string | null
  objectName: string | null
  forName: string | null
  toName: string | null
  requesterName: string | null
  sentBy: string | null
  payload: JsonObject | null
  /** An act erased its details. */
  erased: boolean
  /** Place in the chain. */
  sequence: string | null
}

/** Entries of a walk; `reached`: so far it was looked, there may be more behind it. */
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
  if (wanted.text === undefined) return walkedEntries(db, along, rest, wanted, walk, EXAMINED)
  const quick = await walkedEntries(db, along, rest, wanted, walk, QUICK)
  if (quick.reached === undefined) return quick
  // All that fits up to where it came is known; from there on it is looked for in both ways.
  const on = { ...walk, beyond: quick.reached, limit: walk.limit - quick.ids.length }
  const held = await entriesHolding(
    db,
    wanted.text,
    [...restOf(wanted, cases, 'words'), ...boundsOf(wanted, on)],
    wanted,
    on,
  )
  // What is sealed in between may move the place by some entries.
  const afterQuick = (found: Found): Found => ({ ...found, ids: [...new Set([...quick.ids, ...found.ids])] })
  if (held && held.reached === undefined) return afterQuick(held)
  const looked = await walkedEntries(db, along, rest, wanted, on, EXAMINED)
  const further = (one: Place, than: Place) =>
    walk.towards === 'older' ? new Date(one.at) < new Date(than.at) : new Date(one.at) > new Date(than.at)
  return afterQuick(held?.reached && looked.reached && further(held.reached, looked.reached) ? held : looked)
}

async function casesOf(db: Kysely<DB>, reference: string): Promise<Cases> {
  const begins = containing(reference.toUpperCase()).slice(1)
  const { rows } = await sql<{ id: string }>`
    select id from flow_case where reference like ${begins} order by reference limit ${CASES + 1}`.execute(db)
  return { begins, ids: rows.length > CASES ? null : rows.map(({ id }) => id) }
}

/**
 * Entries with these words that fit, from where the walk is, in two neighbouring spans of days at a time, longer and
 * longer until a page is full. It has `reached` the end of the last spans in which not too many had the words to look at
 * each; undefined where there were none.
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
  const day = new Date(beyond.at).getTime() / DAY
  return db.transaction().execute(async (trx) => {
    // A word that is thought frequent and is not would otherwise be sought row by row through all there are.
    const { rows: set } = await sql<{ asked: string }>`
      select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
        websearch_to_tsquery('simple', ${text})::text as asked`.execute(trx)
    const { asked } = set[0]!
    if (asked === '') return { ids: [] }
    // An index knows no neighbours: what has the words of a phrase is looked at, and has to be counted.
    const counted = asked.replaceAll(/<(-|\d+)>/g, '&')
    if (counted !== asked && asked.includes('!')) return undefined
    let found: Found | undefined
    for (const span of [...SPANS, undefined]) {
      // The one that the walk is in may have all but ended.
      const place = span && Math.floor(day / span)
      const both = place === undefined ? '' : `'${span} ${place}' | '${span} ${older ? place - 1 : place + 1}'`
      const within = place === undefined ? sql`` : sql`&& ${both}::tsquery`
      const { rows } = await sql<{ id: string; fits: boolean }>`
        with l as materialized (
          select * from audit_lookup
          where audit_words(words, at) @@ (${counted}::tsquery ${within}) limit ${FEW + 1}
        )
        select l.entry_id::text as id, ${sql.join([sql<boolean>`true`, ...fitting], sql` and `)} as fits
        from l order by l.at ${order}, l.entry_id ${order}`.execute(trx)
      if (rows.length > FEW) return found
      const ids = rows
        .filter(({ fits }) => fits)
        .slice(0, limit)
        .map(({ id }) => id)
      if (ids.length === limit || place === undefined) return { ids }
      const edge = new Date((older ? place - 1 : place + 2) * span! * DAY)
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

/** Entries as they are told, in the order of the ids. */
export async function listEntries(db: Kysely<DB>, ids: readonly string[]): Promise<EntryRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<EntryRow>`
    select e.id::text as id, e.at::text as at, e.at as moment, e.actor, a.name as "actorName", a.registered as "actorRegistered",
      ${postOf(sql`a`, sql`e.at`)} as "actorPost",
      e.acted_as as "actedAs", e.action, e.case_id as "caseId", c.reference,
      c.process_definition_id as "definitionId", l.flow, l.desk, t.name as "taskName",
      e.object, o.name as "objectName", f.name as "forName", g.name as "toName", r.name as "requesterName",
      c.sent_by as "sentBy", p.payload,
      exists (select from audit_erasure x where x.entry_id = e.id) as erased, s.sequence::text as sequence
    from unnest(${[...ids]}::bigint[]) with ordinality as w(id, place)
      join audit_entry e on e.id = w.id
      left join audit_lookup l on l.entry_id = e.id
      left join audit_seal s on s.entry_id = e.id
      left join audit_payload p on p.entry_id = e.id
      left join flow_case c on c.id = e.case_id
      left join account r on r.id = c.requester_id
      left join task t on t.id = case when e.object like 'task:%' then substr(e.object, 6) end
      left join account a on a.id = as_id(e.actor)
      left join account o on o.id = case when e.object like 'account:%' then as_id(substr(e.object, 9)) end
      left join account f on f.id = as_id(coalesce(p.payload ->> 'for', p.payload ->> 'absent'))
      left join account g on g.id = as_id(coalesce(p.payload ->> 'to', p.payload ->> 'substitute'))
    order by w.place`.execute(db)
  return rows
}

/** Which acts, flows and desks there are, read along their indexes and not row by row. */
export async function listKnownValues(db: Kysely<DB>, column: 'action' | 'flow' | 'desk'): Promise<string[]> {
  const name = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    with recursive known(value) as (
      (select ${name} from audit_lookup where ${name} is not null order by ${name} limit 1)
      union all
      select (select ${name} from audit_lookup where ${name} > k.value order by ${name} limit 1)
      from known k where k.value is not null
    ) select value from known where value is not null limit 500`.execute(db)
  return rows.map(({ value }) => value)
}

/** The people of these accounts; what is no account is left out. */
export async function listAccounts(db: Kysely<DB>, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; name: string; post: string | null }>`
    select a.id, a.name, ${postOf(sql`a`, sql`now()`)} as post from account a
    where a.id in (select as_id(given) from unnest(${[...new Set(ids)]}::text[]) given)`.execute(db)
  return rows
}

/** The people of accounts as they were at moments, under their place among what was asked; what is no account is left out. */
export async function listDoers(db: Kysely<DB>, asked: readonly { id: string; at: Date }[]) {
  const { rows } = await sql<{ place: number; id: string; name: string; registered: boolean; post: string | null }>`
    select w.place::integer - 1 as place, a.id, a.name, a.registered, ${postOf(sql`a`, sql`w.at`)} as post
    from unnest(${asked.map(({ id }) => id)}::text[], ${asked.map(({ at }) => at)}::timestamptz[])
        with ordinality as w(id, at, place)
      join account a on a.id = as_id(w.id)`.execute(db)
  return rows
}

/** People by a part of their name, or of their user name. */
export async function findPeopleByName(db: Kysely<DB>, name: string) {
  const like = containing(name)
  const { rows } = await sql<{ id: string; name: string; post: string | null }>`
    select a.id, a.name, ${postOf(sql`a`, sql`now()`)} as post from account a
    where a.name ilike ${like} or a.username::text ilike ${like} order by a.name limit 20`.execute(db)
  return rows
}

/** Cases newest first. */
export async function findCases(
  db: Kysely<DB>,
  { reference, person, flow, from, until, text }: AuditWanted,
  { beyond, limit }: { beyond?: { created: string; id: string } | undefined; limit: number },
) {
  const bounds = [sql<boolean>`true`]
  if (reference !== undefined) bounds.push(sql`c.reference like ${containing(reference.toUpperCase()).slice(1)}`)
  if (person !== undefined) bounds.push(sql`c.requester_id = ${person}`)
  if (flow !== undefined) bounds.push(sql`c.flow = ${flow}`)
  if (from) bounds.push(sql`c.created_at >= ${from}`)
  if (until) bounds.push(sql`c.created_at < ${until}`)
  if (beyond) bounds.push(sql`(c.created_at, c.id) < (${beyond.created}::timestamptz, ${beyond.id}::uuid)`)
  const some = sql`select c.* from flow_case c where ${sql.join(bounds, sql` and `)}
    order by c.created_at desc, c.id desc`
  const like = containing(text ?? '')
  const among = text === undefined ? sql`true` : sql`(c.subject::text ilike ${like} or c.facts::text ilike ${like})`
  const { rows } = await sql<{
    id: string
    reference: string
    flow: string
    process_definition_id: string
    subject: unknown
    status: string
    requester_id: string
    requester_name: string
    requester_registered: boolean
    created_at: Date
    created: string
    ended_at: Date | null
    withdrawn_at: Date | null
    end_reason: string | null
  }>`
    select c.id, c.reference, c.flow, c.process_definition_id, c.subject, c.status, c.requester_id,
      a.name as requester_name, a.registered as requester_registered, c.created_at, c.created_at::text as created, c.ended_at,
      c.withdrawn_at, c.end_reason
    from (${some} limit ${EXAMINED}) c join account a on a.id = c.requester_id
    where ${among} order by c.created_at desc, c.id desc limit ${limit}`.execute(db)
  if (rows.length === limit || text === undefined) return { rows }
  const { rows: last } = await sql<{ created: string; id: string }>`
    select created_at::text as created, id from (${some} limit 1 offset ${EXAMINED - 1}) c`.execute(db)
  return { rows, ...(last[0] && { reached: last[0] }) }
}

/** What somebody was at a moment: the posts that they held, or what their account says. */
function postOf(account: RawBuilder<unknown>, moment: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`coalesce((select string_agg(i.title, ', ' order by i.title) from post_holder h join register_item i on i.id = h.post_id
    where h.account_id = ${account}.id and h.starts_at <= ${moment} and (h.ends_at is null or h.ends_at > ${moment})), ${account}.post)`
}

/** The cases that begin with a reference; without ids where they are many. */
interface Cases {
  /** Pattern. */
  begins: string
  ids: readonly string[] | null
}

/** Along which index a search walks. */
interface Driver {
  name: 'reference' | 'person' | 'desk' | 'action' | 'flow' | 'time' | 'words'
  /** With `at` and `entry_id` as `l`. */
  from: RawBuilder<unknown>
  where: RawBuilder<boolean>
}

/** What is rarest is walked along. */
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
 * What the walk itself does not see to; of `l` as it is walked. What stands elsewhere is asked for row by row: a join
 * would go through all there is of it.
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

/** The days that are asked for, and where the walk has come to. */
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
