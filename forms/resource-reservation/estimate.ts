/** What a resource costs; money in cents of a rupee. The names are those of the register. */
export type Prices = {
  cost_applicable: boolean
  base_cost?: number
  base_cost_basis?: Basis
  /** Hours that one base cost covers: of the whole booking (Per Hour), or of each day (Per Day). */
  base_hours?: number
  extra_cost?: number
  /** The extra cost is due for each begun run of this many hours (or days) beyond what the base covers. */
  extra_cost_number?: number
  extra_cost_basis?: Basis
  refundable_deposit?: number
  amenities?: { id: string; amount: number }[]
}

type Basis = 'Per Day' | 'Per Hour'

/** What the booker wants: one continuous range, and amenities by their ids. */
export interface Wanted {
  from: string
  until: string
  items?: { resource_item_id: string; required_quantity: number }[]
}

/** All money in cents; hours are rounded up, days are the calendar days touched. */
export type Estimate = {
  hours: number
  days: number
  base: number
  extra: number
  amenities: number
  deposit: number
  total: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Sri Lanka keeps one offset all year, so its calendar day needs no time zone data in the browser. */
const COLOMBO_AHEAD_MS = 5.5 * HOUR_MS

/**
 * What a booking will cost. Estimate and invoice use this same function. A resource without cost, and a range that
 * does not begin before it ends, cost nothing.
 */
export function estimate(prices: Prices, wanted: Wanted): Estimate {
  const from = Date.parse(wanted.from)
  const until = Date.parse(wanted.until)
  if (!(from < until)) return { hours: 0, days: 0, base: 0, extra: 0, amenities: 0, deposit: 0, total: 0 }

  const hours = Math.ceil((until - from) / HOUR_MS)
  // The last moment still belongs to the booking, midnight itself does not.
  const days = dayOf(until - 1) - dayOf(from) + 1
  if (!prices.cost_applicable) return { hours, days, base: 0, extra: 0, amenities: 0, deposit: 0, total: 0 }

  const rate = prices.base_cost ?? 0
  const perDay = prices.base_cost_basis === 'Per Day'
  const covers = prices.base_hours
  const base = perDay ? rate * days : covers ? rate : rate * hours
  const beyond = covers ? Math.max(0, hours - (perDay ? covers * days : covers)) : 0
  const extra = extraOf(prices, beyond)
  const amenities = amenitiesOf(prices, wanted)
  const deposit = prices.refundable_deposit ?? 0
  return { hours, days, base, extra, amenities, deposit, total: base + extra + amenities + deposit }
}

function dayOf(moment: number): number {
  return Math.floor((moment + COLOMBO_AHEAD_MS) / DAY_MS)
}

function extraOf({ extra_cost = 0, extra_cost_number = 1, extra_cost_basis }: Prices, beyond: number): number {
  const units = extra_cost_basis === 'Per Day' ? beyond / 24 : beyond
  return Math.ceil(units / extra_cost_number) * extra_cost
}

function amenitiesOf({ amenities = [] }: Prices, { items = [] }: Wanted): number {
  const amounts = new Map(amenities.map((amenity) => [amenity.id, amenity.amount]))
  return items.reduce((sum, item) => sum + item.required_quantity * (amounts.get(item.resource_item_id) ?? 0), 0)
}
