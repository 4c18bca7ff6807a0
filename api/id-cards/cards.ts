import type { Transaction } from 'kysely'
import type { DB } from '../platform/kernel/db/database.generated.ts'
import { findItemWith } from '../platform/work/rows/items.ts'

/** The register of students' cards. */
export const CARDS = 'id-cards/card'

/** The series of card numbers, which the bar code holds. */
export const CARD_NUMBER = 'SC-{yyyy}-{sequence:6}'

/** The id of the card that was made for a case and is not handed over yet. */
export const findPreparedCard = (trx: Transaction<DB>, reference: string): Promise<string | undefined> =>
  findItemWith(trx, CARDS, { field: 'case_reference', value: reference, status: 'In Preparation' })

/** The id of the student's valid card. */
export const findValidCard = (trx: Transaction<DB>, student: string): Promise<string | undefined> =>
  findItemWith(trx, CARDS, { field: 'student', value: student, status: 'Active' })
