import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

// Changes of a task other than its decision. Each is a compare-and-set that returns false if somebody else was faster.

/** A person who can be given a task. */
export interface Colleague {
  id: string
  name: string
  post: string | null
  /** How many tasks they hold. */
  load: number
}

const handed = { claimed_at: sql<Date>`clock_timestamp()`, follow_up_at: null }

function changeTask(db: Kysely<DB>, id: string) {
  return db
    .updateTable('task')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
}

/** Gives a task to a person who then holds it; `from` is the previous assignee, or null. */
export async function markTaskHanded(
  db: Kysely<DB>,
  id: string,
  { from, to, heldFor = null }: { from: string | null; to: string; heldFor?: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await changeTask(db, id)
    .set({ state: 'held', assignee_id: to, held_for: heldFor, delegated_by: null, ...handed })
    .where('state', '=', from === null ? 'open' : 'held')
    .where('assignee_id', 'is not distinct from', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives a held task to a colleague who is asked for an opinion. */
export async function markTaskDelegated(db: Kysely<DB>, id: string, by: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await changeTask(db, id)
    .set({ assignee_id: to, delegated_by: by, held_for: sql`nullif(held_for, ${to}::uuid)`, ...handed })
    .where('state', '=', 'held')
    .where('assignee_id', '=', by)
    .where('delegated_by', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives a task back from that colleague to the person who asked. */
export async function markTaskGivenBack(db: Kysely<DB>, id: string, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await changeTask(db, id)
    .set({ assignee_id: sql`delegated_by`, delegated_by: null, ...handed })
    .where('state', '=', 'held')
    .where('assignee_id', '=', holder)
    .where('delegated_by', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Puts off a task that this person holds; null ends that. */
export async function markTaskPutOff(db: Kysely<DB>, id: string, holder: string, at: Date | null): Promise<boolean> {
  const { numUpdatedRows } = await changeTask(db, id)
    .set({ follow_up_at: at })
    .where('state', '=', 'held')
    .where('assignee_id', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Sets the priority or due date of a task; `version` is the one that was read. */
export async function setTaskUrgency(
  db: Kysely<DB>,
  id: string,
  version: number,
  given: { priority?: number; due_at?: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await changeTask(db, id)
    .set(given)
    .where('state', 'in', ['open', 'held'])
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Active people by part of their name or post, fewest tasks first. Only holders of one of these principals, if any are
 * given; otherwise only people with a staff role.
 */
export async function listColleagues(
  db: Kysely<DB>,
  {
    principals,
    without,
    search,
    limit,
  }: {
    principals?: readonly string[]
    without: readonly string[]
    search: string | null
    limit: number
  },
): Promise<Colleague[]> {
  const right =
    principals === undefined
      ? sql`g.role !~* 'student$' and g.role <> 'Temporary Employee'`
      : sql`(g.role = any(${[...principals]}::text[])
          or g.role || '@' || g.scope_kind || ':' || g.scope_id = any(${[...principals]}::text[]))`
  const { rows } = await sql<Colleague>`
    select a.id, a.name, post_of(a.id, a.post) as post,
      (select count(*)::int from (select from inbox where principal = 'user:' || a.id and state = 'mine' limit 999) held) as load
    from account a
    where a.active and a.id <> all(${[...without]}::uuid[])
      and (${search}::text is null or a.name ilike ${search} or post_of(a.id, a.post) ilike ${search})
      and exists (select from role_grant g where g.account_id = a.id and ${right}
        and g.starts_at <= now() and (g.ends_at is null or g.ends_at > now()))
    order by load, a.name, a.id limit ${limit}`.execute(db)
  return rows
}
