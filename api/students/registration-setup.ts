import type { Transaction } from 'kysely'
import { known } from '../platform/kernel/known.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { findAnyItem } from '../platform/work/rows/items.ts'

/** The set-up that a registration was sent for. */
export async function setupOf(trx: Transaction<DB>, { setup }: JsonObject) {
  return known(await findAnyItem(trx, String(setup)), 'the set-up')
}

/** The batch that a registration with this set-up leads into. */
export async function batchOf(trx: Transaction<DB>, { data }: Awaited<ReturnType<typeof setupOf>>) {
  return known(await findAnyItem(trx, String(data['batch'])), 'the batch of the set-up')
}
