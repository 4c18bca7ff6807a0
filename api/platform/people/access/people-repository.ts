import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { containing } from '../../kernel/like.ts'
import { COUNT_LIMIT } from '../../kernel/paging.ts'

/** An account as people administration lists it. */
export interface PersonRow {
  id: string
  username: string
  name: string
  email: string
  post: string | null
  active: boolean
  /** A register entry supplies the name. */
  registered: boolean
  record_id: string | null
  /** Register of the person's own entry. */
  register: string | null
  last_seen_at: Date | null
  grants: { role: string; kind: string | null; id: string | null }[]
  /** Whether the reader administers this person. */
  own: boolean
}

export interface PeopleQuery {
  /** Ids of the units whose people the reader administers. */
  overseen: 'everybody' | readonly string[]
  asker: string
  search?: string
  role?: string
  /** Ids of units; the person needs a grant at one of them. */
  within?: readonly string[]
  active?: boolean
  after?: { name: string; id: string }
  limit: number
}

/** Letters of a name that are needed to find people outside the reader's units. */
const MIN_SEARCH_LETTERS = 3

type Accounts = ExpressionBuilder<DB & { a: DB['account'] }, 'a'>

/* Accounts as an administrator sees them. */

function personColumns(db: Kysely<DB>, own: Expression<SqlBool>) {
  return db
    .selectFrom('account as a')
    .leftJoin('register_item as r', 'r.id', 'a.record_id')
    .select(['a.id', 'a.username', 'a.name', 'a.email', 'a.active', 'a.registered', 'a.record_id', 'r.register'])
    .select([
      sql<string | null>`post_of(a.id, a.post)`.as('post'),
      sql<Date | null>`(select max(last_seen_at) from session where account_id = a.id)`.as('last_seen_at'),
      sql<PersonRow['grants']>`coalesce((select json_agg(json_build_object('role', role, 'kind', scope_kind,
          'id', scope_id) order by role, scope_id) from role_grant where account_id = a.id
          and starts_at <= now() and (ends_at is null or ends_at > now())), '[]')`.as('grants'),
      sql<boolean>`${own}`.as('own'),
    ])
}

/** One page of people by name, and their number to one above the limit. */
export async function listPersonRows(
  db: Kysely<DB>,
  { after, limit, ...query }: PeopleQuery,
): Promise<{ rows: PersonRow[]; count: number }> {
  const own = ownPeople(query)
  const wanted = (eb: Accounts) => eb.and(conditions(eb, own, query))
  const rows = await personColumns(db, own)
    .where(wanted)
    .$if(after !== undefined, (page) => page.where(sql<boolean>`(a.name, a.id) > (${after?.name}, ${after?.id}::uuid)`))
    .orderBy('a.name')
    .orderBy('a.id')
    .limit(limit)
    .execute()
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('account as a')
        .select('a.id')
        .where(wanted)
        .limit(COUNT_LIMIT + 1)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, count: Number(count) }
}

export async function findPersonRow(
  db: Kysely<DB>,
  id: string,
  query: Pick<PeopleQuery, 'overseen' | 'asker'>,
): Promise<PersonRow | undefined> {
  return personColumns(db, ownPeople(query)).where('a.id', '=', id).executeTakeFirst()
}

/** The other details of an account. */
export async function getPersonDetails(db: Kysely<DB>, id: string) {
  return db
    .selectFrom('account as a')
    .leftJoin('register_item as r', 'r.id', 'a.record_id')
    .select(['a.version', 'a.language', 'a.email_confirmed_at', 'a.record_id', 'r.register', 'r.title'])
    .select([
      sql<boolean>`a.password_hash is not null`.as('has_password'),
      sql<boolean>`exists (select from totp where account_id = a.id and confirmed_at is not null)
            or exists (select from passkey where account_id = a.id)`.as('second_factor'),
      sql<number>`(select count(*)::integer from session where account_id = a.id and ended_at is null
            and expires_at > now())`.as('sessions'),
    ])
    .where('a.id', '=', id)
    .executeTakeFirstOrThrow()
}

/** Updates an account if it still has the version that was read; otherwise returns false. */
export async function changePersonRow(
  db: Kysely<DB>,
  id: string,
  version: number,
  { name, email, post, active }: { name: string; email: string; post: string | null; active: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set((eb) => ({
      name,
      email,
      // A post that follows from a holding is shown and sent back, but not stored.
      post: sql<string | null>`case when ${post} = post_of(id, null) then post else ${post} end`,
      active,
      version: eb('version', '+', 1),
      changed_at: sql`now()`,
      // A new address has to be confirmed by its owner.
      email_confirmed_at: sql`case when email = ${email} then email_confirmed_at end`,
    }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Accounts by username or address. */
export async function listPeopleByName(
  db: Kysely<DB>,
  names: readonly string[],
): Promise<{ id: string; username: string; email: string; active: boolean }[]> {
  if (names.length === 0) return []
  return db
    .selectFrom('account')
    .select(['id', 'username', 'email', 'active'])
    .where((eb) => eb.or([eb('username', 'in', [...names]), eb('email', 'in', [...names])]))
    .execute()
}

function ownPeople({ overseen, asker }: Pick<PeopleQuery, 'overseen' | 'asker'>): Expression<SqlBool> {
  if (overseen === 'everybody') return sql<boolean>`true`
  return sql<boolean>`(a.id = ${asker} or ${grantIn(overseen, asker)})`
}

/**
 * Has a present grant at one of these units that the reader did not give: nobody extends their own view by granting.
 */
function grantIn(units: readonly string[], asker: string) {
  return hasGrant(sql`scope_id = any(${[...units]}::text[]) and granted_by is distinct from ${asker}::uuid`)
}

/**
 * Of people outside the reader's units, only the fields that find them by name are visible; their roles, and whether
 * they have left, are not.
 */
function conditions(
  eb: Accounts,
  own: Expression<SqlBool>,
  { search = '', role, within, active }: Omit<PeopleQuery, 'after' | 'limit'>,
): Expression<SqlBool>[] {
  const text = search.trim()
  const like = containing(text)
  const exactly = eb.or([eb('a.username', '=', text), eb('a.email', '=', text)])
  const anywhere = eb.or([eb('a.name', 'ilike', like), sql<boolean>`a.username::text ilike ${like}`])
  const found = eb.or([
    eb.and([own, eb.or([anywhere, sql<boolean>`a.email::text ilike ${like}`])]),
    eb.and([
      eb('a.active', '=', true),
      text.length >= MIN_SEARCH_LETTERS ? eb.or([exactly, eb('a.name', 'ilike', like)]) : exactly,
    ]),
  ])
  const only = role !== undefined || within !== undefined || active === false || text === ''
  return [
    ...(only ? [own] : []),
    ...(text === '' ? [] : [found]),
    ...(active === undefined ? [] : [eb('a.active', '=', active)]),
    ...(role === undefined ? [] : [hasGrant(sql`role = ${role}`)]),
    ...(within === undefined ? [] : [hasGrant(sql`scope_id = any(${[...within]}::text[])`)]),
  ]
}

function hasGrant(of: Expression<unknown>) {
  return sql<boolean>`exists (select from role_grant where account_id = a.id and ${of}
    and starts_at <= now() and (ends_at is null or ends_at > now()))`
}
