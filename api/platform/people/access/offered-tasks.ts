import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { everything } from '../persons/person.ts'
import { COUNT_LIMIT } from '../../kernel/paging.ts'
import { known } from '../../kernel/known.ts'

/** Tasks that are offered to one of these principals only as a substitute. */
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
 * How many undecided tasks are listed for some principals or among `these`, and neither for others nor among `those`.
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
  return Number(known(rows[0], 'the count').count)
}

/** How many tasks wait for this principal while nobody holds it. */
export async function countVacantTasks(db: Kysely<DB>, principal: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
        select count(distinct task_id) from task_candidate where stands_in_for = ${principal}`.execute(db)
  return Number(known(rows[0], 'the count').count)
}

/** How many undecided tasks are offered to a principal. */
export async function countWaitingTasks(db: Kysely<DB>, principal: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
        select count(*) from (select distinct task from inbox where principal = ${principal}
          and state in ('open', 'held') limit ${COUNT_LIMIT + 1}) counted`.execute(db)
  return Number(known(rows[0], 'the count').count)
}

/** The principals whose inbox rows a person sees. */
export function inboxOf(person: { id: string; seesAll: boolean; principals: readonly string[] }): string[] {
  return person.seesAll ? [everything, `user:${person.id}`] : [...person.principals]
}
