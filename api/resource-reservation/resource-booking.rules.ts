import type { FieldError } from '../platform/errors.ts'
import type { Rules } from '../platform/flows/rules.ts'
import { type Booking, type Resource, bookingFacts } from './booking-facts.ts'

const code = (name: string) => `resource-reservation.${name}`

const rules: Rules = {
  /**
   * What a booking must fulfil beyond its form: it lies ahead, its resource is open to the booker, and there are as many
   * amenities as it asks for. Overlaps are not its matter: the allocation refuses those.
   */
  check({ data, items, now }) {
    const booking = data as unknown as Booking
    const item = items.get('/resource')
    if (!item) return [{ field: '/resource', code: code('resource-not-available') }]
    const resource = item.data as unknown as Resource
    return [...period(booking, now), ...availability(booking, item.status, resource), ...amenities(booking, resource)]
  },

  /** What it costs, and what decides its way: who owns the resource, whether anybody has to approve, when it is over. */
  derive({ data, items }) {
    const { estimate, reservationId, ...variables } = bookingFacts(items.get('/resource')!.data, data)
    return { facts: { estimate: { ...estimate }, reservationId }, variables }
  },
}
export default rules

function period({ from, until }: Booking, now: Date): FieldError[] {
  if (!(Date.parse(from) < Date.parse(until))) return [{ field: '/until', code: code('start-before-end') }]
  return Date.parse(from) < now.getTime() ? [{ field: '/from', code: code('start-in-past') }] : []
}

function availability({ association_to_uni }: Booking, status: string, resource: Resource): FieldError[] {
  if (status !== 'Active' || !resource.internal_use)
    return [{ field: '/resource', code: code('resource-not-available') }]
  const open = {
    current: resource.currently_associated ?? true,
    past: resource.past_associated ?? false,
    not_associated: resource.external_use ?? false,
  }
  return open[association_to_uni] ? [] : [{ field: '/association_to_uni', code: code('association-not-allowed') }]
}

/** An amenity may be asked for in more than one row; together they stay within what there is. */
function amenities({ resource_booking_items = [] }: Booking, resource: Resource): FieldError[] {
  const left = new Map((resource.amenities ?? []).map(({ id, quantity }) => [id, quantity]))
  return resource_booking_items.flatMap(({ resource_item_id, required_quantity }, row) => {
    const available = left.get(resource_item_id) ?? 0
    left.set(resource_item_id, available - required_quantity)
    if (required_quantity <= available) return []
    const field = `/resource_booking_items/${row}/required_quantity`
    return [{ field, code: code('quantity-not-available'), values: { available: Math.max(0, available) } }]
  })
}
