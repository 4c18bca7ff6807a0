import { type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'

/** A span of time, its end excluded; ISO 8601 with an offset. */
export interface Span {
  from: string
  until: string
}

/** A slot of an item that somebody has: held for some minutes, claimed by a case, or final. */
export interface Allocation extends Span {
  id: string
  item: string
  state: 'hold' | 'claimed' | 'final'
  /** The account that has it; null for a guest's hold. */
  holder: string | null
  caseId: string | null
  expiresAt: string | null
  /** What was asked for; `from` and `until` are what is kept free for it. */
  booked: Span
}

/** A slot as somebody wants it, with what goes with it; the parts of the item are taken along by themselves. */
export interface WantedSlot {
  item: string
  booked: Span
  /** Minutes that stay free before it, and after it. */
  before?: number
  after?: number
  /** Countable items that are lent for it, each named once. */
  lent?: readonly { item: string; quantity: number }[]
  /** What is said when the item, a part of it, or a countable item is not to be had. */
  code?: string
  partCode?: string
  lentCode?: string
}

/** Who holds a slot: an account, or a guest's session. */
export type Holder = { holder: string; guest?: never } | { guest: string; holder?: never }

/** What stands in a span of an item: wholly taken, or so many of it lent. Rows of one owner have one `whose`. */
export interface Occupied extends Span {
  item: string
  exclusive: boolean
  quantity: number
  whose: string
}

/** How many slots one person may hold at a time. */
const HOLDS_EACH = 2
const MINUTE = 60_000

/** An item that is locked now. */
interface Locked {
  id: string
  title: string
  status: string
  /** Nobody else can have it meanwhile; otherwise it is lent, or only left. */
  exclusive: boolean
  there: number | null
}

/** What becomes of a slot's rows. */
interface Written {
  state: 'hold' | 'claimed' | 'final'
  holder: string | null
  guest: string | null
  caseId: string | null
  path: string | null
  purpose: 'booking' | 'move'
  /** Minutes until it lapses. */
  minutes: number | null
}

/**
 * Slots of register items. Guarantees: no two live allocations of one item overlap, unless they are one case's, and of
 * no item more is lent at any moment than there is (the database forbids both too). Every write first locks its items
 * in id order, so unequal overlapping ranges wait instead of falling into a deadlock. Callers must not lock register
 * items themselves before they call, except in id order. Locks are `for no key update`: they exclude each other, yet let
 * foreign keys to the item be checked.
 */
export function allocations(trx: Transaction<DB>) {
  return {
    /**
     * Holds a slot for some minutes. It takes the place of the holder's earlier hold of the same item; a person has
     * at most two holds. Throws `code` when the slot is taken.
     */
    async hold(wanted: WantedSlot & Holder & { minutes?: number }): Promise<Allocation> {
      const { holder = null, guest = null, minutes = 15 } = wanted
      // The holder first, so that two requests of one person cannot both pass the limit.
      if (holder)
        await trx.selectFrom('account').select('id').where('id', '=', holder).forNoKeyUpdate().executeTakeFirstOrThrow()
      else await sql`select pg_advisory_xact_lock(hashtextextended(${guest}, 0))`.execute(trx)
      const items = await prepare(wanted)
      const own = await look(wanted, items, { holder, guest })
      const earlier = own.find((one) => one.item === wanted.item)
      if (!earlier && own.length >= HOLDS_EACH) throw new BusinessError('platform.too-many-holds', { most: HOLDS_EACH })
      const written = { state: 'hold', holder, guest, caseId: null, path: null, purpose: 'booking', minutes } as const
      return put(wanted, items, earlier?.id, written)
    },

    /**
     * Gives a slot to a case: the holder's own hold of the item (or that of the guest they were) becomes claimed, or a
     * free slot is taken. A move stands beside the slot that the case has until `takeMove` or `dropMove`.
     */
    async claim(
      wanted: WantedSlot & {
        holder: string
        guest?: string
        caseId: string
        path: string
        purpose?: Written['purpose']
      },
    ): Promise<Allocation> {
      const { holder, guest = null, caseId, path, purpose = 'booking' } = wanted
      const items = await prepare(wanted)
      // Not the holds of whoever the guest turns out to be, or the answer would tell of them.
      const own = await look(wanted, items, { holder: guest === null ? holder : null, guest, caseId })
      const [held, ...further] = own.filter((one) => one.item === wanted.item)
      await giveUp(further)
      const written = { state: 'claimed', holder, guest: null, caseId, path, purpose, minutes: null } as const
      return put(wanted, items, held?.id, written)
    },

    /** Puts another slot in place of the one that the case has for this field; it stays claimed, or final, as it was. */
    async reclaim(wanted: WantedSlot & { holder: string; caseId: string; path: string }): Promise<Allocation> {
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
      const items = await prepare(
        wanted,
        rows.map((row) => row.item_id),
      )
      const own = await look(wanted, items, { holder, guest: null, caseId })
      await giveUp(own.filter((one) => one.item === wanted.item))
      const same = main.item_id === wanted.item
      if (!same) await release(caseId, 'booking', path)
      const state = main.state as 'claimed' | 'final'
      const written = { state, holder, guest: null, caseId, path, purpose: 'booking', minutes: null } as const
      return put(wanted, items, same ? main.id : undefined, written)
    },

    /** Makes the slots of a case final; says how many are final now. Doing it again changes nothing. */
    async confirm(caseId: string): Promise<number> {
      await lockItemsOf(caseId)
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
    },

    /** Frees whatever a case has; says how many rows it freed. */
    async release(caseId: string): Promise<number> {
      await lockItemsOf(caseId)
      return release(caseId)
    },

    /** The slot that the case asked to move to becomes its own, and the old one is free; says whether there was one. */
    async takeMove(caseId: string): Promise<boolean> {
      await lockItemsOf(caseId)
      const moved = await trx
        .selectFrom('allocation')
        .select('id')
        .where('case_id', '=', caseId)
        .where('purpose', '=', 'move')
        .where('state', '<>', 'released')
        .execute()
      if (moved.length === 0) return false
      await release(caseId, 'booking')
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
    },

    /** The case stays where it is, and what it asked to move to is free; says how many rows it freed. */
    async dropMove(caseId: string): Promise<number> {
      await lockItemsOf(caseId)
      return release(caseId, 'move')
    },

    /** Gives a hold up; only its holder can. */
    async releaseHold(id: string, { holder, guest }: Holder): Promise<void> {
      const mine = await trx
        .selectFrom('allocation')
        .select(['id', 'item_id'])
        .where((eb) => eb.or([eb('id', '=', id), eb('main_id', '=', id)]))
        .where((eb) => (holder === undefined ? eb('guest_id', '=', guest) : eb('holder_id', '=', holder)))
        .where('state', '=', 'hold')
        .execute()
      if (!mine.some((row) => row.id === id)) throw new BusinessError('platform.not-found')
      await lockItems(mine.map((row) => row.item_id))
      await giveUp([{ id }])
    },

    /** When items are taken in a span, in order of time; lapsed holds do not count. */
    async busy(items: readonly string[], from: string, until: string): Promise<Allocation[]> {
      const rows = await trx
        .selectFrom('allocation')
        .select(columns)
        .where('item_id', 'in', items)
        .where('exclusive', '=', true)
        .where('state', '<>', 'released')
        .where(sql<boolean>`during && ${range({ from, until })}`)
        .where(live)
        .orderBy(sql`lower(during)`)
        .orderBy('id')
        .execute()
      return rows.map(allocation)
    },

    /** What stands in a span of any of these items and is neither a hold of this account or guest nor this case's. */
    async occupied(
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
        .$if(besides.caseId !== undefined, (query) =>
          query.where(sql<boolean>`case_id is distinct from ${besides.caseId}`),
        )
        .where(
          sql<boolean>`(state <> 'hold' or coalesce(holder_id, guest_id) is distinct from ${besides.holder || null})`,
        )
        .execute()
      return rows.map(({ item_id, exclusive, quantity, whose, starts, ends }) => ({
        ...{ item: item_id, exclusive, quantity, whose },
        ...{ from: starts.toISOString(), until: ends.toISOString() },
      }))
    },

    /** Each of these items with all its parts, itself first. */
    async wholes(items: readonly string[]): Promise<Map<string, string[]>> {
      const { rows } = await sql<{ whole: string; id: string }>`
        with recursive part (whole, id) as (
          select id, id from unnest(${items}::uuid[]) as id
          union
          select part.whole, i.id from register_item i join part on lower(i.data ->> 'parent') = part.id::text
            where i.data ->> 'parent' is not null
        )
        select whole, id from part`.execute(trx)
      const found = new Map(items.map((id) => [id, [id]]))
      for (const { whole, id } of rows) if (id !== whole) found.get(whole)!.push(id)
      return found
    },
  }

  /** Locks the item, its parts, what is lent and what is left, and refuses what cannot be had at all. */
  async function prepare(wanted: WantedSlot, left: readonly string[] = []): Promise<Locked[]> {
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
   * With the items locked: clears lapsed holds out of the way, refuses what is taken, and gives the holds that are the
   * holder's own.
   */
  async function look(
    wanted: WantedSlot,
    items: readonly Locked[],
    { holder, guest, caseId = null }: { holder: string | null; guest: string | null; caseId?: string | null },
  ): Promise<{ id: string; item: string }[]> {
    const { lent = [], code = 'platform.slot-taken', partCode = code, lentCode = 'platform.too-few-left' } = wanted
    const parts = items.filter((one) => one.exclusive).map((one) => one.id)
    const during = range(kept(wanted))
    const { rows } = await sql<{
      taken: string | null
      grown: boolean
      own: { id: string; item: string }[]
      lent: Record<string, number> | null
    }>`
      with now as materialized (select clock_timestamp() as at), lapsed as (
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
        (select jsonb_object_agg(item, lent_most(item, ${during}, array_remove(mine.ids, null)))
          from unnest(${lent.map((one) => one.item)}::uuid[]) as item) as lent
      from mine`.execute(trx)
    const found = rows[0]!
    // A part was added after we had looked for parts and before we had the lock.
    if (found.grown) throw new BusinessError('platform.changed-meanwhile')
    if (found.taken) {
      const part = items.find((one) => one.id === found.taken)!
      throw new BusinessError(part.id === wanted.item ? code : partCode, { part: part.title })
    }
    for (const { item, quantity } of lent) {
      const { title, there } = items.find((one) => one.id === item)!
      const available = Math.max(0, (there ?? 0) - found.lent![item]!)
      if (quantity > available) throw new BusinessError(lentCode, { item: title, available })
    }
    return found.own
  }

  /** Writes a slot: the rows that its main one has already are changed in place, what is missing is made. */
  async function put(
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
      ${purpose} as purpose, clock_timestamp() + make_interval(secs => ${minutes === null ? null : minutes * 60}) as expires_at`
    const { rows: written } = await sql<AllocationRow>`
      with wanted as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as w(item_id uuid, exclusive boolean, quantity integer), lateral (select ${set}) as slot
      ), dropped as (
        update allocation set state = 'released', expires_at = null, changed_at = clock_timestamp()
        where main_id = ${id} and state <> 'released' and item_id not in (select item_id from wanted)
      ), changed as (
        update allocation a set during = w.during, booked = w.booked, state = w.state, holder_id = w.holder_id,
          guest_id = w.guest_id, case_id = w.case_id, path = w.path, purpose = w.purpose, expires_at = w.expires_at,
          quantity = w.quantity, changed_at = clock_timestamp()
        from wanted w
        where (a.id = ${id} or a.main_id = ${id}) and a.state <> 'released' and a.item_id = w.item_id
          and a.exclusive = w.exclusive
        returning a.*
      ), made as (
        insert into allocation (id, main_id, item_id, exclusive, quantity, during, booked, state, holder_id, guest_id,
          case_id, path, purpose, expires_at)
        select case when item_id = ${wanted.item} then ${id}::uuid else gen_random_uuid() end,
          case when item_id <> ${wanted.item} then ${id}::uuid end, item_id, exclusive, quantity, during, booked, state,
          holder_id, guest_id, case_id, path, purpose, expires_at
        from wanted where item_id not in (select item_id from changed)
        returning *
      )
      select id, item_id, state, holder_id, case_id, expires_at, lower(during) as starts, upper(during) as ends,
        lower(booked) as begins, upper(booked) as finishes
      from (select * from changed union all select * from made) as slot where id = ${id}`.execute(trx)
    return allocation(written[0]!)
  }

  async function lockItems(ids: readonly string[]): Promise<void> {
    await trx.selectFrom('register_item').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
  }

  async function lockItemsOf(caseId: string): Promise<void> {
    const items = await trx
      .selectFrom('allocation')
      .select('item_id')
      .distinct()
      .where('case_id', '=', caseId)
      .execute()
    if (items.length > 0) await lockItems(items.map((row) => row.item_id))
  }

  /** Frees holds whose items are locked. */
  async function giveUp(holds: readonly { id: string }[]): Promise<void> {
    if (holds.length === 0) return
    const ids = holds.map(({ id }) => id)
    await trx
      .updateTable('allocation')
      .set({ state: 'released', expires_at: null, changed_at: sql`clock_timestamp()` })
      .where((eb) => eb.or([eb('id', 'in', ids), eb('main_id', 'in', ids)]))
      .where('state', '=', 'hold')
      .execute()
  }

  /** Frees a case's rows, those of one purpose or field only where they are named. */
  async function release(caseId: string, purpose?: Written['purpose'], path?: string): Promise<number> {
    const { numUpdatedRows } = await trx
      .updateTable('allocation')
      .set({ state: 'released', changed_at: sql`clock_timestamp()` })
      .where('case_id', '=', caseId)
      .where('state', '<>', 'released')
      .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose!))
      .$if(path !== undefined, (query) => query.where('path', '=', path!))
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }
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

interface AllocationRow {
  id: string
  item_id: string
  state: string
  holder_id: string | null
  case_id: string | null
  expires_at: Date | null
  starts: Date
  ends: Date
  begins: Date
  finishes: Date
}

function allocation(row: AllocationRow): Allocation {
  return {
    id: row.id,
    item: row.item_id,
    state: row.state as Allocation['state'],
    holder: row.holder_id,
    caseId: row.case_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
    from: row.starts.toISOString(),
    until: row.ends.toISOString(),
    booked: { from: row.begins.toISOString(), until: row.finishes.toISOString() },
  }
}

/** What is kept free for a slot: what was asked for, and the minutes before and after it. */
export function kept({ booked, before = 0, after = 0 }: Pick<WantedSlot, 'booked' | 'before' | 'after'>): Span {
  return {
    from: new Date(Date.parse(booked.from) - before * MINUTE).toISOString(),
    until: new Date(Date.parse(booked.until) + after * MINUTE).toISOString(),
  }
}

function range({ from, until }: Span) {
  return sql<string>`tstzrange(${from}::timestamptz, ${until}::timestamptz)`
}
