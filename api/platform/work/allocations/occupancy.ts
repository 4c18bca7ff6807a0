import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Allocation, Occupied, Span } from './allocations.ts'
import { allocation, range } from './allocation-row.ts'
import { known } from '../../kernel/known.ts'

/** When entries are taken in a span, ordered by time. Expired holds do not count. */
export async function listBusy(
  trx: Transaction<DB>,
  items: readonly string[],
  from: string,
  until: string,
): Promise<Allocation[]> {
  const rows = await trx
    .selectFrom('allocation')
    .select(columns)
    .where('item_id', 'in', items)
    .where('exclusive', '=', true)
    .where('state', '<>', 'released')
    .$narrowType<{ state: Allocation['state'] }>()
    .where(sql<boolean>`during && ${range({ from, until })}`)
    .where(live)
    .orderBy(sql`lower(during)`)
    .orderBy('id')
    .execute()
  return rows.map(allocation)
}

/** What occupies any of these entries in a span, except holds of this account or guest and allocations of this case. */
export async function listOccupied(
  trx: Transaction<DB>,
  items: readonly string[],
  span: Span,
  besides: { holder?: string | undefined; caseId?: string | undefined } = {},
): Promise<Occupied[]> {
  if (items.length === 0) return []
  const rows = await trx
    .selectFrom('allocation')
    .select(['item_id', 'exclusive', 'quantity', sql<string>`coalesce(case_id, main_id, id)`.as('whose')])
    .select([sql<Date>`lower(during)`.as('starts'), sql<Date>`upper(during)`.as('ends')])
    .where('item_id', 'in', items)
    .where('state', '<>', 'released')
    .where(sql<boolean>`during && ${range(span)}`)
    .where(live)
    .$if(besides.caseId !== undefined, (query) => query.where(sql<boolean>`case_id is distinct from ${besides.caseId}`))
    .where(sql<boolean>`(state <> 'hold' or coalesce(holder_id, guest_id) is distinct from ${besides.holder || null})`)
    .execute()
  return rows.map(({ item_id, exclusive, quantity, whose, starts, ends }) => ({
    ...{ item: item_id, exclusive, quantity, whose },
    ...{ from: starts.toISOString(), until: ends.toISOString() },
  }))
}

/** Each of these entries with all its parts; the entry itself comes first. */
export async function findWholes(trx: Transaction<DB>, items: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ whole: string; id: string }>`
    with recursive part (whole, id) as (
      select id, id from unnest(${items}::uuid[]) as id
      union
      select part.whole, i.id from register_item i join part on lower(i.data ->> 'parent') = part.id::text
        where i.data ->> 'parent' is not null
    )
    select whole, id from part`.execute(trx)
  const found = new Map(items.map((id) => [id, [id]]))
  for (const { whole, id } of rows) if (id !== whole) known(found.get(whole), 'a requested item').push(id)
  return found
}

const live = sql<boolean>`(expires_at is null or expires_at > clock_timestamp())`

const columns = [
  'id',
  'item_id',
  'state',
  'holder_id',
  'case_id',
  'expires_at',
  sql<Date>`lower(during)`.as('starts'),
  sql<Date>`upper(during)`.as('ends'),
  sql<Date>`lower(booked)`.as('begins'),
  sql<Date>`upper(booked)`.as('finishes'),
] as const
