import { type Transaction, sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import type { FieldError } from '../platform/kernel/errors.ts'

export const AWARDS = 'scholarships/award'

/** The first and last month of an award or a scholarship. */
export type AwardMonths = { from: string; until: string }

/** Which months of an award are wrong: it ends before it begins, or is not within the scholarship's months. */
export function outsidePeriod(award: AwardMonths, scholarship: AwardMonths): FieldError[] {
  const { from, until } = scholarship
  const outside = (['from', 'until'] as const).filter((end) => award[end] < from || award[end] > until)
  if (outside.length > 0)
    return outside.map((end) => ({ field: `/${end}`, code: 'scholarships.outside-period', values: { from, until } }))
  return award.from > award.until ? [{ field: '/until', code: 'platform.check-x-not-before' }] : []
}

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

/** How many of the awards of a scholarship are given: ended ones are free again. */
export function countGiven(awards: readonly { isEnded: boolean }[]): number {
  return awards.filter(({ isEnded }) => !isEnded).length
}
