import type { FieldError } from '../platform/kernel/errors.ts'
import { type Booking, type Resource, capacityOf } from './booking.ts'
import { closedOn, dayInWords, hoursInWords, isOpen, spanInWords } from './opening-hours.ts'
import { HOUR_MS } from '../platform/kernel/units.ts'

/**
 * A booking question about a resource, with what is known of the person. It may be incomplete when somebody only checks
 * availability.
 */
export interface Question {
  resource: Resource
  /** What the resource is a part of: if one of them is closed, so is the part. */
  wholes: readonly Resource[]
  /** Of the resource in its register. */
  status: string
  booking: Pick<Booking, 'from' | 'until'> & Partial<Booking>
  now: Date
  /** Number of their other future bookings of the resource. */
  ahead: number
  /** Whether it keeps its start, so that the notice was already given. */
  noticeGiven?: boolean
}

type Rule = (question: Question & { begins: number; ends: number }) => FieldError | undefined

const refusal = (field: string, name: string, values?: FieldError['values']): FieldError => ({
  field,
  code: `resource-reservation.${name}`,
  ...(values && { values }),
})

/** Rules that can reject a booking before its slot is checked, in the order of their errors. */
const rules: readonly Rule[] = [
  ({ status, resource }) =>
    status === 'Active' && resource.internal_use ? undefined : refusal('/resource', 'resource-not-available'),

  ({ resource, booking: { association_to_uni: association } }) => {
    const open = {
      current: resource.currently_associated ?? true,
      past: resource.past_associated ?? false,
      not_associated: resource.external_use ?? false,
    }
    return association && !open[association] ? refusal('/association_to_uni', 'association-not-allowed') : undefined
  },

  ({ begins, ends }) => (begins < ends ? undefined : refusal('/until', 'start-before-end')),

  ({ begins, now }) => (begins < now.getTime() ? refusal('/from', 'start-in-past') : undefined),

  ({ resource: { notice_min_hours: hours = 0 }, begins, now, noticeGiven }) =>
    !noticeGiven && begins < now.getTime() + hours * HOUR_MS
      ? refusal('/from', 'too-short-notice', { hours })
      : undefined,

  ({ resource: { notice_max_days: days }, begins, now, noticeGiven }) =>
    days !== undefined && !noticeGiven && begins > now.getTime() + days * 24 * HOUR_MS
      ? refusal('/from', 'too-far-ahead', { days })
      : undefined,

  ({ resource: { length_min_hours: hours = 0 }, begins, ends }) =>
    ends - begins < hours * HOUR_MS ? refusal('/until', 'too-short', { hours }) : undefined,

  ({ resource: { length_max_hours: hours = Infinity }, begins, ends }) =>
    ends - begins > hours * HOUR_MS ? refusal('/until', 'too-long', { hours }) : undefined,

  ({ resource, wholes, begins, ends }) => {
    for (const { opening_hours: hours = [], outside_hours: outside } of [resource, ...wholes]) {
      const day = outside ? undefined : closedOn(hours, begins, ends)
      if (day !== undefined)
        return refusal('/from', 'closed-then', { date: dayInWords(day), hours: hoursInWords(hours, day) })
    }
    return undefined
  },

  ({ resource, wholes, begins, ends }) => {
    const found = [resource, ...wholes]
      .flatMap(({ blackouts = [] }) => blackouts)
      .find(({ from, until }) => Date.parse(from) < ends && begins < Date.parse(until))
    if (!found) return undefined
    const span = spanInWords(Date.parse(found.from), Date.parse(found.until))
    return refusal('/from', 'blacked-out', { span, reason: found.reason })
  },

  ({ resource: { quota_per_person: most = Infinity }, ahead }) =>
    ahead >= most ? refusal('/resource', 'quota-reached', { most }) : undefined,

  ({ resource, booking: { use, team_participants: people = 0 } }) => {
    const capacity = capacityOf(resource, use)
    return capacity !== undefined && people > capacity
      ? refusal('/team_participants', 'over-capacity', { capacity })
      : undefined
  },

  /** An amenity may be in several rows; together they must not exceed what exists. */
  ({ resource: { amenities = [] }, booking: { resource_booking_items: rows = [] } }) => {
    const left = new Map(amenities.map(({ id, quantity }) => [id, quantity]))
    for (const [row, { resource_item_id: id, required_quantity: quantity }] of rows.entries()) {
      const available = left.get(id) ?? 0
      if (quantity > available)
        return refusal(`/resource_booking_items/${row}/required_quantity`, 'quantity-not-available', { available })
      left.set(id, available - quantity)
    }
    return undefined
  },
]

/**
 * The first rule of the resource that a booking breaks; undefined if none. Holds, submissions and availability all use
 * it.
 */
export function refusalOf(question: Question): FieldError | undefined {
  const { from, until } = question.booking
  const asked = { ...question, begins: Date.parse(from), ends: Date.parse(until) }
  for (const rule of rules) {
    const found = rule(asked)
    if (found) return found
  }
  return undefined
}

/** Whether a range is outside the opening hours of the resource or of a resource that contains it. */
export function isOutsideHours(
  resources: readonly Pick<Resource, 'opening_hours'>[],
  { from, until }: Pick<Booking, 'from' | 'until'>,
): boolean {
  return resources.some(({ opening_hours = [] }) => !isOpen(opening_hours, Date.parse(from), Date.parse(until)))
}
