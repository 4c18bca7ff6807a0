import { type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ONE_PLAN } from '../../kernel/db/database.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Allocation, Holder, WantedSlot } from './allocations.ts'
import { type AllocationRow, allocation, kept, range } from './allocation-row.ts'
import { freeSlots, giveUpHolds } from './case-slots.ts'
import { refuseKept } from './rests.ts'
import { known } from '../../kernel/known.ts'
import { oneOf } from '../../kernel/one-of.ts'

/** Maximum number of holds per person. */
const MAX_HOLDS_PER_PERSON = 2

/** An entry that is locked in this transaction. */
interface Locked {
  id: string
  title: string
  status: string
  /** True if nobody else can have it in this time; false if it is lent, or only being released. */
  exclusive: boolean
  there: number | null
}

/** The state to write to a slot's rows. */
export interface Written {
  state: 'hold' | 'claimed' | 'final'
  holder: string | null
  guest: string | null
  caseId: string | null
  path: string | null
  purpose: 'booking' | 'move'
  /** Minutes until it expires. */
  minutes: number | null
}

/**
 * Locks the entry, its parts, what is lent and what is released, each for this transaction alone: under shared locks,
 * inserts of a part and its whole deadlock. Throws for what cannot be allocated at all.
 */
async function prepareSlot(trx: Transaction<DB>, wanted: WantedSlot, left: readonly string[] = []): Promise<Locked[]> {
  const { item, booked, lent = [] } = wanted
  if (!(Date.parse(booked.from) < Date.parse(booked.until)))
    throw new BusinessError('platform.span-empty', {}, [{ field: '/until', code: 'platform.span-empty' }])
  const { rows } = await sql<Locked>`
    with recursive part (id) as (
      select ${item}::uuid
      union
      select i.id from register_item i join part on lower(i.data ->> 'parent') = part.id::text
        where i.data ->> 'parent' is not null
    )
    select id, title, status, id = any (array (select id from part)) as exclusive,
      (data ->> 'quantity')::double precision as there
    from register_item
    where id = any (array (select id from part union all select unnest(${[...lent.map((one) => one.item), ...left]}::uuid[])))
    order by id for no key update`.execute(trx)
  for (const id of [item, ...lent.map((one) => one.item)]) {
    const locked = rows.find((row) => row.id === id)
    if (!locked) throw new BusinessError('platform.item-unknown')
    if (locked.status !== 'Active') throw new BusinessError('platform.item-inactive')
  }
  return rows
}

/**
 * With the entries locked: removes expired holds, throws for what is taken, and returns the holder's own holds and whether
 * the entry has a rest noted at any time.
 */
async function lookForSlot(
  trx: Transaction<DB>,
  wanted: WantedSlot,
  items: readonly Locked[],
  { holder, guest, caseId = null }: { holder: string | null; guest: string | null; caseId?: string | null },
): Promise<{ own: { id: string; item: string }[]; rests: boolean }> {
  const { lent = [], code = 'platform.slot-taken', partCode = code, lentCode = 'platform.too-few-left' } = wanted
  const parts = items.filter((one) => one.exclusive).map((one) => one.id)
  const during = range(kept(wanted))
  const { rows } = await sql<{
    taken: string | null
    grown: boolean
    own: { id: string; item: string }[]
    rests: boolean
    lent: Record<string, number> | null
  }>`
    ${ONE_PLAN} with now as materialized (select clock_timestamp() as at), lapsed as (
      update allocation set state = 'released', expires_at = null, changed_at = now.at
      from now
      where item_id = any (${items.map((one) => one.id)}::uuid[]) and state = 'hold'
        and expires_at <= now.at and during && ${during}
    ), own as (
      select id, item_id from allocation
      where (holder_id = ${holder} or guest_id = ${guest}) and state = 'hold' and main_id is null
        and expires_at > (select at from now)
    ), mine as (
      select coalesce(array_agg(id), '{}') || coalesce(array[${caseId}::uuid], '{}') as ids
      from own where item_id = ${wanted.item}
    )
    select
      (select item_id from allocation
        where item_id = any (${parts}::uuid[]) and exclusive and state <> 'released' and during && ${during}
          and (expires_at is null or expires_at > (select at from now))
          and coalesce(case_id, main_id, id) <> all (array_remove(mine.ids, null))
        order by item_id <> ${wanted.item} limit 1) as taken,
      exists (select from register_item where lower(data ->> 'parent') = any (${parts}::text[])
        and data ->> 'parent' is not null and id <> all (${parts}::uuid[])) as grown,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'item', item_id)), '[]') from own) as own,
      exists (select from item_rest where item_id = ${wanted.item}) as rests,
      (select jsonb_object_agg(item, lent_most(item, ${during}, array_remove(mine.ids, null)))
        from unnest(${lent.map((one) => one.item)}::uuid[]) as item) as lent
    from mine`.execute(trx)
  const found = known(rows[0], 'what was found')
  // A part was added between the query for parts and the lock.
  if (found.grown) throw new BusinessError('platform.changed-meanwhile')
  const itemOf = (id: string) =>
    known(
      items.find((one) => one.id === id),
      'a locked item',
    )
  if (found.taken) {
    const part = itemOf(found.taken)
    throw new BusinessError(part.id === wanted.item ? code : partCode, { part: part.title })
  }
  for (const { item, quantity } of lent) {
    const { title, there } = itemOf(item)
    const available = Math.max(0, (there ?? 0) - known(found.lent?.[item], 'what is lent of an item'))
    if (quantity > available) throw new BusinessError(lentCode, { item: title, available })
  }
  return { own: found.own, rests: found.rests }
}

