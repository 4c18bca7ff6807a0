import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Any number: it only has to be the same for everyone. */
const LOCK = 7_001_005

/**
 * Until the end of the transaction, `alone` is the only one that changes what people may; `shared` may be many, each sure
 * that nothing of it changes meanwhile. Who changes takes the feed's lock before this one.
 */
export async function lockAccess(trx: Transaction<DB>, how: 'alone' | 'shared'): Promise<void> {
  if (how === 'alone') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
  else await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(trx)
}
