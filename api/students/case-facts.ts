import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'

/** The present facts of a case. */
export async function caseFacts(trx: Transaction<DB>, id: string): Promise<JsonObject> {
  const { facts } = await trx.selectFrom('flow_case').select('facts').where('id', '=', id).executeTakeFirstOrThrow()
  return facts
}
