import { type Kysely, sql } from 'kysely'
import type { DB } from './db/database.generated.ts'

/** Whose lists, which cases and which tasks look different now. */
export interface Changed {
  principals: string[]
  cases: string[]
  tasks: string[]
  /** Accounts that are or may something else now, or whose sessions ended; `*` for everybody's. */
  people?: string[]
}

/** PostgreSQL takes 8,000 bytes at most. */
const longest = 7_900

/**
 * Tells every node's browsers what has changed, on the channel `changed`. Call it after the commit: inside of it, all
 * commits of the server would wait for each other. A hint that gets lost is made good when a browser reads anew.
 */
export async function announce(db: Kysely<DB>, changed: Changed): Promise<void> {
  const { principals, cases, tasks, people = [] } = changed
  if (principals.length + cases.length + tasks.length + people.length === 0) return
  const text = JSON.stringify({
    principals: [...new Set(principals)],
    cases: [...new Set(cases)],
    tasks: [...new Set(tasks)],
    people: [...new Set(people)],
  })
  const payload = Buffer.byteLength(text) > longest ? '{"all":true}' : text
  await sql`select pg_notify('changed', ${payload})`.execute(db)
}
