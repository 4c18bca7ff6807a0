import { estimate } from '../../forms/resource-reservation/estimate.ts'
import type { Booking, Resource } from './booking.ts'

/** What a change of time costs beside what is agreed already; cents, below zero where it costs less. */
export type TimeChange = {
  from: string
  until: string
  /** Against the first time that was agreed, earlier changes included. */
  difference: number
}

/** A change of time in rupees, as people are told of it in words; in cents, null where it is not so. */
export type PriceOfChange = {
  newTimeCostsMore: number | null
  newTimeCostsLess: number | null
}

/** What people are told of the price of a change. */
export function priceOf({ difference }: Pick<TimeChange, 'difference'>): PriceOfChange {
  return {
    newTimeCostsMore: difference > 0 ? difference : null,
    newTimeCostsLess: difference < 0 ? -difference : null,
  }
}

/** A booking at another time, with the difference to what it cost at first. */
export function timeChange(
  resource: Resource,
  current: Booking,
  { from, until }: Pick<Booking, 'from' | 'until'>,
  facts: { timeChange?: TimeChange },
): TimeChange {
  const cost = (span: Pick<Booking, 'from' | 'until'>) =>
    estimate(resource, { ...span, items: current.resource_booking_items ?? [] }).total
  return { from, until, difference: (facts.timeChange?.difference ?? 0) + cost({ from, until }) - cost(current) }
}