/** Writes a slot: updates the rows that its main row has already, and inserts the missing ones. */
async function putSlot(
  trx: Transaction<DB>,
  wanted: WantedSlot,
  items: readonly Locked[],
  main: string | undefined,
  { state, holder, guest, caseId, path, purpose, minutes }: Written,
): Promise<Allocation> {
  const id = main ?? uuid()
  const rows = [
    ...items.filter((one) => one.exclusive).map((one) => ({ item_id: one.id, exclusive: true, quantity: 1 })),
    ...(wanted.lent ?? []).map((one) => ({ item_id: one.item, exclusive: false, quantity: one.quantity })),
  ]
  const set = sql`${range(kept(wanted))} as during, ${range(wanted.booked)} as booked, ${state} as state,
    ${holder}::uuid as holder_id, ${guest}::uuid as guest_id, ${caseId}::uuid as case_id, ${path} as path,
    ${purpose} as purpose, ${wanted.mostADay ?? null}::smallint as most_a_day, clock_timestamp() + make_interval(secs => ${minutes === null ? null : minutes * 60}) as expires_at`
  const { rows: written } = await sql<AllocationRow>`
    ${ONE_PLAN} with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as w(item_id uuid, exclusive boolean, quantity integer), lateral (select ${set}) as slot
    ), dropped as (
      update allocation set state = 'released', expires_at = null, changed_at = clock_timestamp()
      where main_id = ${id} and state <> 'released' and item_id not in (select item_id from wanted)
    ), changed as (
      update allocation a set during = w.during, booked = w.booked, state = w.state, holder_id = w.holder_id,
        guest_id = w.guest_id, case_id = w.case_id, path = w.path, purpose = w.purpose, expires_at = w.expires_at,
        most_a_day = w.most_a_day,
        quantity = w.quantity, changed_at = clock_timestamp()
      from wanted w
      where (a.id = ${id} or a.main_id = ${id}) and a.state <> 'released' and a.item_id = w.item_id
        and a.exclusive = w.exclusive
      returning a.*
    ), made as (
      insert into allocation (id, main_id, item_id, exclusive, quantity, during, booked, state, holder_id, guest_id,
        case_id, path, purpose, most_a_day, expires_at)
      select case when item_id = ${wanted.item} then ${id}::uuid else gen_random_uuid() end,
        case when item_id <> ${wanted.item} then ${id}::uuid end, item_id, exclusive, quantity, during, booked, state,
        holder_id, guest_id, case_id, path, purpose, most_a_day, expires_at
      from wanted where item_id not in (select item_id from changed)
      returning *
    )
    select id, item_id, state, holder_id, case_id, expires_at, lower(during) as starts, upper(during) as ends,
      lower(booked) as begins, upper(booked) as finishes
    from (select * from changed union all select * from made) as slot where id = ${id}`.execute(trx)
  return allocation(known(written[0], 'the written slot'))
}

