import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { beginningWith, containing } from '../../kernel/like.ts'
import type { Place } from './entry-walk.ts'

/** Maximum entries read before the reader has to narrow the search or continue further back. */
export const MAX_ENTRIES_READ = 2000
/** Conditions on entries; all must match. */
export interface AuditWanted {
  /** Beginning of a case number. */
  reference?: string | undefined
  /** Account that acted or is concerned. */
  person?: string | undefined
  part?: 'acted' | 'concerned' | undefined
  flow?: string | undefined
  desk?: string | undefined
  action?: string | undefined
  /** From is included, until is not. */
  from?: Date | undefined
  until?: Date | undefined
  /** Words of the payload, in web search syntax. */
  text?: string | undefined
}

/** An entry with the data needed to describe it. */
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
  /** The diagram version of its case. */
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
  /** Position in the chain. */
  sequence: string | null
}

/** Entries in the order of the ids. */
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

/** The known actions, flows and desks, read along their indexes (a loose index scan). */
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

/** The people of these accounts; unknown ids are left out. */
export async function listAccounts(db: Kysely<DB>, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; name: string; post: string | null }>`
    select a.id, a.name, ${postOf(sql`a`, sql`now()`)} as post from account a
    where a.id in (select as_id(given) from unnest(${[...new Set(ids)]}::text[]) given)`.execute(db)
  return rows
}

/** The people of accounts as they were at moments, by position in the request; unknown ids are left out. */
export async function listDoers(db: Kysely<DB>, asked: readonly { id: string; at: Date }[]) {
  const { rows } = await sql<{ place: number; id: string; name: string; registered: boolean; post: string | null }>`
    select w.place::integer - 1 as place, a.id, a.name, a.registered, ${postOf(sql`a`, sql`w.at`)} as post
    from unnest(${asked.map(({ id }) => id)}::text[], ${asked.map(({ at }) => at)}::timestamptz[])
        with ordinality as w(id, at, place)
      join account a on a.id = as_id(w.id)`.execute(db)
  return rows
}

/** People by part of their name or username. */
export async function findPeopleByName(db: Kysely<DB>, name: string) {
  const like = containing(name)
  const { rows } = await sql<{ id: string; name: string; post: string | null }>`
    select a.id, a.name, ${postOf(sql`a`, sql`now()`)} as post from account a
    where a.name ilike ${like} or a.username::text ilike ${like} order by a.name limit 20`.execute(db)
  return rows
}

/** Cases, newest first. */
export async function findCases(
  db: Kysely<DB>,
  { reference, person, flow, from, until, text }: AuditWanted,
  { beyond, limit }: { beyond?: { created: string; id: string } | undefined; limit: number },
) {
  const bounds = [sql<boolean>`true`]
  if (reference !== undefined) bounds.push(sql`c.reference like ${beginningWith(reference.toUpperCase())}`)
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
    from (${some} limit ${MAX_ENTRIES_READ}) c join account a on a.id = c.requester_id
    where ${among} order by c.created_at desc, c.id desc limit ${limit}`.execute(db)
  if (rows.length === limit || text === undefined) return { rows }
  const { rows: last } = await sql<{ created: string; id: string }>`
    select created_at::text as created, id from (${some} limit 1 offset ${MAX_ENTRIES_READ - 1}) c`.execute(db)
  return { rows, ...(last[0] && { reached: last[0] }) }
}

/** A person's posts at a moment, or else the post in their account. */
function postOf(account: RawBuilder<unknown>, moment: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql`coalesce((select string_agg(i.title, ', ' order by i.title) from post_holder h join register_item i on i.id = h.post_id
    where h.account_id = ${account}.id and h.starts_at <= ${moment} and (h.ends_at is null or h.ends_at > ${moment})), ${account}.post)`
}
