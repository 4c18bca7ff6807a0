import { describe, expect, test } from '@jest/globals'
import { bookingFacts } from '../../api/resource-reservation/booking-facts.ts'
import rules from '../../api/resource-reservation/resource-booking.rules.ts'

const now = new Date('2026-05-10T10:00:00+05:30')
const hall = {
  resource_ref_id: 'FOM-TH-01',
  department: '0b9f3c56-36a1-5c1c-9d38-0d7f2a0b6a11',
  internal_use: true,
  cost_applicable: true,
  base_cost: 150_000,
  base_cost_basis: 'Per Hour',
  amenities: [{ id: 'piano', type: 'Upright piano', quantity: 2, amount: 75_000 }],
}
const booking = {
  resource: 'a1f0a3f2-9d5e-5b0a-8a3e-1c2d3e4f5a6b',
  from: '2026-05-14T09:00:00+05:30',
  until: '2026-05-14T11:30:00+05:30',
  association_to_uni: 'current',
}

function check(changes: object, resource: object = {}, status = 'Active') {
  const items = new Map([['/resource', { status, data: { ...hall, ...resource } }]])
  return rules.check!({ data: { ...booking, ...changes }, items, now })
}

const codes = (...given: Parameters<typeof check>) => check(...given).map(({ field, code }) => `${field} ${code}`)

describe('a booking', () => {
  test('passes when it lies ahead, in an open resource', () => {
    expect(check({})).toEqual([])
  })

  test.each([
    ['ends when it begins', { until: booking.from }, {}, '/until resource-reservation.start-before-end'],
    ['begins in the past', { from: '2026-05-10T09:59:00+05:30' }, {}, '/from resource-reservation.start-in-past'],
    [
      'is for what is not open to internal use',
      {},
      { internal_use: false },
      '/resource resource-reservation.resource-not-available',
    ],
    [
      'comes from a past member where only present ones may book',
      { association_to_uni: 'past' },
      {},
      '/association_to_uni resource-reservation.association-not-allowed',
    ],
    [
      'comes from outside where there is no external use',
      { association_to_uni: 'not_associated' },
      { external_use: false },
      '/association_to_uni resource-reservation.association-not-allowed',
    ],
  ])('is refused when it %s', (_, changes, resource, expected) => {
    expect(codes(changes, resource)).toEqual([expected])
  })

  test('is refused while its resource is under maintenance', () => {
    expect(codes({}, {}, 'Under Maintenance')).toEqual(['/resource resource-reservation.resource-not-available'])
  })

  test('may not ask for more of an amenity than there is, rows taken together', () => {
    const rows = [1, 2].map((required_quantity) => ({ resource_item_id: 'piano', required_quantity }))
    expect(check({ resource_booking_items: rows })).toEqual([
      {
        field: '/resource_booking_items/1/required_quantity',
        code: 'resource-reservation.quantity-not-available',
        values: { available: 1 },
      },
    ])
  })

  test('is open to past members and outsiders where the resource says so', () => {
    expect(check({ association_to_uni: 'past' }, { past_associated: true })).toEqual([])
    expect(check({ association_to_uni: 'not_associated' }, { external_use: true })).toEqual([])
  })
})

describe('the facts of a booking', () => {
  test('name the owner, the cost, the end and the id that people know it by', () => {
    expect(bookingFacts(hall, booking)).toMatchObject({
      approvalNeeded: true,
      costApplicable: true,
      eventEnd: booking.until,
      ownerKind: 'department',
      reservationId: 'FOM-TH-01/2026/05/14',
      total: 450_000,
    })
  })

  test('take the day of the reservation id from Colombo', () => {
    expect(bookingFacts(hall, { ...booking, from: '2026-05-13T20:00:00Z' }).reservationId).toBe('FOM-TH-01/2026/05/14')
  })

  test.each([
    ['current', { reservation_required: false }, false],
    ['past', { reservation_required: false }, true],
    ['past', { past_reservation_required: false }, false],
    ['not_associated', { reservation_required: false, past_reservation_required: false }, true],
  ])('ask for approval of a booker who is %s where %j: %s', (association_to_uni, resource, approvalNeeded) => {
    expect(bookingFacts({ ...hall, ...resource }, { ...booking, association_to_uni })).toMatchObject({ approvalNeeded })
  })
})
