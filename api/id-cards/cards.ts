import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'

/** The register of students' cards. */
export const CARDS = 'id-cards/card'

/** The series of card numbers, which the bar code holds. */
export const CARD_NUMBER = 'SC-{yyyy}-{sequence:6}'

/** The id of the card that was made for a case and is not handed over yet. */
export async function findPreparedCard(trx: Transaction<DB>, reference: string): Promise<string | undefined> {
  return findCard(trx, 'In Preparation', 'case_reference', reference)
}

/** The id of the student's valid card. */
export async function findValidCard(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  return findCard(trx, 'Active', 'student', student)
}

async function findCard(
  trx: Transaction<DB>,
  status: string,
  field: 'student' | 'case_reference',
  value: string,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', CARDS)
    .where('status', '=', status)
    .where(sql<string>`data ->> ${sql.lit(field)}`, '=', value)
    .executeTakeFirst()
  return row?.id
}
