import type { Estimate } from '../../forms/resource-reservation/estimate.ts'
import type { Booking, Resource } from './booking.ts'
import { spanInWords } from './opening-hours.ts'

/** One line of an invoice; in cents, `amount` is quantity times unit price. */
export type InvoiceLine = {
  description: string
  quantity: number
  unit_price: number
  amount: number
  kind: 'hire' | 'amenity' | 'deposit'
}

/** The estimate as invoice lines, which the finance desk may change. They add up to the estimate's total. */
export function invoiceLines(resource: Resource, booking: Booking, cost: Estimate): InvoiceLine[] {
  const { name, base_cost = 0, base_cost_basis, base_hours, extra_cost = 0, amenities = [] } = resource
  if (cost.total === 0) return []
  const line = (kind: InvoiceLine['kind'], description: string, quantity: number, unit_price: number): InvoiceLine => ({
    ...{ description, quantity, unit_price, amount: quantity * unit_price, kind },
  })
  const times = base_cost_basis === 'Per Day' ? cost.days : base_hours ? 1 : cost.hours
  const span = spanInWords(Date.parse(booking.from), Date.parse(booking.until))
  const wanted = (booking.resource_booking_items ?? []).flatMap(({ resource_item_id, required_quantity }) => {
    const amenity = amenities.find(({ id }) => id === resource_item_id)
    return amenity ? [line('amenity', amenity.type, required_quantity, amenity.amount)] : []
  })
  return [
    line('hire', `Hire of ${name}, ${span}`, times, base_cost),
    line('hire', 'Hours beyond those of the base cost', extra_cost > 0 ? cost.extra / extra_cost : 0, extra_cost),
    ...wanted,
    line('deposit', 'Refundable deposit', 1, cost.deposit),
  ].filter(({ amount }) => amount > 0)
}
