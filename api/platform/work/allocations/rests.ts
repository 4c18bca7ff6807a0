import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError, type FieldError } from '../../kernel/errors.ts'
import type { Span, WantedSlot } from './allocations.ts'
import { lockItems } from './case-slots.ts'
import { range } from './allocation-row.ts'

/** What keeps an entry from being claimed, although nobody else has it. */
export type Kept = Required<Pick<FieldError, 'code' | 'values'>>

/** The entries of these that rest in a span, or that would be out for too many hours of a day, besides for this case. */
export async function listKept(
  db: Kysely<DB>,
  items: readonly string[],
  { booked, mostADay = null }: { booked: Span; mostADay?: number | null | undefined },
  caseId: string | null,
): Promise<Map<string, Kept>> {
  if (items.length === 0) return new Map()
  const { rows } = await sql<{ id: string; title: string; until: Date | null; day: string | null }>`
    select id, title, until, to_char(day, 'YYYY-MM-DD') as day from (
      select id, title, rests_until(id, ${range(booked)}, ${caseId}::uuid) as until,
        case when ${mostADay}::integer is not null
          then day_over(id, ${range(booked)}, ${mostADay}::integer, ${caseId}::uuid) end as day
      from register_item where id = any (${items}::uuid[])
    ) as kept where until is not null or day is not null`.execute(db)
  return new Map(
    rows.map(({ id, title: item, until, day }): [string, Kept] => [
      id,
      until
        ? { code: 'platform.item-rests', values: { item, until: until.toISOString() } }
        : { code: 'platform.item-out-too-long', values: { item, day: day ?? '', hours: mostADay ?? 0 } },
    ]),
  )
}

/** Throws why an entry, which is locked, is not claimed for a case. */
export async function refuseKept(trx: Transaction<DB>, wanted: WantedSlot, caseId: string | null): Promise<void> {
  const kept = (await listKept(trx, [wanted.item], wanted, caseId)).get(wanted.item)
  if (kept) throw new BusinessError(kept.code, kept.values)
}

/**
 * Notes that entries of a case rest in a span, instead of what was noted before; nobody claims them for another case in
 * it. Plans that were made before stay. Locks them, and what else the caller changes, in id order.
 */
export async function noteRest(
  trx: Transaction<DB>,
  caseId: string,
  { items, during, changes = [] }: { items: readonly string[]; during: Span; changes?: readonly string[] },
): Promise<void> {
  await lockItems(trx, [...items, ...changes])
  await trx.deleteFrom('item_rest').where('case_id', '=', caseId).execute()
  await trx
    .insertInto('item_rest')
    .values(items.map((item) => ({ item_id: item, case_id: caseId, during: range(during) })))
    .execute()
}
