import { type Transaction, sql } from 'kysely'
import { monthAfter } from '../platform/kernel/colombo.ts'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { naming } from '../platform/records/registers/naming.ts'

export const RECIPIENTS = 'bursary/recipient'

/** The entry of a student among the recipients, whatever its status. */
export async function findRecipient(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  const found = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', RECIPIENTS)
    .where('id', 'in', naming(['/student'], [student]))
    .executeTakeFirst()
  return found?.id
}

/** The name of the bursary in the result of the table, `Full Bursary: low income`; `Not eligible` if none is due. */
export function bursaryOf(eligibility: string): string {
  return eligibility.split(':')[0] ?? ''
}

/** What a bursary pays in a month, in cents: the newest value that holds then. */
export async function valueOn(trx: Transaction<DB>, scheme: string, month: string): Promise<number | undefined> {
  const found = await trx
    .selectFrom('register_item')
    .select(sql<string>`data ->> 'amount'`.as('amount'))
    .where('register', '=', 'bursary/installment-value')
    .where('status', '=', 'Active')
    .where(sql`data ->> 'scheme'`, '=', scheme)
    .where(sql`data ->> 'from'`, '<=', month)
    .orderBy(sql`data ->> 'from'`, 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found && Number(found.amount)
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

/**
 * The months of an entry in use whose student accepts the same bursary again. If the new ones follow without a gap, the
 * entry keeps its first month, so that months that are not paid yet stay. After a gap nothing between is paid.
 */
export function monthsOfReturn(
  earlier: JsonObject,
  accepted: { from: string; until: string },
): { from: string; until: string } {
  const { from, until } = earlier
  if (typeof from !== 'string' || from > accepted.until) return accepted
  if (typeof until !== 'string') return { from, until: accepted.until }
  if (accepted.from > monthAfter(until)) return accepted
  return { from, until: until > accepted.until ? until : accepted.until }
}
