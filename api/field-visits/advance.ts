import type { Kysely } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { listFollowing } from '../platform/work/rows/case-links.ts'

/** The voucher of the advance of a visit; one that was withdrawn is none. */
export async function findAdvance(db: Kysely<DB>, visit: string) {
  const vouchers = (await listFollowing(db, visit)).filter((one) => one.link_name === 'advance')
  return vouchers.findLast(({ withdrawn_at: withdrawn }) => withdrawn === null)
}
