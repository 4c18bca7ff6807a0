import { type Estimate, estimate } from '../../forms/resource-reservation/estimate.ts'
import { dayInColombo } from '../platform/kernel/colombo.ts'
import { type Booking, type Resource, capacityOf } from './booking.ts'
import { type InvoiceLine, invoiceLines } from './invoice-lines.ts'
import { isOutsideHours } from './refusals.ts'

/** Facts of a booking for people, and the variables that route its case. */
export interface BookingFacts {
  facts: {
    estimate: Estimate
    /** Reference id of the resource and the start day; it is shown to people, not unique, and gives no access. */
    reservationId: string
    /** The first lines of the finance desk's invoice. */
    invoiceLines: InvoiceLine[]
  }
  variables: {
    approvalNeeded: boolean
    bookerKind: 'staff' | 'student' | 'past member' | 'outsider'
    costApplicable: boolean
    /** In cents. */
    total: number
    outsideOpeningHours: boolean
    /** Capacity of the resource for this use; 0 if unknown. */
    capacity: number
    recommenderNeeded: boolean
    /** Who decides last. */
    lastWord: 'Vice Chancellor' | 'committee' | 'designation'
    eventEnd: string
  }
}

/**
 * Derives the facts of a booking. `wholes` are the resources that it is a part of; only their opening hours matter. All
 * inputs have passed their schemas.
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

/** Approval for former members may be required where members need none; outsiders always need it. */
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

/** The day in Colombo: `2026/05/14`. */
function dayOf(moment: string): string {
  return dayInColombo(new Date(moment)).replaceAll('-', '/')
}
