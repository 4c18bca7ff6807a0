import { type RawBuilder, sql } from 'kysely'
import { isMoment } from '../../kernel/paging.ts'
import type { Sort } from './query.ts'
import type { Position } from './places.ts'

export interface Order {
  /** The sort key of a row `i` of `inbox`; for orders by creation also of `inbox_filter`. */
  key: RawBuilder<unknown>
  type: 'timestamptz' | 'bigint'
  range?: 'created' | 'due' | 'amount'
  descending?: true
}

export const byCreation: Order = { key: sql`i.created`, type: 'timestamptz', range: 'created' }

export const byAmount: Order = { key: sql`coalesce(i.amount, -1)`, type: 'bigint', range: 'amount' }

export const orders: Record<Sort, Order> = {
  created: byCreation,
  '-created': { ...byCreation, descending: true },
  due: { key: sql`coalesce(i.due, 'infinity'::timestamptz)`, type: 'timestamptz', range: 'due' },
  'follow-up': { key: sql`coalesce(i.follow_up, 'infinity'::timestamptz)`, type: 'timestamptz' },
  '-priority': { key: sql`(-i.priority)`, type: 'bigint' },
  amount: byAmount,
  '-amount': { ...byAmount, descending: true },
}

/** Whether a text is a valid key of this order. */
export function isKey(sort: Sort, text: string): boolean {
  return orders[sort].type === 'bigint' ? /^-?\d{1,18}$/.test(text) : text === 'infinity' || isMoment(text)
}

/** Limits rows to those after a position in their order. */
export function beyondOf(order: Order, after: Position | undefined, key: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!after) return sql``
  const beyond = order.descending ? sql`<` : sql`>`
  if (order.range === 'created')
    return sql`and (i.created, i.task) ${beyond} (${after.created}::timestamptz, ${after.task})`
  const value = order.type === 'bigint' ? sql`${after.key}::bigint` : sql`${after.key}::timestamptz`
  return sql`and (${key}, i.created, i.task) ${beyond} (${value}, ${after.created}::timestamptz, ${after.task})`
}

/** The sort expressions for an alias: first the key, then the tie-breakers. */
export function ordered(order: Order, alias: string) {
  const names = order.range === 'created' ? ['created', 'task'] : ['key', 'created', 'task']
  return sql.join(names.map((name) => sql`${sql.ref(`${alias}.${name}`)} ${direction(order)}`))
}

export function direction({ descending }: Order) {
  return descending ? sql`desc` : sql`asc`
}

/** A key that sorts before all others. */
export function least({ type }: Order) {
  return type === 'bigint' ? sql`'-9223372036854775808'::bigint` : sql`'-infinity'::timestamptz`
}

/** A key that sorts after all others. */
export function most({ type }: Order) {
  return type === 'bigint' ? sql`'9223372036854775807'::bigint` : sql`'infinity'::timestamptz`
}
