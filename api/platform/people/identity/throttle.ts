import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/**
 * What is counted: failed sign-ins by a name from one address, by a name from everywhere, of an address, and of a browser
 * that its owner has signed in with before; what strangers bring proofs for from one address; mails asked for an account;
 * wrong secrets for a case's reference from one address, and from everywhere; guests who give an account's address as theirs;
 * what guests send under one NIC, employee number or address, because somebody gets a mail each time.
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

/** One thing that is counted. */
export interface Counted {
  kind: Kind
  of: string
}

/** How many are free, and how many more make the next one dearer. */
const FREE: Record<Kind, { free: number; step: number }> = {
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
}

/** A count halves in this time, and is gone after that one, in seconds: a busy address does not pay for ever. */
const HALF = 900
const GONE = 4 * HALF
/** What is left of a count by now. */
const left = sql<number>`round(throttle.count * power(0.5,
  (${GONE} - extract(epoch from throttle.until - clock_timestamp())) / ${HALF}))::integer`

/** The dearest proof that is ever asked for; see `http/proof.ts` for what each step costs. */
export const DEAREST = 5

/**
 * Counts what may be guessing or flooding, for all nodes together. Nobody is ever locked out: what is counted only
 * makes the next attempt dearer, up to a limit.
 */
export function throttle(db: Kysely<DB>) {
  return {
    /** How dear the next attempt is: 0 while the free ones last, then 1 to `DEAREST`. */
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

    /** Counts one more of each. */
    async note(counted: readonly Counted[]): Promise<void> {
      // Always in the same order, so that two who count the same things do not wait for each other forever.
      const keys = counted.map(keyOf).sort()
      await db
        .insertInto('throttle')
        .values(
          keys.map((key) => ({
            key,
            count: 1,
            until: sql<Date>`clock_timestamp() + make_interval(secs => ${GONE})`,
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

    /** Begins anew. */
    async forget(counted: readonly Counted[]): Promise<void> {
      await db.deleteFrom('throttle').where('key', 'in', counted.map(keyOf)).execute()
    },
  }
}

function levelOf(kind: Kind, count: number): number {
  const { free, step } = FREE[kind]
  return count < free ? 0 : Math.min(DEAREST, 1 + Math.floor((count - free) / step))
}

/** Hashed, because people type their passwords where their names belong. */
function keyOf({ kind, of }: Counted): string {
  return `${kind}:${createHash('sha256').update(of).digest('base64url')}`
}
