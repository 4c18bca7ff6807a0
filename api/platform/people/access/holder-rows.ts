import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type GrantState, grantState, lasting } from './dated.ts'

/** A person's holding of a post. */
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
  state: GrantState
}

function selectHolders(db: Kysely<DB>) {
  return db
    .selectFrom('post_holder as g')
    .innerJoin('account as a', 'a.id', 'g.account_id')
    .select(['g.id', 'g.post_id', 'g.account_id', 'a.name', 'a.active', 'g.acting', 'g.starts_at', 'g.ends_at'])
    .select(['g.reason', 'g.end_reason', grantState.as('state')])
}

export async function findHolder(db: Kysely<DB>, id: string): Promise<HolderRow | undefined> {
  return selectHolders(db).where('g.id', '=', id).executeTakeFirst()
}

/** Holders of these posts, earliest first; `lasting` leaves out former ones. */
export async function listHolders(
  db: Kysely<DB>,
  posts: readonly string[],
  { lasting: only = false } = {},
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

/** Ends a holding; null is now. One that has not begun then never begins. */
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
