import type { Kysely } from 'kysely'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'

/** What the item in use of a register says of which one counts at a time: the active one that was changed last. */
export async function itemInUse(db: Kysely<DB>, register: string): Promise<JsonObject | undefined> {
  const row = await db
    .selectFrom('register_item')
    .select('data')
    .where('register', '=', register)
    .where('status', '=', 'Active')
    .orderBy('changed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.data as JsonObject | undefined
}
