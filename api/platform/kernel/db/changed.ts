import { type Kysely, sql } from 'kysely'
import type { DB } from './database.generated.ts'
import { inBatches } from '../in-batches.ts'

/** Changed inboxes, cases and tasks. */
export interface Changed {
  principals: string[]
  cases: string[]
  tasks: string[]
  /** Accounts whose data, rights or sessions changed; `*` for all. */
  people?: string[]
  /** Saved drafts of task answers: their writer may have one open on another device. */
  drafts?: { account: string; task: string }[]
}

/** Limit of a PostgreSQL notification is 8,000 bytes. */
const longest = 7_900

/** What sends the notifications of this process. */
const senders = new WeakMap<Kysely<DB>, (payload: string) => Promise<void>>()

/**
 * Notifies the browsers of every node on the channel `changed`. Call it after the commit: inside a transaction, all
 * commits of the server would wait for each other. For the same reason, a process sends one statement at a time, with
 * all notifications that have come meanwhile. If a notification is lost, a browser is up to date again after its next
 * read.
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
  const send = senders.get(db) ?? inBatches(notify(db))
  senders.set(db, send)
  await send(payload)
}

function notify(db: Kysely<DB>) {
  return async (payloads: readonly string[]): Promise<void> => {
    await sql`select pg_notify('changed', payload) from unnest(${[...payloads]}::text[]) payload`.execute(db)
  }
}
