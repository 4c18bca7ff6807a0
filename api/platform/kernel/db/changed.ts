import { type Kysely, sql } from 'kysely'
import type { DB } from './database.generated.ts'

/** Whose lists, which cases and which tasks look different now. */
export interface Changed {
  principals: string[]
  cases: string[]
  tasks: string[]
  /** Accounts that are or may something else now, or whose sessions ended; `*` for everybody's. */
  people?: string[]
  /** Half-filled answers to tasks: whoever keeps one may have it open on another device. */
  drafts?: { account: string; task: string }[]
}

/** PostgreSQL takes 8,000 bytes at most. */
const longest = 7_900

/**
 * Tells every node's browsers what has changed, on the channel `changed`. Call it after the commit: inside of it, all
 * commits of the server would wait for each other. A hint that gets lost is made good when a browser reads anew.
 */
export async function announce(db: Kysely<DB>, changed: Changed): Promise<void> {
  const { principals, cases, tasks, people = [], drafts = [] } = changed
  if (principals.length + cases.length + tasks.length + people.length + drafts.length === 0) return
  const text = JSON.stringify({
    principals: [...new Set(principals)],
    cases: [...new Set(cases)],
    tasks: [...new Set(tasks)],
    people: [...new Set(people)],
    drafts,
  })
  const payload = Buffer.byteLength(text) > longest ? '{"all":true}' : text
  await sql`select pg_notify('changed', ${payload})`.execute(db)
}
