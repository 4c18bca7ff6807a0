import { type Kysely, sql } from 'kysely'
import type { DB } from './database.generated.ts'

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

/** Notifications of one process that wait for the ones under way. */
interface Outbox {
  waiting: string[]
  /** Resolves when what waits now is sent. */
  next: Promise<void> | undefined
  /** Resolves, also after an error, when the last statement has ended. */
  last: Promise<unknown>
}

const outboxes = new WeakMap<Kysely<DB>, Outbox>()

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
  const outbox = outboxes.get(db) ?? { waiting: [], next: undefined, last: Promise.resolve() }
  outboxes.set(db, outbox)
  outbox.waiting.push(payload)
  outbox.next ??= outbox.last.then(() => flush(db, outbox))
  await outbox.next
}

async function flush(db: Kysely<DB>, outbox: Outbox): Promise<void> {
  const payloads = outbox.waiting.splice(0)
  outbox.next = undefined
  const sending = sql`select pg_notify('changed', payload) from unnest(${payloads}::text[]) payload`.execute(db)
  outbox.last = sending.catch(() => undefined)
  await sending
}
