import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** Whether a flow requires a second owner. */
export async function needsSecondOwner(db: Kysely<DB> | Transaction<DB>, process: string): Promise<boolean> {
  const row = await db
    .selectFrom('studio_setting')
    .select('second_owner')
    .where('process', '=', process)
    .executeTakeFirst()
  return row?.second_owner ?? false
}

/** The processes whose flow requires a second owner. */
export async function listSecondOwners(db: Kysely<DB> | Transaction<DB>): Promise<string[]> {
  const rows = await db.selectFrom('studio_setting').select('process').where('second_owner', '=', true).execute()
  return rows.map(({ process }) => process)
}
