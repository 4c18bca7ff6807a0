import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { findItemWith } from '../platform/work/rows/items.ts'

/** The register of season tickets. */
export const TICKETS = 'season-tickets/ticket'

/** The series of their numbers, which the bar code holds. */
export const TICKET_NUMBER = 'SW-{yyyy}-{sequence:6}'

/** The id of the ticket that was made for a case and is not issued yet. */
export const findPreparedTicket = (trx: Transaction<DB>, reference: string): Promise<string | undefined> =>
  findItemWith(trx, TICKETS, { field: 'case_reference', value: reference, status: 'In Preparation' })

/** A season as a second person has last approved it: days that wait for approval come onto no ticket. */
export async function approvedSeason(
  trx: Transaction<DB>,
  season: string,
): Promise<{ title: string; data: JsonObject }> {
  const { data } = await trx
    .selectFrom('register_item_version')
    .select('data')
    .where('item_id', '=', season)
    .where('status', '=', 'Active')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { title: String(data['name']), data }
}
