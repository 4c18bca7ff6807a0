import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { SEES_ALL, everything } from '../persons/person.ts'
import { COUNT_LIMIT } from '../../kernel/paging.ts'

/** How a grant came about. */
export type Origin = 'seed' | 'person' | 'import' | 'post' | 'token'
/** Where something dated stands. */
export type Standing = 'current' | 'future' | 'ended'

/** A grant with who gave it. */
export interface GrantRow {
  id: string
  account_id: string
  role: string
  scope_kind: string | null
  scope_id: string | null
  starts_at: Date
  ends_at: Date | null
  origin: Origin
  post_holder_id: string | null
  granted_by: string | null
  granter: string | null
  reason: string | null
  end_reason: string | null
  state: Standing
}

/** Somebody's holding of a post. */
export interface HolderRow {
  id: string
  post_id: string
  account_id: string
  name: string
  active: boolean
  acting: boolean
  starts_at: Date
  ends_at: Date | null
  reason: string
  end_reason: string | null
  state: Standing
}

export interface NewGrantRow {
  account: string
  role: string
  scope: { kind: string; id: string } | null
  /** Null is now. */
  startsAt: Date | null
  endsAt: Date | null
  origin: Origin
  holder?: string
  by: string | null
  reason: string | null
}

/** The job that settles what begins or ends at a moment; its payload is `{ at }`. */
export const SETTLE_ACCESS = 'settle-access'

// What was taken back before it began has ended, though its moment is still to come.
const standing = sql<Standing>`case when g.ends_at <= greatest(now(), g.starts_at) then 'ended'
  when g.starts_at > now() then 'future' else 'current' end`
const lasting = sql<boolean>`(g.ends_at is null or g.ends_at > greatest(now(), g.starts_at))`

/* Grants, posts' holders and permission groups. */

function selectGrants(db: Kysely<DB>) {
  return db
    .selectFrom('role_grant as g')
    .leftJoin('account as b', 'b.id', 'g.granted_by')
    .select(['g.id', 'g.account_id', 'g.role', 'g.scope_kind', 'g.scope_id', 'g.starts_at', 'g.ends_at'])
    .select(['g.post_holder_id', 'g.granted_by', 'b.name as granter', 'g.reason', 'g.end_reason'])
    .select([sql<Origin>`g.origin`.as('origin'), standing.as('state')])
}

function selectHolders(db: Kysely<DB>) {
  return db
    .selectFrom('post_holder as g')
    .innerJoin('account as a', 'a.id', 'g.account_id')
    .select(['g.id', 'g.post_id', 'g.account_id', 'a.name', 'a.active', 'g.acting', 'g.starts_at', 'g.ends_at'])
    .select(['g.reason', 'g.end_reason', standing.as('state')])
}

export async function findGrant(db: Kysely<DB>, id: string): Promise<GrantRow | undefined> {
  return selectGrants(db).where('g.id', '=', id).executeTakeFirst()
}

/** All grants that somebody has, had or will have, the latest first. */
export async function listGrants(db: Kysely<DB>, account: string): Promise<GrantRow[]> {
  return selectGrants(db).where('g.account_id', '=', account).orderBy('g.starts_at', 'desc').orderBy('g.id').execute()
}

/** The grants of these accounts, posts' apart, that have not ended. */
export async function listStandingGrants(db: Kysely<DB>, accounts: readonly string[]): Promise<GrantRow[]> {
  return selectGrants(db)
    .where('g.account_id', '=', sql<string>`any(${[...accounts]}::uuid[])`)
    .where('g.post_holder_id', 'is', null)
    .where(lasting)
    .execute()
}

