import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type GrantState, grantState, lasting } from './dated.ts'
import { known } from '../../kernel/known.ts'

/** How a grant was made. */
export type Origin = 'seed' | 'person' | 'import' | 'post' | 'token'

/** A grant with the person who gave it. */
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
  state: GrantState
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

/* Grants, holders of posts and permission groups. */

function selectGrants(db: Kysely<DB>) {
  return db
    .selectFrom('role_grant as g')
    .leftJoin('account as b', 'b.id', 'g.granted_by')
    .select(['g.id', 'g.account_id', 'g.role', 'g.scope_kind', 'g.scope_id', 'g.starts_at', 'g.ends_at'])
    .select(['g.post_holder_id', 'g.granted_by', 'b.name as granter', 'g.reason', 'g.end_reason'])
    .select([sql<Origin>`g.origin`.as('origin'), grantState.as('state')])
}

export async function findGrant(db: Kysely<DB>, id: string): Promise<GrantRow | undefined> {
  return selectGrants(db).where('g.id', '=', id).executeTakeFirst()
}

/** All past, present and future grants of a person, latest first. */
export async function listGrants(db: Kysely<DB>, account: string): Promise<GrantRow[]> {
  return selectGrants(db).where('g.account_id', '=', account).orderBy('g.starts_at', 'desc').orderBy('g.id').execute()
}

/** The grants of these accounts that have not ended, without those of posts. */
export async function listLastingGrants(db: Kysely<DB>, accounts: readonly string[]): Promise<GrantRow[]> {
  return selectGrants(db)
    .where('g.account_id', '=', sql<string>`any(${[...accounts]}::uuid[])`)
    .where('g.post_holder_id', 'is', null)
    .where(lasting)
    .execute()
}

/** How many present or future grants are at this unit. */
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

/** Ends grants; null is now. A grant that has not begun then never begins. */
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
 * Whether another active administrator without an end date remains beside these grants and this account. It uses the
 * clock, as the database does at commit: the transaction may have waited for its lock.
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
  return known(rows[0], 'the count').left
}

/** How many active people hold each role now. */
export async function countHolders(db: Kysely<DB>): Promise<Map<string, number>> {
  const { rows } = await sql<{ role: string; holders: string }>`
        select g.role, count(distinct g.account_id) as holders
        from role_grant g join account a on a.id = g.account_id and a.active
        where g.starts_at <= now() and (g.ends_at is null or g.ends_at > now()) group by g.role`.execute(db)
  return new Map(rows.map(({ role, holders: count }) => [role, Number(count)]))
}