/**
 * Holds a slot for some minutes. It replaces the holder's earlier hold of the same entry; a person has at most two
 * holds. Throws `code` if the slot is taken.
 */
export async function holdSlot(
  trx: Transaction<DB>,
  wanted: WantedSlot & Holder & { minutes?: number },
): Promise<Allocation> {
  const { holder = null, guest = null, minutes = 15 } = wanted
  // Lock the holder first, so that two requests of one person cannot both pass the limit.
  if (holder)
    await trx.selectFrom('account').select('id').where('id', '=', holder).forNoKeyUpdate().executeTakeFirstOrThrow()
  else await sql`select pg_advisory_xact_lock(hashtextextended(${guest}, 0))`.execute(trx)
  const items = await prepareSlot(trx, wanted)
  const { own } = await lookForSlot(trx, wanted, items, { holder, guest })
  const earlier = own.find((one) => one.item === wanted.item)
  if (!earlier && own.length >= MAX_HOLDS_PER_PERSON)
    throw new BusinessError('platform.too-many-holds', { most: MAX_HOLDS_PER_PERSON })
  const written = { state: 'hold', holder, guest, caseId: null, path: null, purpose: 'booking', minutes } as const
  return putSlot(trx, wanted, items, earlier?.id, written)
}

/**
 * Gives a slot to a case: claims the holder's own hold of the entry (or the hold they made as a guest), or takes a free
 * slot. A move keeps both slots until `takeMove` or `dropMove`.
 */
export async function claimSlot(
  trx: Transaction<DB>,
  wanted: WantedSlot & {
    holder: string
    guest?: string
    caseId: string
    path: string
    purpose?: Written['purpose']
  },
): Promise<Allocation> {
  const { holder, guest = null, caseId, path, purpose = 'booking' } = wanted
  const items = await prepareSlot(trx, wanted)
  // Do not use the holds of the account that the guest turns out to be: the answer would reveal that it exists.
  const { own, rests } = await lookForSlot(trx, wanted, items, {
    holder: guest === null ? holder : null,
    guest,
    caseId,
  })
  if (rests || wanted.mostADay !== undefined) await refuseKept(trx, wanted, caseId)
  const [held, ...further] = own.filter((one) => one.item === wanted.item)
  await giveUpHolds(trx, further)
  const written = { state: 'claimed', holder, guest: null, caseId, path, purpose, minutes: null } as const
  return putSlot(trx, wanted, items, held?.id, written)
}

/** Replaces the slot that the case has for this field. It stays claimed or final, as it was. */
export async function reclaimSlot(
  trx: Transaction<DB>,
  wanted: WantedSlot & { holder: string; caseId: string; path: string },
): Promise<Allocation> {
  const { holder, caseId, path } = wanted
  const rows = await trx
    .selectFrom('allocation')
    .select(['id', 'item_id', 'main_id', 'state'])
    .where('case_id', '=', caseId)
    .where('path', '=', path)
    .where('purpose', '=', 'booking')
    .where('state', '<>', 'released')
    .execute()
  const main = rows.find((row) => row.main_id === null)
  if (!main) throw new Error(`case ${caseId} has no slot for ${path}`)
  const items = await prepareSlot(
    trx,
    wanted,
    rows.map((row) => row.item_id),
  )
  const { own, rests } = await lookForSlot(trx, wanted, items, { holder, guest: null, caseId })
  if (rests || wanted.mostADay !== undefined) await refuseKept(trx, wanted, caseId)
  await giveUpHolds(
    trx,
    own.filter((one) => one.item === wanted.item),
  )
  const same = main.item_id === wanted.item
  if (!same) await freeSlots(trx, caseId, 'booking', path)
  const state = oneOf(['claimed', 'final'], main.state)
  const written = { state, holder, guest: null, caseId, path, purpose: 'booking', minutes: null } as const
  return putSlot(trx, wanted, items, same ? main.id : undefined, written)
}
