import { type Kysely, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import type { DB } from '../../kernel/db/database.generated.ts'

/** A request to erase a person's details, with the names of the people involved. */
export interface ErasureRow {
  id: string
  personId: string
  person: string
  reason: string
  askedById: string
  askedBy: string
  askedAt: Date
  state: 'asked' | 'done' | 'refused'
  decidedBy: string | null
  decidedAt: Date | null
  refusal: string | null
  erased: number | null
}

/** Entries about a person. */
export interface AboutPerson {
  /** In their own ended cases: these can be erased. */
  ended: number
  /** In their own running cases, and how many cases these are. */
  running: number
  runningCases: number
  /** About their account and their rights. */
  account: number
}

function erasureRows(db: Kysely<DB>) {
  return db
    .selectFrom('erasure as r')
    .innerJoin('account as p', 'p.id', 'r.person_id')
    .innerJoin('account as a', 'a.id', 'r.asked_by')
    .leftJoin('account as d', 'd.id', 'r.decided_by')
    .select([
      'r.id',
      'r.person_id as personId',
      'p.name as person',
      'r.reason',
      'r.asked_by as askedById',
      'a.name as askedBy',
      'r.asked_at as askedAt',
      sql<ErasureRow['state']>`r.state`.as('state'),
      'd.name as decidedBy',
      'r.decided_at as decidedAt',
      'r.refusal',
      'r.erased',
    ])
}

/** A request by its id. */
export function findErasure(db: Kysely<DB>, id: string): Promise<ErasureRow | undefined> {
  return erasureRows(db).where('r.id', '=', id).executeTakeFirst()
}

/** The name of a person, including people who have left. */
export async function findNameOf(db: Kysely<DB>, person: string): Promise<string | undefined> {
  const found = await db.selectFrom('account').select('name').where('id', '=', person).executeTakeFirst()
  return found?.name
}

/** Locks a request until the end of the transaction. */
export async function lockErasure(db: Kysely<DB>, id: string): Promise<ErasureRow | undefined> {
  await db.selectFrom('erasure').select('id').where('id', '=', id).forUpdate().execute()
  return erasureRows(db).where('r.id', '=', id).executeTakeFirst()
}

/** The last request for a person. */
export function findLastErasure(db: Kysely<DB>, person: string): Promise<ErasureRow | undefined> {
  return erasureRows(db).where('r.person_id', '=', person).orderBy('r.asked_at', 'desc').limit(1).executeTakeFirst()
}

/** Waiting requests first, then the newest. */
export function listErasureRows(db: Kysely<DB>, limit: number): Promise<ErasureRow[]> {
  return erasureRows(db)
    .orderBy(sql`r.state <> 'asked'`)
    .orderBy('r.asked_at', 'desc')
    .limit(limit)
    .execute()
}

export async function insertErasure(
  db: Kysely<DB>,
  wish: { id: string; person: string; reason: string; askedBy: string },
): Promise<void> {
  const { id, person, reason, askedBy } = wish
  await db.insertInto('erasure').values({ id, person_id: person, reason, asked_by: askedBy }).execute()
}

export async function refuseErasureRow(db: Kysely<DB>, id: string, by: string, refusal: string): Promise<void> {
  await db
    .updateTable('erasure')
    .set({ state: 'refused', decided_by: by, decided_at: sql`clock_timestamp()`, refusal })
    .where('id', '=', id)
    .execute()
}

/** The entries whose details can be erased. */
export async function listErasable(db: Kysely<DB>, person: string): Promise<string[]> {
  const { rows: found } = await sql<{ id: string }>`
    select id::text as id from audit_erasable(${person}) id order by id`.execute(db)
  return found.map(({ id }) => id)
}

/** Erases the details of the entries that an act lists; the act's own entry must exist. */
export async function eraseDetails(db: Kysely<DB>, id: string, act: string): Promise<void> {
  await sql`select audit_erase(${id}, ${act})`.execute(db)
}

/** How many entries are about a person. */
export async function countAbout(db: Kysely<DB>, person: string): Promise<AboutPerson> {
  const { rows: found } = await sql<AboutPerson>`
    select (select count(*)::integer from audit_erasable(${person})) as ended,
      (select count(*)::integer from flow_case c join audit_entry e on e.case_id = c.id
        join audit_payload p on p.entry_id = e.id
        where c.requester_id = ${person} and c.ended_at is null) as running,
      (select count(*)::integer from flow_case c
        where c.requester_id = ${person} and c.ended_at is null) as "runningCases",
      (select count(*)::integer from audit_person q join audit_entry e on e.id = q.entry_id
        join audit_payload p on p.entry_id = e.id
        where q.person = ${person} and e.case_id is null and e.object = 'account:' || ${person}::text) as account`.execute(
    db,
  )
  return known(found[0], 'the counts of a person')
}
