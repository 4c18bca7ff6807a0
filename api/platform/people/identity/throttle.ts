import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * What is counted: failed sign-ins by name and network address, by name, by network address, and by known browser;
 * anonymous requests with a proof of work, by network address; mails requested for an account; wrong case secrets by
 * network address, and in total; guests who enter an account's address; and guest requests by NIC, employee number or
 * address, because each causes a mail; files whose values are compared with sensitive fields, by the person who sends
 * them; refused numbers that open records, by the person who types them.
 */
type Kind =
  | 'account-address'
  | 'account'
  | 'address'
  | 'device'
  | 'stranger'
  | 'mail'
  | 'tracking-address'
  | 'tracking'
  | 'guest-address'
  | 'guest'
  | 'import'
  | 'opening'

export interface Counted {
  kind: Kind
  of: string
}

/** How many are free, and how many more raise the cost by one level. */
const FREE_ATTEMPTS: Record<Kind, { free: number; step: number }> = {
  'account-address': { free: 5, step: 3 },
  account: { free: 20, step: 10 },
  address: { free: 50, step: 25 },
  device: { free: 10, step: 5 },
  stranger: { free: 100, step: 100 },
  mail: { free: 5, step: 1 },
  'tracking-address': { free: 5, step: 3 },
  tracking: { free: 20, step: 10 },
  'guest-address': { free: 5, step: 1 },
  guest: { free: 5, step: 1 },
  import: { free: 30, step: 10 },
  opening: { free: 10, step: 5 },
}

/** Half-life of a count, and when it is deleted, in seconds, so that a busy address recovers. */
const HALF_LIFE_SECONDS = 900
const DELETED_AFTER_SECONDS = 4 * HALF_LIFE_SECONDS
/** The present value of a count. */
const left = sql<number>`round(throttle.count * power(0.5,
  (${DELETED_AFTER_SECONDS} - extract(epoch from throttle.until - clock_timestamp())) / ${HALF_LIFE_SECONDS}))::integer`

/** The highest level; see `http/proof.ts` for the cost of each. */
export const HIGHEST_LEVEL = 5

/**
 * Counts possible guessing or flooding, across all nodes. Nobody is ever locked out: a count only raises the cost of
 * the next attempt, up to a limit.
 */
export function throttle(db: Kysely<DB>) {
  return {
    /** The level of the next attempt: 0 while free ones are left, then 1 to `HIGHEST_LEVEL`. */
    async level(counted: readonly Counted[]): Promise<number> {
      const rows = await db
        .selectFrom('throttle')
        .select(['key', left.as('count')])
        .where('key', 'in', counted.map(keyOf))
        .where('until', '>', sql<Date>`clock_timestamp()`)
        .execute()
      const counts = new Map(rows.map(({ key, count }) => [key, count]))
      return Math.max(...counted.map((one) => levelOf(one.kind, counts.get(keyOf(one)) ?? 0)))
    },

    /** Adds one to each count. */
    async note(counted: readonly Counted[]): Promise<void> {
      // In a fixed order, so that concurrent calls cannot deadlock.
      const keys = counted.map(keyOf).sort()
      await db
        .insertInto('throttle')
        .values(
          keys.map((key) => ({
            key,
            count: 1,
            until: sql<Date>`clock_timestamp() + make_interval(secs => ${DELETED_AFTER_SECONDS})`,
          })),
        )
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            count: sql`case when throttle.until > clock_timestamp() then ${left} else 0 end + 1`,
            until: (eb) => eb.ref('excluded.until'),
          }),
        )
        .execute()
    },

    /** Takes one off each count. */
    async takeBack(counted: readonly Counted[]): Promise<void> {
      const count = sql<number>`greatest(${left} - 1, 0)`
      const until = sql<Date>`clock_timestamp() + make_interval(secs => ${DELETED_AFTER_SECONDS})`
      await db.updateTable('throttle').set({ count, until }).where('key', 'in', counted.map(keyOf)).execute()
    },

    /** Resets the counts. */
    async forget(counted: readonly Counted[]): Promise<void> {
      await db.deleteFrom('throttle').where('key', 'in', counted.map(keyOf)).execute()
    },
  }
}

function levelOf(kind: Kind, count: number): number {
  const { free, step } = FREE_ATTEMPTS[kind]
  return count < free ? 0 : Math.min(HIGHEST_LEVEL, 1 + Math.floor((count - free) / step))
}

/** Hashed, because people sometimes type a password as their name. */
function keyOf({ kind, of }: Counted): string {
  return `${kind}:${createHash('sha256').update(of).digest('base64url')}`
}