/** How many grants hold at this unit, or will. */
export async function countGrantsAt(db: Kysely<DB>, { kind, id }: { kind: string; id: string }): Promise<number> {
  const { count } = await db
    .selectFrom('role_grant as g')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('g.scope_kind', '=', kind)
    .where('g.scope_id', '=', id)
    .where(lasting)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listGrantsOfHolder(db: Kysely<DB>, holder: string): Promise<GrantRow[]> {
  return selectGrants(db).where('g.post_holder_id', '=', holder).execute()
}

/** Grants that begin or end at this moment. */
export async function listTurningGrants(db: Kysely<DB>, at: string): Promise<GrantRow[]> {
  const moment = sql<Date>`${at}::timestamptz`
  return selectGrants(db)
    .where((eb) => eb.or([eb('g.starts_at', '=', moment), eb('g.ends_at', '=', moment)]))
    .execute()
}

export async function addGrants(db: Kysely<DB>, rows: readonly NewGrantRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const made = await db
    .insertInto('role_grant')
    .values(
      rows.map((row) => ({
        id: uuid(),
        account_id: row.account,
        role: row.role,
        scope_kind: row.scope?.kind ?? null,
        scope_id: row.scope?.id ?? null,
        starts_at: row.startsAt ?? sql<Date>`now()`,
        ends_at: row.endsAt,
        origin: row.origin,
        post_holder_id: row.holder ?? null,
        granted_by: row.by,
        reason: row.reason,
      })),
    )
    .returning('id')
    .execute()
  return made.map(({ id }) => id)
}

/** Ends grants; null is now. One that has not begun then never does. */
export async function endGrants(
  db: Kysely<DB>,
  ids: readonly string[],
  endsAt: Date | null,
  by: string | null,
  reason: string,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('role_grant')
    .set({
      ends_at: sql<Date>`least(ends_at, greatest(starts_at, ${endsAt ?? sql`now()`}))`,
      ended_by: by,
      end_reason: reason,
    })
    .where('id', 'in', [...ids])
    .execute()
}

/**
 * Whether an administrator is left beside these grants and this account: one without an end, who is active. By the
 * clock, as the database asks when the transaction commits: it may have begun before it had its turn.
 */
export async function isAdministratorLeft(
  db: Kysely<DB>,
  without: { grants?: readonly string[]; account?: string },
): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`
        select exists (
          select from role_grant g join account a on a.id = g.account_id
          where g.role = 'ADMIN' and g.scope_kind is null and g.starts_at <= clock_timestamp() and g.ends_at is null
            and a.active
            and g.id <> all(${[...(without.grants ?? [])]}::uuid[])
            and a.id is distinct from ${without.account ?? null}::uuid
        ) as left`.execute(db)
  return rows[0]!.left
}

/** Has what begins or ends then settled then. */
export async function settleAt(db: Kysely<DB>, moments: readonly (Date | null)[]): Promise<void> {
  for (const at of new Set(moments.flatMap((moment) => (moment ? [moment.toISOString()] : []))))
    await sql`select graphile_worker.add_job(${SETTLE_ACCESS}, ${JSON.stringify({ at })}::json,
          run_at => ${at}::timestamptz, job_key => ${`access:${at}`})`.execute(db)
}

/** How many active people hold each role now. */
export async function countHolders(db: Kysely<DB>): Promise<Map<string, number>> {
  const { rows } = await sql<{ role: string; holders: string }>`
        select g.role, count(distinct g.account_id) as holders
        from role_grant g join account a on a.id = g.account_id and a.active
        where g.starts_at <= now() and (g.ends_at is null or g.ends_at > now()) group by g.role`.execute(db)
  return new Map(rows.map(({ role, holders: count }) => [role, Number(count)]))
}

/** Tasks that are offered to one of these principals only because it stands in for another. */
export async function listTasksStoodIn(db: Kysely<DB>, principals: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('task_candidate')
    .select('task_id')
    .where('stands_in_for', 'is not', null)
    .where('principal', '=', sql<string>`any(${[...principals]}::text[])`)
    .execute()
  return rows.map((row) => row.task_id)
}

/**
 * How many tasks that nobody has decided yet are listed for some principals, or among `these`, and neither for others
 * nor among `those`.
 */
