import { describe, expect, test } from '@jest/globals'
import { type Prices, type Wanted, estimate } from '../../forms/resource-reservation/estimate.ts'
import type { Booking, Resource } from '../../api/resource-reservation/booking.ts'
import { invoiceLines } from '../../api/resource-reservation/invoice-lines.ts'
import { totalsOf } from '../../api/resource-reservation/money.ts'

const rupees = (amount: number) => amount * 100
const at = (day: string, time: string) => `${day}T${time}:00+05:30`
const on14May = (from: string, until: string): Wanted => ({
  from: at('2026-05-14', from),
  until: at('2026-05-14', until),
})

const hourly: Prices = { cost_applicable: true, base_cost: rupees(1_500), base_cost_basis: 'Per Hour' }
const fourHours: Prices = {
  cost_applicable: true,
  base_cost: rupees(10_000),
  base_cost_basis: 'Per Hour',
  base_hours: 4,
  extra_cost: rupees(2_000),
  extra_cost_number: 1,
  extra_cost_basis: 'Per Hour',
}
const daily: Prices = { cost_applicable: true, base_cost: rupees(25_000), base_cost_basis: 'Per Day' }

describe('the estimate', () => {
  test.each<[string, Prices, Wanted, number]>([
    ['charges each begun hour', hourly, on14May('09:00', '11:30'), 4_500],
    ['adds each begun extra hour beyond what the base covers', fourHours, on14May('14:00', '20:30'), 16_000],
    [
      'adds each begun run of two extra hours',
      { ...fourHours, extra_cost_number: 2 },
      on14May('14:00', '20:30'),
      14_000,
    ],
    [
      'charges each calendar day touched',
      daily,
      { from: at('2026-05-14', '18:00'), until: at('2026-05-15', '10:00') },
      50_000,
    ],
    [
      'adds the hours beyond those that a day covers',
      { ...daily, base_hours: 8, extra_cost: rupees(3_000), extra_cost_number: 1, extra_cost_basis: 'Per Hour' },
      on14May('08:00', '20:00'),
      37_000,
    ],
    [
      'adds amenities once and the deposit',
      { ...fourHours, refundable_deposit: rupees(5_000), amenities: [{ id: 'piano', amount: rupees(750) }] },
      { ...on14May('14:00', '20:30'), items: [{ resource_item_id: 'piano', required_quantity: 2 }] },
      22_500,
    ],
  ])('%s, and so does the invoice, line by line', (_, prices, wanted, total) => {
    const cost = estimate(prices, wanted)
    expect(cost.total).toBe(rupees(total))
    const { items, ...span } = wanted
    const booking = { ...span, resource_booking_items: items } as unknown as Booking
    const lines = invoiceLines(prices as unknown as Resource, booking, cost)
    expect(lines.map(({ quantity, unit_price }) => quantity * unit_price)).toEqual(lines.map(({ amount }) => amount))
    expect(totalsOf(lines)).toEqual({ total: cost.total, hire: cost.total - cost.deposit, deposit: cost.deposit })
  })

  test('names each part of the total', () => {
    const prices = {
      ...fourHours,
      refundable_deposit: rupees(5_000),
      amenities: [{ id: 'piano', amount: rupees(750) }],
    }
    const wanted = { ...on14May('14:00', '20:30'), items: [{ resource_item_id: 'piano', required_quantity: 2 }] }
    expect(estimate(prices, wanted)).toEqual({
      hours: 7,
      days: 1,
      base: rupees(10_000),
      extra: rupees(6_000),
      amenities: rupees(1_500),
      deposit: rupees(5_000),
      total: rupees(22_500),
    })
  })

  test('is zero if no cost applies, deposit and amenities included', () => {
    const free = { ...fourHours, cost_applicable: false, refundable_deposit: rupees(5_000) }
    expect(estimate(free, on14May('09:00', '12:00'))).toMatchObject({ hours: 3, days: 1, total: 0 })
  })

  test('does not charge for the day that begins as the booking ends', () => {
    expect(estimate(daily, { from: at('2026-05-14', '08:00'), until: at('2026-05-15', '00:00') }).days).toBe(1)
  })

  test('counts days in Colombo, in any time zone', () => {
    expect(estimate(daily, { from: '2026-05-14T17:00:00Z', until: '2026-05-14T19:30:00Z' }).days).toBe(2)
  })

  test('charges an extra cost per day for each further day begun', () => {
    const prices: Prices = { ...fourHours, extra_cost_basis: 'Per Day' }
    expect(estimate(prices, { from: at('2026-05-14', '08:00'), until: at('2026-05-15', '20:00') }).extra).toBe(
      rupees(4_000),
    )
  })

  test('ignores amenities that the resource does not have', () => {
    const wanted = { ...on14May('09:00', '10:00'), items: [{ resource_item_id: 'unknown', required_quantity: 3 }] }
    expect(estimate(hourly, wanted).amenities).toBe(0)
  })

  test('costs nothing when the end is not after the start', () => {
    expect(estimate(hourly, on14May('11:00', '11:00')).total).toBe(0)
  })
})
