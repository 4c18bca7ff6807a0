import type { Kysely } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'

/** The data of the active entry in a register that uses one entry at a time: the one changed last. */
export async function itemInUse(db: Kysely<DB>, register: string): Promise<JsonObject | undefined> {
  const row = await db
    .selectFrom('register_item')
    .select('data')
    .where('register', '=', register)
    .where('status', '=', 'Active')
    .orderBy('changed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.data
}
