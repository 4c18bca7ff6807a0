import { type Transaction, sql } from 'kysely'
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

/** The photo in the particulars of a student: the id of the file. */
export async function photoOf(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  const { rows } = await sql<{ photo: string | null }>`
    select p.data ->> 'photo' as photo from register_reference r join register_item p on p.id = r.item_id
    where r.target_id = ${student}::uuid and p.register = 'students/particulars' and p.status = 'Active'`.execute(trx)
  return rows[0]?.photo ?? undefined
}

/** Which of these students get no first card, and why: they have a card, or no photo. */
export async function withoutFirstCard(
  trx: Transaction<DB>,
  students: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; card: boolean }>`
    select id, card from (
      select s.id,
        exists (select from register_reference r join register_item c on c.id = r.item_id
          where r.target_id = s.id and c.register = ${CARDS} and c.status in ('Active', 'In Preparation')) as card,
        exists (select from register_reference r join register_item p on p.id = r.item_id
          where r.target_id = s.id and p.register = 'students/particulars' and p.status = 'Active'
            and p.data ->> 'photo' is not null) as photo
      from unnest(${[...students]}::uuid[]) as s(id)) as found
    where card or not photo`.execute(trx)
  return new Map(rows.map(({ id, card }) => [id, card ? 'id-cards.has-card' : 'id-cards.no-photo']))
}
