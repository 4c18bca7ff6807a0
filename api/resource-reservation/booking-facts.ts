import { type Estimate, type Prices, estimate } from '../../forms/resource-reservation/estimate.ts'
import { dayInColombo } from '../platform/calendar/colombo.ts'
import type { JsonObject } from '../platform/db/database.generated.ts'

/** What a booking needs of the resource's entry in its register. */
export interface Resource extends Prices {
  resource_ref_id: string
  faculty?: string
  department?: string
  division?: string
  internal_use: boolean
  external_use?: boolean
  currently_associated?: boolean
  past_associated?: boolean
  reservation_required?: boolean
  past_reservation_required?: boolean
  amenities?: { id: string; type: string; quantity: number; amount: number }[]
}

/** What a booker sends, as far as rules and cost depend on it; the whole is `booking-request.form.json`. */
export interface Booking {
  resource: string
  from: string
  until: string
  association_to_uni: 'current' | 'past' | 'not_associated'
  resource_booking_items?: { resource_item_id: string; required_quantity: number }[]
}

/** What follows from a booking and its resource: the estimate, its shown id, and the variables that route the case. */
interface BookingFacts {
  estimate: Estimate
  /** Reference id of the resource with the day of the start; shown to people, not unique, opens nothing. */
  reservationId: string
  approvalNeeded: boolean
  costApplicable: boolean
  eventEnd: string
  ownerKind: 'department' | 'division' | 'faculty'
  total: number
}

/** Derives the facts of a booking. Both arguments have passed their schemas. */
export function bookingFacts(resourceData: JsonObject, submission: JsonObject): BookingFacts {
  const resource = resourceData as unknown as Resource
  const booking = submission as unknown as Booking
  const cost = estimate(resource, {
    from: booking.from,
    until: booking.until,
    items: booking.resource_booking_items ?? [],
  })
  return {
    estimate: cost,
    reservationId: `${resource.resource_ref_id}/${dayOf(booking.from)}`,
    approvalNeeded: approvalNeeded(resource, booking),
    costApplicable: cost.total > 0,
    eventEnd: booking.until,
    ownerKind: resource.department ? 'department' : resource.division ? 'division' : 'faculty',
    total: cost.total,
  }
}

/** Who has left the university may be asked for a reservation where its members are not; outsiders always are. */
function approvalNeeded(resource: Resource, { association_to_uni }: Booking): boolean {
  if (association_to_uni === 'not_associated') return true
  const required = association_to_uni === 'past' ? resource.past_reservation_required : resource.reservation_required
  return required ?? true
}

/** `2026/05/14`: the day in Colombo. */
function dayOf(moment: string): string {
  return dayInColombo(new Date(moment)).replaceAll('-', '/')
}
