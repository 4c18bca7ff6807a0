import { type Kysely, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { listFollowing } from '../platform/work/rows/case-links.ts'

/** The voucher of the advance of a visit, with what reached its payee, in cents; one that was withdrawn is none. */
export async function findAdvance(db: Kysely<DB>, visit: string) {
  const vouchers = (await listFollowing(db, visit)).filter((one) => one.link_name === 'advance')
  const voucher = vouchers.findLast(({ withdrawn_at: withdrawn }) => withdrawn === null)
  if (!voucher) return undefined
  const payment = await db
    .selectFrom('voucher_payment')
    .select('amount')
    .where('case_id', '=', voucher.id)
    .where('state', '=', 'settled')
    .executeTakeFirst()
  return { ...voucher, paid: payment && Number(payment.amount) }
}

/** Whether an advance was returned with this receipt, by its letters and digits. */
export async function isReceiptUsed(db: Kysely<DB>, receipt: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_entry')
    .select('id')
    .where('kind', '=', 'advance-returned')
    .where(sql<boolean>`app.plain_reference(memo) = app.plain_reference(${receipt})`)
    .executeTakeFirst()
  return row !== undefined
}
