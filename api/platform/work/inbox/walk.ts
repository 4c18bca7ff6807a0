import { type RawBuilder, sql } from 'kysely'
import type { Sort } from './query.ts'
import { type Order, beyondOf, direction, orders } from './orders.ts'
import { type Listed, type Position, inPlace, tableOf } from './places.ts'
import { conditionsOf, restrictions, types, within } from './conditions.ts'

/** How a list is read along an index. */
export interface Walk {
  order: Order
  /** The table, as `i`. */
  from: RawBuilder<unknown>
  /** The conditions that the index itself covers, beside the place. */
  kept: RawBuilder<unknown>
  place: RawBuilder<unknown>
  /** The other conditions on each row. */
  conditions: RawBuilder<unknown>[]
  /** Joins what the conditions read if the walked table does not have it. */
  joined: RawBuilder<unknown>
  /** Whether a condition can exclude most rows. */
  narrowing: boolean
}

/** The index to read a list along, and the conditions that remain. */
export function walkOf(listed: Listed, sort: Sort): Walk {
  const order = orders[sort]
  const [first, ...others] = listed.equal
  const marked = first !== undefined && order.range === 'created' && listed.of === 'inbox'
  // Decisions are not in the order in which their tasks were created.
  const range = listed.of === 'inbox' ? order.range : undefined
  const native = range && listed.of === 'inbox' ? listed[range] : undefined
  const rest = { ...listed, equal: marked ? others : listed.equal, ...(range && native && { [range]: undefined }) }
  const narrowing = conditionsOf(rest)
  const conditions = [...narrowing, ...restrictions(listed)]
  return {
    order,
    from: marked ? sql`inbox_filter` : tableOf(listed),
    place: inPlace(listed),
    kept: sql`${marked ? sql`and i.field = ${first[0]} and i.value = ${first[1]}` : sql``}
      ${range && native ? within(order.key, types[range], native) : sql``}`,
    conditions,
    joined:
      marked && conditions.length > 0
        ? sql`cross join lateral (select x.flow, x.amount, x.due, x.follow_up from inbox x where x.principal = i.principal
            and x.state = i.state and x.created = i.created and x.task = i.task offset 0) more`
        : sql``,
    narrowing: narrowing.length > 0,
  }
}

/** The next rows of a place `p` in the order of a walk. */
export function step(
  { order, from, place, kept }: Walk,
  {
    after,
    limit,
    more = sql``,
  }: { after: Position | undefined; limit: RawBuilder<unknown>; more?: RawBuilder<unknown> },
) {
  const along = order.range === 'created' ? sql`` : sql`${order.key} ${direction(order)},`
  return sql`select ${order.key} as key, i.* from ${from} i where ${place} ${kept} ${beyondOf(order, after, order.key)} ${more}
    order by ${along} i.created ${direction(order)}, i.task ${direction(order)} limit ${limit}`
}
