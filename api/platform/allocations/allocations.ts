import { type Transaction, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../db/database.generated.ts'
import { BusinessError } from '../errors.ts'

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
  holder: string
  caseId: string | null
  expiresAt: string | null
}

/** How many slots one person may hold at a time. */
const HOLDS_EACH = 2

/**
 * Slots of register items. Guarantees: no two live allocations of one item overlap (a constraint forbids it too);
 * every write first locks its items in id order, so unequal overlapping ranges wait instead of falling into a
 * deadlock. Callers must not lock register items themselves before they call, except in id order.
 * Locks are `for no key update`: they exclude each other, yet let foreign keys to the item be checked.
 */
export function allocations(trx: Transaction<DB>) {
  async function lockItems(ids: string[]): Promise<{ id: string; status: string }[]> {
    return trx
      .selectFrom('register_item')
      .select(['id', 'status'])
      .where('id', 'in', ids)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  }

  /** Locks the item and clears lapsed holds of the span, so that what still stands there is really taken. */
  async function prepare(item: string, during: Span): Promise<void> {
    if (!(Date.parse(during.from) < Date.parse(during.until)))
      throw new BusinessError('platform.span-empty', {}, [{ field: '/until', code: 'platform.span-empty' }])
    const [locked] = await lockItems([item])
    if (!locked) throw new BusinessError('platform.item-unknown')
    if (locked.status !== 'Active') throw new BusinessError('platform.item-inactive')
    await trx
      .updateTable('allocation')
      .set({ state: 'released', expires_at: null, changed_at: sql`clock_timestamp()` })
      .where('item_id', '=', item)
      .where('state', '=', 'hold')
      .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
      .where(overlaps(during))
      .execute()
  }

  async function refuseTaken(item: string, during: Span, code: string, own?: string): Promise<void> {
    const taken = await trx
      .selectFrom('allocation')
      .select('id')
      .where('item_id', '=', item)
      .where('state', '<>', 'released')
      .where(overlaps(during))
      .$if(own !== undefined, (query) => query.where('id', '<>', own!))
      .limit(1)
      .executeTakeFirst()
    if (taken) throw new BusinessError(code)
  }

  return {
    /**
     * Holds a slot for some minutes. It takes the place of the holder's earlier hold of the same item; a person has
     * at most two holds. Throws `code` when the slot is taken.
     */
    async hold(wanted: {
      item: string
      during: Span
      holder: string
      minutes?: number
      code?: string
    }): Promise<Allocation> {
      const { item, during, holder, minutes = 15, code = 'platform.slot-taken' } = wanted
      // The holder's row first, so that two requests of one person cannot both pass the limit.
      await trx.selectFrom('account').select('id').where('id', '=', holder).forNoKeyUpdate().executeTakeFirstOrThrow()
      await prepare(item, during)
      const held = await trx
        .selectFrom('allocation')
        .select(['id', 'item_id'])
        .where('holder_id', '=', holder)
        .where('state', '=', 'hold')
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .execute()
      const earlier = held.find((one) => one.item_id === item)
      if (!earlier && held.length >= HOLDS_EACH)
        throw new BusinessError('platform.too-many-holds', { most: HOLDS_EACH })
      await refuseTaken(item, during, code, earlier?.id)
      const expires = sql<Date>`clock_timestamp() + make_interval(secs => ${minutes * 60})`
      const row = earlier
        ? await trx
            .updateTable('allocation')
            .set({ during: range(during), expires_at: expires, changed_at: sql`clock_timestamp()` })
            .where('id', '=', earlier.id)
            .returning(columns)
            .executeTakeFirstOrThrow()
        : await trx
            .insertInto('allocation')
            .values({
              id: uuid(),
              item_id: item,
              during: range(during),
              state: 'hold',
              holder_id: holder,
              expires_at: expires,
            })
            .returning(columns)
            .executeTakeFirstOrThrow()
      return allocation(row)
    },

    /** Gives a slot to a case: the holder's own hold of the item becomes claimed, or a free slot is taken. */
    async claim(wanted: {
      item: string
      during: Span
      holder: string
      caseId: string
      path: string
      code?: string
    }): Promise<Allocation> {
      const { item, during, holder, caseId, path, code = 'platform.slot-taken' } = wanted
      await prepare(item, during)
      const own = await trx
        .selectFrom('allocation')
        .select('id')
        .where('item_id', '=', item)
        .where('holder_id', '=', holder)
        .where('state', '=', 'hold')
        // A lapsed one of another time may still stand beside it.
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .executeTakeFirst()
      await refuseTaken(item, during, code, own?.id)
      const claimed = { during: range(during), state: 'claimed', case_id: caseId, path, expires_at: null }
      const row = own
        ? await trx
            .updateTable('allocation')
            .set({ ...claimed, changed_at: sql`clock_timestamp()` })
            .where('id', '=', own.id)
            .returning(columns)
            .executeTakeFirstOrThrow()
        : await trx
            .insertInto('allocation')
            .values({ ...claimed, id: uuid(), item_id: item, holder_id: holder })
            .returning(columns)
            .executeTakeFirstOrThrow()
      return allocation(row)
    },

    /** Makes the slots of a case final; says how many are final now. Doing it again changes nothing. */
    async confirm(caseId: string): Promise<number> {
      await lockItemsOf(caseId)
      await change(caseId, ['claimed'], 'final')
      const { count } = await trx
        .selectFrom('allocation')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('case_id', '=', caseId)
        .where('state', '=', 'final')
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Frees whatever slots a case has; says how many it freed. */
    async release(caseId: string): Promise<number> {
      await lockItemsOf(caseId)
      return change(caseId, ['claimed', 'final'], 'released')
    },

    /** Gives a hold up; only its holder can. */
    async releaseHold(id: string, holder: string): Promise<void> {
      const mine = await trx
        .selectFrom('allocation')
        .select('item_id')
        .where('id', '=', id)
        .where('holder_id', '=', holder)
        .where('state', '=', 'hold')
        .executeTakeFirst()
      if (!mine) throw new BusinessError('platform.not-found')
      await lockItems([mine.item_id])
      await trx
        .updateTable('allocation')
        .set({ state: 'released', expires_at: null, changed_at: sql`clock_timestamp()` })
        .where('id', '=', id)
        .where('state', '=', 'hold')
        .execute()
    },

    /** What stands in a span of an item, in order of time; lapsed holds do not count. */
    async busy(item: string, from: string, until: string): Promise<Allocation[]> {
      const rows = await trx
        .selectFrom('allocation')
        .select(columns)
        .where('item_id', '=', item)
        .where('state', '<>', 'released')
        .where(overlaps({ from, until }))
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`clock_timestamp()`)]))
        .orderBy(sql`lower(during)`)
        .execute()
      return rows.map(allocation)
    },
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

  async function change(caseId: string, from: string[], to: string): Promise<number> {
    const { numUpdatedRows } = await trx
      .updateTable('allocation')
      .set({ state: to, changed_at: sql`clock_timestamp()` })
      .where('case_id', '=', caseId)
      .where('state', 'in', from)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }
}

const columns = [
  'id',
  'item_id',
  'state',
  'holder_id',
  'case_id',
  'expires_at',
  sql<Date>`lower(during)`.as('starts'),
  sql<Date>`upper(during)`.as('ends'),
] as const

function allocation(row: {
  id: string
  item_id: string
  state: string
  holder_id: string
  case_id: string | null
  expires_at: Date | null
  starts: Date
  ends: Date
}): Allocation {
  return {
    id: row.id,
    item: row.item_id,
    state: row.state as Allocation['state'],
    holder: row.holder_id,
    caseId: row.case_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
    from: row.starts.toISOString(),
    until: row.ends.toISOString(),
  }
}

function range({ from, until }: Span) {
  return sql<string>`tstzrange(${from}::timestamptz, ${until}::timestamptz)`
}

function overlaps(span: Span) {
  return sql<boolean>`during && ${range(span)}`
}
