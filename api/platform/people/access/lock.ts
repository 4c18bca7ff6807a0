import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Advisory lock key; arbitrary, but the same everywhere. */
const LOCK = 7_001_005

/**
 * Locks access until the end of the transaction: `alone` to change it, `shared` to rely on it. Take the feed's lock
 * before this one when changing access.
 */
export async function lockAccess(trx: Transaction<DB>, how: 'alone' | 'shared'): Promise<void> {
  if (how === 'alone') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
  else await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(trx)
}
