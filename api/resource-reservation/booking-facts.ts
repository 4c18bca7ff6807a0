import { type Estimate, estimate } from '../../forms/resource-reservation/estimate.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import { type Booking, type Resource, capacityOf } from './booking.ts'
import { type InvoiceLine, invoiceLines } from './invoice-lines.ts'
import { isOutsideHours } from './refusals.ts'

/** What follows from a booking and its resource: what people are shown, and the variables that route the case. */
export interface BookingFacts {
  facts: {
    estimate: Estimate
    /** Reference id of the resource with the day of the start; shown to people, not unique, opens nothing. */
    reservationId: string
    /** What the finance desk's invoice begins with. */
    invoiceLines: InvoiceLine[]
  }
  variables: {
    approvalNeeded: boolean
    bookerKind: 'staff' | 'student' | 'past member' | 'outsider'
    costApplicable: boolean
    /** Cents. */
    total: number
    outsideOpeningHours: boolean
    /** How many people the resource holds for this use; 0 where nobody has said. */
    capacity: number
    recommenderNeeded: boolean
    /** Who decides last. */
    lastWord: 'Vice Chancellor' | 'committee' | 'designation'
    eventEnd: string
  }
}

/**
 * Derives the facts of a booking; `wholes` is what the resource is a part of, of which the opening hours alone matter. All
 * have passed their schemas.
 */
export function bookingFacts(
  resource: Resource,
  booking: Booking,
  wholes: readonly Pick<Resource, 'opening_hours'>[] = [],
): BookingFacts {
  const cost = estimate(resource, {
    from: booking.from,
    until: booking.until,
    items: booking.resource_booking_items ?? [],
  })
  return {
    facts: {
      estimate: cost,
      reservationId: `${resource.resource_ref_id}/${dayOf(booking.from)}`,
      invoiceLines: invoiceLines(resource, booking, cost),
    },
    variables: {
      approvalNeeded: approvalNeeded(resource, booking),
      bookerKind: bookerKind(booking),
      costApplicable: cost.total > 0,
      total: cost.total,
      outsideOpeningHours: isOutsideHours([resource, ...wholes], booking),
      capacity: capacityOf(resource, booking.use) ?? 0,
      recommenderNeeded: resource.recommending_designation !== undefined,
      lastWord: resource.approval_committee
        ? 'committee'
        : resource.approval_designation
          ? 'designation'
          : 'Vice Chancellor',
      eventEnd: booking.until,
    },
  }
}

/** Who has left the university may be asked for a reservation where its members are not; outsiders always are. */
function approvalNeeded(resource: Resource, { association_to_uni }: Booking): boolean {
  if (association_to_uni === 'not_associated') return true
  const required = association_to_uni === 'past' ? resource.past_reservation_required : resource.reservation_required
  return required ?? true
}

function bookerKind({ association_to_uni, associated_as = '' }: Booking): BookingFacts['variables']['bookerKind'] {
  if (association_to_uni === 'not_associated') return 'outsider'
  if (association_to_uni === 'past') return 'past member'
  return associated_as.endsWith('Student') ? 'student' : 'staff'
}

/** `2026/05/14`: the day in Colombo. */
function dayOf(moment: string): string {
  return dayInColombo(new Date(moment)).replaceAll('-', '/')
}
