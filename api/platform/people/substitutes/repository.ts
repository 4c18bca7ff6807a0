import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { containing } from '../../kernel/like.ts'
import { COUNT_LIMIT } from '../../kernel/paging.ts'
import { known } from '../../kernel/known.ts'

/** State of a substitution; when its period is over, the state stays. */
export type SubstitutionState = 'asked' | 'accepted' | 'declined' | 'ended'

/** A substitution: people, period and limits. */
export interface NewSubstitution {
  id: string
  absent: string
  substitute: string
  from: Date
  until: Date
  /** Null: every flow. */
  flows: readonly string[] | null
  /** In cents; null: no limit. */
  amountLimit: number | null
  reason: string | null
  askedBy: string
}

/** A substitution with the names of the people involved. */
export interface SubstitutionRow {
  id: string
  absent_id: string
  absent_name: string
  substitute_id: string
  substitute_name: string
  starts_at: Date
  ends_at: Date
  flows: string[] | null
  amount_limit: string | null
  reason: string | null
  state: SubstitutionState
  asked_by: string
  asker_name: string
  asked_at: Date
  /** As the database writes it, to the microsecond. */
  asked: string
  answered_at: Date | null
  ended_at: Date | null
  ended_by: string | null
  ender_name: string | null
  in_force: boolean
}

/** A person who can be asked to substitute. */
export interface Colleague {
  id: string
  name: string
  post: string | null
}

/** Maximum number of suggested colleagues. */
const MAX_SHOWN = 20

/* Substitutions. */

function selectSubstitutions(db: Kysely<DB>) {
  return db
    .selectFrom('substitution as s')
    .innerJoin('account as a', 'a.id', 's.absent_id')
    .innerJoin('account as b', 'b.id', 's.substitute_id')
    .innerJoin('account as q', 'q.id', 's.asked_by')
    .leftJoin('account as e', 'e.id', 's.ended_by')
    .select(['s.id', 's.absent_id', 's.substitute_id', 's.starts_at', 's.ends_at', 's.flows', 's.amount_limit'])
    .select(['s.reason', 's.asked_by', 's.asked_at', 's.answered_at', 's.ended_at', 's.ended_by'])
    .select(sql<SubstitutionState>`s.state`.as('state'))
    .select(['a.name as absent_name', 'b.name as substitute_name', 'q.name as asker_name', 'e.name as ender_name'])
    .select([
      sql<boolean>`s.state = 'accepted' and s.starts_at <= now() and s.ends_at > now()`.as('in_force'),
      sql<string>`s.asked_at::text`.as('asked'),
    ])
}

export async function findSubstitution(db: Kysely<DB>, id: string): Promise<SubstitutionRow | undefined> {
  return selectSubstitutions(db).where('s.id', '=', id).executeTakeFirst()
}

export async function getSubstitution(db: Kysely<DB>, id: string): Promise<SubstitutionRow> {
  return selectSubstitutions(db).where('s.id', '=', id).executeTakeFirstOrThrow()
}

/** One page, newest request first, and the number to one above the limit; of one person or of everybody. */
export async function listSubstitutions(
  db: Kysely<DB>,
  of: string | undefined,
  { after, limit }: { after?: { asked: string; id: string }; limit: number },
): Promise<{ rows: SubstitutionRow[]; count: number }> {
  const own = of === undefined ? sql<boolean>`true` : sql<boolean>`(s.absent_id = ${of} or s.substitute_id = ${of})`
  const rows = await selectSubstitutions(db)
    .where(own)
    .$if(after !== undefined, (page) =>
      page.where(sql<boolean>`(s.asked_at, s.id) < (${after?.asked}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('s.asked_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute()
  const counted = await sql<{ count: string }>`
        select count(*) from (select from substitution s where ${own} limit ${COUNT_LIMIT + 1}) counted`.execute(db)
  return { rows, count: Number(known(counted.rows[0], 'the count').count) }
}

export async function addSubstitution(db: Kysely<DB>, wanted: NewSubstitution): Promise<void> {
  await db
    .insertInto('substitution')
    .values({
      id: wanted.id,
      absent_id: wanted.absent,
      substitute_id: wanted.substitute,
      starts_at: wanted.from,
      ends_at: wanted.until,
      flows: wanted.flows === null ? null : [...wanted.flows],
      amount_limit: wanted.amountLimit,
      reason: wanted.reason,
      asked_by: wanted.askedBy,
    })
    .execute()
}

/** Substitutions in a period, requested or accepted, that involve one of these two people. */
export async function listSubstitutionsBeside(
  db: Kysely<DB>,
  people: readonly [string, string],
  { from, until }: { from: Date; until: Date },
): Promise<{ absent_id: string; substitute_id: string }[]> {
  return db
    .selectFrom('substitution as s')
    .select(['s.absent_id', 's.substitute_id'])
    .where('s.state', 'in', ['asked', 'accepted'])
    .where((eb) => eb.or([eb('s.absent_id', 'in', [...people]), eb('s.substitute_id', 'in', [...people])]))
    .where(sql<boolean>`tstzrange(s.starts_at, s.ends_at) && tstzrange(${from}, ${until})`)
    .execute()
}

/** asked → accepted or declined. False if it is no longer asked. */
export async function answerSubstitution(db: Kysely<DB>, id: string, state: 'accepted' | 'declined'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('substitution')
    .set({ state, answered_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('state', '=', 'asked')
    .where('ends_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** asked or accepted → ended. False if it is over already. */
export async function endSubstitution(db: Kysely<DB>, id: string, by: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('substitution')
    .set({ state: 'ended', ended_at: sql`clock_timestamp()`, ended_by: by })
    .where('id', '=', id)
    .where('state', 'in', ['asked', 'accepted'])
    .where('ends_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Both people of each substitution that begins or ends at this moment. */
export async function listTurningSubstitutions(
  db: Kysely<DB>,
  at: string,
): Promise<[absent: string, substitute: string][]> {
  const moment = sql<Date>`${at}::timestamptz`
  const rows = await db
    .selectFrom('substitution')
    .select(['absent_id', 'substitute_id'])
    .where('state', '=', 'accepted')
    .where((eb) => eb.or([eb('starts_at', '=', moment), eb('ends_at', '=', moment)]))
    .execute()
  return rows.map((row) => [row.absent_id, row.substitute_id])
}

/** Whether an account is active and belongs to a staff member. */
export async function isStaffAccount(db: Kysely<DB>, id: string): Promise<boolean> {
  const { rows } = await sql<{ staff: boolean }>`
        select exists (select from account a where a.id = ${id} and ${staff}) as staff`.execute(db)
  return known(rows[0], 'the answer').staff
}

/** Colleagues by part of their name, except one. */
export async function listColleagues(db: Kysely<DB>, search: string, except: string): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
        select a.id, a.name, post_of(a.id, a.post) as post from account a
        where a.id <> ${except} and a.name ilike ${containing(search)} and ${staff}
        order by a.name, a.id limit ${MAX_SHOWN}`.execute(db)
  return rows
}

/**
 * Whether an account `a` is active and belongs to staff: by an entry among the employees, or by a role other than
 * student or temporary ones.
 */
const staff = sql<boolean>`a.active and (
  exists (select from register_item r where r.id = a.record_id and r.register = 'platform/employee')
  or exists (select from role_grant g where g.account_id = a.id and g.role !~* 'student$' and g.role <> 'Temporary Employee'
    and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())))`
