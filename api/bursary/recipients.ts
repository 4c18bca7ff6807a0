import { type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'

export const RECIPIENTS = 'bursary/recipient'

/** The entry of a student among the recipients, whatever its status. */
export async function findRecipient(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  const found = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', RECIPIENTS)
    .where(sql`data ->> 'student'`, '=', student)
    .executeTakeFirst()
  return found?.id
}

/** The bursary of a name, such as `Full Bursary`. Throws if there is none in use. */
export async function findScheme(trx: Transaction<DB>, name: string): Promise<string> {
  const { id } = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', 'bursary/scheme')
    .where('status', '=', 'Active')
    .where('title', '=', name)
    .executeTakeFirstOrThrow(() => new Error(`there is no bursary ${name} in use`))
  return id
}
