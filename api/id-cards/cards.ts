import { type Transaction, sql } from 'kysely'
import type { DB, JsonObject } from '../platform/kernel/db/database.generated.ts'
import { findItemWith } from '../platform/work/rows/items.ts'

/** The register of students' cards. */
export const CARDS = 'id-cards/card'

/** The series of card numbers, which the bar code holds. */
export const CARD_NUMBER = 'SC-{yyyy}-{sequence:6}'

/** The id of the card that was made for a case and is not handed over yet. */
export const findPreparedCard = (trx: Transaction<DB>, reference: string): Promise<string | undefined> =>
  findItemWith(trx, CARDS, { field: 'case_reference', value: reference, status: 'In Preparation' })

/**
 * The id of the card that the student has: a valid one, one that is not in use while they are not active, or one that was
 * changed and waits to be approved again.
 */
export async function findCurrentCard(trx: Transaction<DB>, student: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select c.id from register_reference r join register_item c on c.id = r.item_id
    where r.target_id = ${student}::uuid and r.path = '/student' and c.register = ${CARDS}
      and (c.status in ('Active', 'Not In Use') or c.status = 'Awaiting Approval' and exists (
        select from register_item_version v where v.item_id = c.id and v.status in ('Active', 'Not In Use')))
    order by array_position('{Active,Not In Use,Awaiting Approval}', c.status) limit 1`.execute(trx)
  return rows[0]?.id
}

/**
 * The number of the card that a new one stands for, and its last day: that which the student has, else one that the
 * office has cancelled since the student got it, unless another was handed over after it.
 */
export async function earlierCard(
  trx: Transaction<DB>,
  student: string,
): Promise<{ id: string; number: string; data: JsonObject } | undefined> {
  const { rows } = await sql<{ id: string; number: string; data: JsonObject }>`
    select c.id, c.data ->> 'number' as number, c.data from register_reference r join register_item c on c.id = r.item_id
    where r.target_id = ${student}::uuid and r.path = '/student' and c.register = ${CARDS} and c.status <> 'In Preparation'
      and exists (select from register_item_version v where v.item_id = c.id and v.status in ('Active', 'Not In Use'))
    order by c.status in ('Active', 'Not In Use') desc, c.created_at desc limit 1`.execute(trx)
  return rows[0]
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
          where r.target_id = s.id and c.register = ${CARDS} and c.status in ('Active', 'Awaiting Approval', 'In Preparation', 'Not In Use')) as card,
        exists (select from register_reference r join register_item p on p.id = r.item_id
          where r.target_id = s.id and p.register = 'students/particulars' and p.status = 'Active'
            and p.data ->> 'photo' is not null) as photo
      from register_item s where s.id = any(${[...students]}::uuid[])) as found
    where not active or card or not photo`.execute(trx)
  return new Map(rows.map(({ id, code }) => [id, code]))
}
