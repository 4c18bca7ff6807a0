import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'

/** The register of season tickets. */
export const TICKETS = 'season-tickets/ticket'

/** The series of their numbers, which the bar code holds. */
export const TICKET_NUMBER = 'SW-{yyyy}-{sequence:6}'

/** The id of the ticket that was made for a case and is not issued yet. */
export async function findPreparedTicket(trx: Transaction<DB>, reference: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', TICKETS)
    .where('status', '=', 'In Preparation')
    .where(sql<string>`data ->> 'case_reference'`, '=', reference)
    .executeTakeFirst()
  return row?.id
}
