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

/** The id of the card that the student has: a valid one, or one that is not in use while they are not active. */
export async function findCurrentCard(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  const of = { field: 'student', value: student }
  const valid = await findItemWith(trx, CARDS, { ...of, status: 'Active' })
  return valid ?? findItemWith(trx, CARDS, { ...of, status: 'Not In Use' })
}

/** The photo in the particulars of a student: the id of the file. */
export async function photoOf(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  const { rows } = await sql<{ photo: string | null }>`
    select p.data ->> 'photo' as photo from register_reference r join register_item p on p.id = r.item_id
    where r.target_id = ${student}::uuid and p.register = 'students/particulars' and p.status = 'Active'`.execute(trx)
  return rows[0]?.photo ?? undefined
}

/** Which of these students get no first card, and why: they are not active, have a card, or no photo. */
export async function withoutFirstCard(
  trx: Transaction<DB>,
  students: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; code: string }>`
    select id, case when not active then 'id-cards.not-active' when card then 'id-cards.has-card'
      else 'id-cards.no-photo' end as code from (
      select s.id, s.status = 'active' as active,
        exists (select from register_reference r join register_item c on c.id = r.item_id
          where r.target_id = s.id and c.register = ${CARDS} and c.status in ('Active', 'In Preparation', 'Not In Use')) as card,
        exists (select from register_reference r join register_item p on p.id = r.item_id
          where r.target_id = s.id and p.register = 'students/particulars' and p.status = 'Active'
            and p.data ->> 'photo' is not null) as photo
      from register_item s where s.id = any(${[...students]}::uuid[])) as found
    where not active or card or not photo`.execute(trx)
  return new Map(rows.map(({ id, code }) => [id, code]))
}