export async function countTasksOf(
  db: Kysely<DB>,
  { of, these = [] }: { of: readonly string[]; these?: readonly string[] },
  { notOf, those = [] }: { notOf: readonly string[]; those?: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
        select count(*) from (
          select distinct i.task from (
            select task from inbox
            where principal = any(${[...of]}::text[]) and principal <> all(${[...notOf]}::text[])
              and state in ('open', 'held')
            union all select unnest(${[...these]}::text[])
          ) i
          where i.task <> all(${[...those]}::text[]) and not exists (
            select from inbox o where o.task = i.task and o.principal = any(${[...notOf]}::text[])
              and o.state in ('open', 'held', 'mine'))
          limit ${COUNT_LIMIT + 1}
        ) counted`.execute(db)
  return Number(rows[0]!.count)
}

/** How many tasks wait for this principal while nobody holds it. */
export async function countVacantTasks(db: Kysely<DB>, principal: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
        select count(distinct task_id) from task_candidate where stands_in_for = ${principal}`.execute(db)
  return Number(rows[0]!.count)
}

export async function findHolder(db: Kysely<DB>, id: string): Promise<HolderRow | undefined> {
  return selectHolders(db).where('g.id', '=', id).executeTakeFirst()
}

/** Holders of these posts, the earliest first; without the former ones where only the `standing` are wanted. */
export async function listHolders(
  db: Kysely<DB>,
  posts: readonly string[],
  { standing: only = false } = {},
): Promise<HolderRow[]> {
  if (posts.length === 0) return []
  return selectHolders(db)
    .where('g.post_id', 'in', [...posts])
    .$if(only, (query) => query.where(lasting))
    .orderBy('g.starts_at')
    .orderBy('g.id')
    .execute()
}

export async function listPostsOf(db: Kysely<DB>, account: string): Promise<HolderRow[]> {
  return selectHolders(db).where('g.account_id', '=', account).orderBy('g.starts_at', 'desc').orderBy('g.id').execute()
}

export async function addHolder(
  db: Kysely<DB>,
  row: {
    id?: string
    post: string
    account: string
    acting: boolean
    startsAt: Date | null
    endsAt: Date | null
    by: string | null
    reason: string
  },
): Promise<string> {
  const { id } = await db
    .insertInto('post_holder')
    .values({
      id: row.id ?? uuid(),
      post_id: row.post,
      account_id: row.account,
      acting: row.acting,
      starts_at: row.startsAt ?? sql<Date>`now()`,
      ends_at: row.endsAt,
      appointed_by: row.by,
      reason: row.reason,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Ends a holding; null is now. One that has not begun then never does. */
export async function endHolder(
  db: Kysely<DB>,
  id: string,
  endsAt: Date | null,
  by: string | null,
  reason: string,
): Promise<void> {
  await db
    .updateTable('post_holder')
    .set({
      ends_at: sql<Date>`greatest(starts_at, ${endsAt ?? sql`now()`})`,
      ended_by: by,
      end_reason: reason,
    })
    .where('id', '=', id)
    .execute()
}

/** How many tasks are offered to a principal, and not yet decided. */
export async function countWaitingTasks(db: Kysely<DB>, principal: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
        select count(*) from (select distinct task from inbox where principal = ${principal}
          and state in ('open', 'held') limit ${COUNT_LIMIT + 1}) counted`.execute(db)
  return Number(rows[0]!.count)
}

/** All groups; `holders` is counted to one above the limit, those included who hold every group. */
export async function listGroups(db: Kysely<DB>) {
  return db
    .selectFrom('permission_group as p')
    .leftJoin('account as c', 'c.id', 'p.changed_by')
    .select(['p.name', 'p.roles', 'p.version', 'p.changed_at', 'p.changed_by', 'c.name as changer'])
    .select(
      sql<string>`(select count(*) from (select from account a where a.active
            and exists (${held(sql`p.roles || ${SEES_ALL}::text[]`)}) limit ${COUNT_LIMIT + 1}) counted)`.as('holders'),
    )
    .orderBy('p.name')
    .execute()
}

export async function changeGroup(
  db: Kysely<DB>,
  name: string,
  version: number,
  roles: readonly string[],
  by: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('permission_group')
    .set((eb) => ({ roles: [...roles], version: eb('version', '+', 1), changed_by: by, changed_at: sql`now()` }))
    .where('name', '=', name)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The active people who hold one of these roles now and none of those, and how many they are. */
export async function listHoldersOf(
  db: Kysely<DB>,
  roles: readonly string[],
  without: readonly string[],
  limit: number,
) {
  const { rows } = await sql<{ id: string; name: string; count: string }>`
        select id, name, count(*) over () as count from (
          select a.id, a.name from account a
          where a.active and exists (${held(listed(roles))}) and not exists (${held(listed(without))})
          order by a.name, a.id limit ${COUNT_LIMIT + 1}
        ) counted order by name, id limit ${limit}`.execute(db)
  return { people: rows.map(({ id, name }) => ({ id, name })), count: Number(rows[0]?.count ?? 0) }
}

function held(roles: RawBuilder<unknown>) {
  return sql`select from role_grant g where g.account_id = a.id and g.role = any(${roles})
    and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now())`
}

function listed(texts: readonly string[]) {
  return sql`${[...texts]}::text[]`
}

/** Under which principals somebody's inbox is listed. */
export function inboxOf(person: { id: string; seesAll: boolean; principals: readonly string[] }): string[] {
  return person.seesAll ? [everything, `user:${person.id}`] : [...person.principals]
}
