import { type Kysely, type Transaction, sql } from 'kysely'
import { addCommand } from './commands.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'

/** Message by which a case on a waiting list learns that it has a place. */
export const PLACE_FREED = 'message_placeFreed'

/** The entry whose places a case takes, and its field with their number. */
export interface PlacesOf {
  item: string
  field: string
}

interface Places {
  there: number
  taken: number
  /** Cases that wait and are neither withdrawn nor over. */
  waiting: number
}

/** Whether the case of a place `p` still runs. */
const runs = sql<boolean>`exists (
  select from flow_case c where c.id = p.case_id and c.withdrawn_at is null and c.ended_at is null)`

/** Others who want a place of the entry wait until the commit. */
async function lockItem(trx: Transaction<DB>, id: string): Promise<void> {
  await trx.selectFrom('register_item').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** The places of entries, by the id of the entry. */
export async function countPlaces(
  db: Kysely<DB>,
  items: readonly string[],
  field: string,
): Promise<Map<string, Places>> {
  const { rows } = await sql<Places & { id: string }>`
    select i.id, coalesce((i.data ->> ${field})::integer, 0) as there,
      (count(*) filter (where p.state = 'taken'))::integer as taken,
      (count(*) filter (where p.state = 'waiting' and ${runs}))::integer as waiting
    from register_item i left join case_place p on p.item_id = i.id and p.field = ${field}
    where i.id = any(${[...items]}::uuid[]) group by i.id`.execute(db)
  return new Map(rows.map(({ id, ...places }) => [id, places]))
}

const placeOf = (db: Kysely<DB>, caseId: string) =>
  db
    .selectFrom('case_place')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('state', '<>', 'released')
    .executeTakeFirst()

/**
 * Gives a case a place of an entry, or puts it at the end of the waiting list; `number` is its place there. A case that
 * has a place or waits keeps what it has.
 */
export async function takePlace(
  trx: Transaction<DB>,
  caseId: string,
  { item, field }: PlacesOf,
): Promise<{ placed: boolean; number: number | null }> {
  await lockItem(trx, item)
  const held = await placeOf(trx, caseId)
  if (held && held.item_id !== item) throw new Error('the case has a place of another entry')
  if (held) return { placed: held.state === 'taken', number: null }
  const { there, taken, waiting } = known((await countPlaces(trx, [item], field)).get(item), 'the entry with places')
  const placed = taken < there && waiting === 0
  await trx
    .insertInto('case_place')
    .values({ case_id: caseId, item_id: item, field, state: placed ? 'taken' : 'waiting' })
    .execute()
  return { placed, number: placed ? null : waiting + 1 }
}

/** Gives back the place of a case, or its number on the waiting list; the next one gets the place. */
export async function releasePlace(trx: Transaction<DB>, caseId: string): Promise<void> {
  const held = await placeOf(trx, caseId)
  if (!held) return
  await lockItem(trx, held.item_id)
  await trx
    .updateTable('case_place')
    .set({ state: 'released', changed_at: sql`clock_timestamp()` })
    .where('id', '=', held.id)
    .where('state', '<>', 'released')
    .execute()
  await givePlaces(trx, held.item_id)
}

/** Gives the free places of an entry to those who wait, in order, and tells their diagrams. */
export async function givePlaces(trx: Transaction<DB>, item: string): Promise<void> {
  const { rows } = await sql<{ id: string; field: string; caseId: string; requesterId: string }>`
    select p.id, p.field, p.case_id as "caseId", c.requester_id as "requesterId"
    from case_place p join flow_case c on c.id = p.case_id
    where p.item_id = ${item} and p.state = 'waiting' and ${runs} order by p.id`.execute(trx)
  const [first] = rows
  if (!first) return
  await lockItem(trx, item)
  const { there, taken } = known((await countPlaces(trx, [item], first.field)).get(item), 'the entry with places')
  for (const { id, caseId, requesterId } of rows.slice(0, Math.max(there - taken, 0))) {
    await trx
      .updateTable('case_place')
      .set({ state: 'taken', changed_at: sql`clock_timestamp()` })
      .where('id', '=', id)
      .execute()
    await addCommand(trx, {
      kind: 'correlate',
      payload: { message: PLACE_FREED, variables: { placed: true } },
      caseId,
      actingUser: requesterId,
      // Nobody waits for its result.
      lane: 'bulk',
    })
  }
}

/**
 * Whether a case that nothing could tell of its place will still wait for it: the step before its wait may not be over
 * yet.
 */
export async function willAwaitPlace(db: Kysely<DB>, caseId: string): Promise<boolean> {
  const { rows } = await sql`
    select from case_place p where p.case_id = ${caseId} and p.state = 'taken' and ${runs}`.execute(db)
  return rows.length > 0
}
