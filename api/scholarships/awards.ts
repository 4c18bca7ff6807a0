import { type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'

export const AWARDS = 'scholarships/award'

/** The awards of a scholarship, ended ones included: a student gets it once. */
export async function awardsOf(
  trx: Transaction<DB>,
  scholarship: string,
): Promise<{ student: string; isEnded: boolean }[]> {
  const rows = await trx
    .selectFrom('register_item')
    .select([sql<string>`data ->> 'student'`.as('student'), 'status'])
    .where('register', '=', AWARDS)
    .where(sql`data ->> 'scholarship'`, '=', scholarship)
    .execute()
  return rows.map(({ student, status }) => ({ student, isEnded: status === 'Ended' }))
}
