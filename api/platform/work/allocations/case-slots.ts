import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Written } from './slots.ts'
import type { Holder } from './allocations.ts'

/** Whether the case has an allocation: its own, or one to move to; only one for good if `final` is given. */
export async function caseHasSlots(
  db: Kysely<DB>,
  caseId: string,
  purpose: 'booking' | 'move',
  { final = false } = {},
): Promise<boolean> {
  const row = await db
    .selectFrom('allocation')
    .select('id')
    .where('case_id', '=', caseId)
    .where('purpose', '=', purpose)
    .where('state', final ? '=' : '<>', final ? 'final' : 'released')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Locks entries in id order. */
export async function lockItems(trx: Transaction<DB>, ids: readonly string[]): Promise<void> {
  await trx.selectFrom('register_item').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

async function lockItemsOf(trx: Transaction<DB>, caseId: string): Promise<void> {
  const items = await trx.selectFrom('allocation').select('item_id').distinct().where('case_id', '=', caseId).execute()
  if (items.length > 0)
    await lockItems(
      trx,
      items.map((row) => row.item_id),
    )
}

/** Releases holds. Their entries must be locked. */
export async function giveUpHolds(trx: Transaction<DB>, holds: readonly { id: string }[]): Promise<void> {
  if (holds.length === 0) return
  const ids = holds.map(({ id }) => id)
  await trx
    .updateTable('allocation')
    .set({ state: 'released', expires_at: null, changed_at: sql`clock_timestamp()` })
    .where((eb) => eb.or([eb('id', 'in', ids), eb('main_id', 'in', ids)]))
    .where('state', '=', 'hold')
    .execute()
}

/** Releases the allocations of a case; only those of one purpose or field if these are given. */
export async function freeSlots(
  trx: Transaction<DB>,
  caseId: string,
  purpose?: Written['purpose'],
  path?: string,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('allocation')
    .set({ state: 'released', changed_at: sql`clock_timestamp()` })
    .where('case_id', '=', caseId)
    .where('state', '<>', 'released')
    .where((slot) => (purpose === undefined ? slot.lit(true) : slot('purpose', '=', purpose)))
    .where((slot) => (path === undefined ? slot.lit(true) : slot('path', '=', path)))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Makes the allocations of a case final; returns how many are final now. Idempotent. */
export async function confirmSlots(trx: Transaction<DB>, caseId: string): Promise<number> {
  await lockItemsOf(trx, caseId)
  await trx
    .updateTable('allocation')
    .set({ state: 'final', changed_at: sql`clock_timestamp()` })
    .where('case_id', '=', caseId)
    .where('purpose', '=', 'booking')
    .where('state', '=', 'claimed')
    .execute()
  const { count } = await trx
    .selectFrom('allocation')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('case_id', '=', caseId)
    .where('state', '=', 'final')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Releases all allocations of a case; returns how many rows it released. */
export async function releaseSlots(trx: Transaction<DB>, caseId: string): Promise<number> {
  await lockItemsOf(trx, caseId)
  return freeSlots(trx, caseId)
}

/**
 * Replaces the case's slot with the one it asked to move to, and releases the old one; of one that had begun, what was
 * used stays, with the minutes kept free after it. Returns whether there was one.
 */
export async function takeMove(trx: Transaction<DB>, caseId: string): Promise<boolean> {
  await lockItemsOf(trx, caseId)
  const moved = await trx
    .selectFrom('allocation')
    .select('id')
    .where('case_id', '=', caseId)
    .where('purpose', '=', 'move')
    .where('state', '<>', 'released')
    .execute()
  if (moved.length === 0) return false
  await sql`
    with used as (
      select least(min(lower(booked)), clock_timestamp()) as until from allocation
      where case_id = ${caseId} and purpose = 'move' and state <> 'released'
    )
    update allocation set changed_at = clock_timestamp(),
      state = case when lower(booked) < used.until then state else 'released' end,
      during = case when lower(booked) < used.until and used.until < upper(booked)
        then tstzrange(lower(during), used.until + (upper(during) - upper(booked))) else during end,
      booked = case when lower(booked) < used.until and used.until < upper(booked)
        then tstzrange(lower(booked), used.until) else booked end
    from used where case_id = ${caseId} and purpose = 'booking' and state <> 'released'`.execute(trx)
  await trx
    .updateTable('allocation')
    .set({ state: 'final', purpose: 'booking', changed_at: sql`clock_timestamp()` })
    .where(
      'id',
      'in',
      moved.map(({ id }) => id),
    )
    .execute()
  return true
}

/** Releases the slot that the case asked to move to; the case keeps its own. Returns how many rows it released. */
export async function dropMove(trx: Transaction<DB>, caseId: string): Promise<number> {
  await lockItemsOf(trx, caseId)
  return freeSlots(trx, caseId, 'move')
}

/** Releases a hold; only its holder can. */
export async function releaseHold(trx: Transaction<DB>, id: string, { holder, guest }: Holder): Promise<void> {
  const mine = await trx
    .selectFrom('allocation')
    .select(['id', 'item_id'])
    .where((eb) => eb.or([eb('id', '=', id), eb('main_id', '=', id)]))
    .where((eb) => (holder === undefined ? eb('guest_id', '=', guest) : eb('holder_id', '=', holder)))
    .where('state', '=', 'hold')
    .execute()
  if (!mine.some((row) => row.id === id)) throw new BusinessError('platform.not-found')
  await lockItems(
    trx,
    mine.map((row) => row.item_id),
  )
  await giveUpHolds(trx, [{ id }])
}
