import type { Prices } from '../../forms/resource-reservation/estimate.ts'
import { known } from '../platform/kernel/known.ts'
import { checkedAs } from '../platform/model/forms/checked-as.ts'
import type { RuleInput } from '../platform/model/deployed/rules.ts'

/** The data of a resource that a booking needs. */
export type Resource = Omit<Prices, 'amenities'> & {
  name: string
  resource_ref_id: string
  resource_type?: string
  faculty?: string
  department?: string
  division?: string
  internal_use: boolean
  external_use?: boolean
  currently_associated?: boolean
  past_associated?: boolean
  reservation_required?: boolean
  past_reservation_required?: boolean
  seating_capacity?: number
  theory_lec_capacity?: number
  practical_lec_capacity?: number
  theory_exam_capacity?: number
  practical_exam_capacity?: number
  amenities?: Amenity[]
  approval_committee?: string
  approval_designation?: string
  recommending_designation?: string
  opening_hours?: OpeningHours[]
  outside_hours?: boolean
  blackouts?: { from: string; until: string; reason: string }[]
  /** In minutes. */
  buffer_before?: number
  buffer_after?: number
  notice_min_hours?: number
  notice_max_days?: number
  length_min_hours?: number
  length_max_hours?: number
  quota_per_person?: number
}

/** An amenity of a resource; one with a movable entry is counted across all resources that share it. */
export type Amenity = {
  id: string
  type: string
  quantity: number
  amount: number
  movable_item?: string
}

/** Opening hours on one day of the week, `08:00` to `22:00` in Colombo; a day may have several. */
export type OpeningHours = {
  day: (typeof weekdays)[number]
  from: string
  until: string
}

/** Sunday first, as in JavaScript. */
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

export type Use = 'event' | 'theory lecture' | 'practical lecture' | 'theory exam' | 'practical exam'

/** The part of a booking request that rules and cost need; the whole is `booking-request.form.json`. */
export type Booking = {
  resource: string
  from: string
  until: string
  /** Default: an event. */
  use?: Use
  association_to_uni: 'current' | 'past' | 'not_associated'
  associated_as?: string
  team_participants?: number
  resource_booking_items?: { resource_item_id: string; required_quantity: number }[]
}

/** The resource that a booking names. */
export function resourceIn(items: RuleInput['items']): { status: string; resource: Resource } {
  const { status, data } = known(items.get('/resource'), 'the resource of the booking')
  return { status, resource: checkedAs<Resource>(data) }
}

const capacityFields = {
  event: 'seating_capacity',
  'theory lecture': 'theory_lec_capacity',
  'practical lecture': 'practical_lec_capacity',
  'theory exam': 'theory_exam_capacity',
  'practical exam': 'practical_exam_capacity',
} as const

/** The capacity of a resource for a use; if it is not given, the number of seats. */
export function capacityOf(resource: Resource, use: Use = 'event'): number | undefined {
  return resource[capacityFields[use]] ?? resource.seating_capacity
}

/** The countable entries lent with a booking, each once. */
export function lentTo(
  { amenities = [] }: Resource,
  { resource_booking_items = [] }: Pick<Booking, 'resource_booking_items'>,
) {
  const lent = new Map<string, number>()
  for (const { resource_item_id, required_quantity } of resource_booking_items) {
    const item = amenities.find(({ id }) => id === resource_item_id)?.movable_item
    if (item && required_quantity > 0) lent.set(item, (lent.get(item) ?? 0) + required_quantity)
  }
  return [...lent].map(([item, quantity]) => ({ item, quantity }))
}
