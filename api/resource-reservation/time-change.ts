import { estimate } from '../../forms/resource-reservation/estimate.ts'
import type { Booking, Resource } from './booking.ts'

/** The cost of a change of time in addition to what is agreed; in cents, negative if it is cheaper. */
export type TimeChange = {
  from: string
  until: string
  /** Compared with the first agreed time, including earlier changes. */
  difference: number
}

/** The price of a change in rupees for texts; in cents, each null if it does not apply. */
export type PriceOfChange = {
  newTimeCostsMore: number | null
  newTimeCostsLess: number | null
}

/** The price of a change, for people. */
export function priceOf({ difference }: Pick<TimeChange, 'difference'>): PriceOfChange {
  return {
    newTimeCostsMore: difference > 0 ? difference : null,
    newTimeCostsLess: difference < 0 ? -difference : null,
  }
}

/** A booking at another time, with its difference to the original cost. */
export function timeChange(
  resource: Resource,
  current: Booking,
  { from, until }: Pick<Booking, 'from' | 'until'>,
  facts: { timeChange?: Pick<TimeChange, 'difference'> },
): TimeChange {
  const cost = (span: Pick<Booking, 'from' | 'until'>) =>
    estimate(resource, { ...span, items: current.resource_booking_items ?? [] }).total
  return { from, until, difference: (facts.timeChange?.difference ?? 0) + cost({ from, until }) - cost(current) }
}
