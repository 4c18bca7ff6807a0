import { describe, expect, test } from '@jest/globals'
import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import type { Booking, Resource } from '../../api/resource-reservation/booking.ts'
import { bookingFacts } from '../../api/resource-reservation/booking-facts.ts'
import { type Room, clashOf, nearestFree } from '../../api/resource-reservation/free-times.ts'
import { isOpen } from '../../api/resource-reservation/opening-hours.ts'
import { type Question, refusalOf } from '../../api/resource-reservation/refusals.ts'
import rules from '../../api/resource-reservation/resource-booking.rules.ts'
import { timeChange } from '../../api/resource-reservation/time-change.ts'

const now = new Date('2026-05-10T10:00:00+05:30')
const hall: Resource = {
  name: 'Music Theatre',
  resource_ref_id: 'FOM-TH-01',
  department: '0b9f3c56-36a1-5c1c-9d38-0d7f2a0b6a11',
  internal_use: true,
  cost_applicable: true,
  base_cost: 150_000,
  base_cost_basis: 'Per Hour',
  amenities: [{ id: 'piano', type: 'Upright piano', quantity: 2, amount: 75_000 }],
}
/** Thursday, 14 May 2026. */
const booking: Booking = {
  resource: 'a1f0a3f2-9d5e-5b0a-8a3e-1c2d3e4f5a6b',
  from: '2026-05-14T09:00:00+05:30',
  until: '2026-05-14T11:30:00+05:30',
  association_to_uni: 'current',
  associated_as: 'Undergraduate Student',
}
const week = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
const hours = week.flatMap((day) => [
  { day, from: '08:00', until: '12:00' },
  { day, from: '13:00', until: '18:00' },
])
const at = (day: number, time: string) => `2026-05-${day}T${time}:00+05:30`

function question(
  changes: Partial<Booking> = {},
  resource: Partial<Resource> = {},
  more: Partial<Question> = {},
): Question {
  return {
    resource: { ...hall, ...resource },
    status: 'Active',
    wholes: [],
    booking: { ...booking, ...changes },
    now,
    ahead: 0,
    ...more,
  }
}

const code = (asked: Question) => {
  const refused = refusalOf(asked)
  return refused && `${refused.field} ${refused.code.replace('resource-reservation.', '')}`
}

describe('a booking', () => {
  test('passes when it lies ahead, in an open resource', () => {
    expect(refusalOf(question())).toBeUndefined()
  })

  test.each<[string, Partial<Booking>, Partial<Resource>, Partial<Question>, string]>([
    ['ends when it begins', { until: booking.from }, {}, {}, '/until start-before-end'],
    ['begins in the past', { from: '2026-05-10T09:59:00+05:30' }, {}, {}, '/from start-in-past'],
    ['is for what is not open to internal use', {}, { internal_use: false }, {}, '/resource resource-not-available'],
    ['is for what is under maintenance', {}, {}, { status: 'Under Maintenance' }, '/resource resource-not-available'],
    [
      'comes from a past member where only present ones may book',
      { association_to_uni: 'past' },
      {},
      {},
      '/association_to_uni association-not-allowed',
    ],
    [
      'comes from outside where there is no external use',
      { association_to_uni: 'not_associated' },
      { external_use: false },
      {},
      '/association_to_uni association-not-allowed',
    ],
    ['comes at too short notice', {}, { notice_min_hours: 96 }, {}, '/from too-short-notice'],
    ['comes too early', {}, { notice_max_days: 3 }, {}, '/from too-far-ahead'],
    ['is too short', {}, { length_min_hours: 3 }, {}, '/until too-short'],
    ['is too long', {}, { length_max_hours: 2 }, {}, '/until too-long'],
    ['lies outside of opening hours', { until: at(14, '12:30') }, { opening_hours: hours }, {}, '/from closed-then'],
    [
      'meets a closed time',
      {},
      { blackouts: [{ from: at(14, '11:00'), until: at(16, '00:00'), reason: 'Vesak' }] },
      {},
      '/from blacked-out',
    ],
    ['is one more than a person may have ahead', {}, { quota_per_person: 2 }, { ahead: 2 }, '/resource quota-reached'],
    [
      'brings more people than it seats',
      { team_participants: 81 },
      { seating_capacity: 80 },
      {},
      '/team_participants over-capacity',
    ],
    [
      'brings more people than sit an exam there',
      { team_participants: 41, use: 'theory exam' },
      { seating_capacity: 80, theory_exam_capacity: 40 },
      {},
      '/team_participants over-capacity',
    ],
  ])('is refused when it %s', (_, changes, resource, more, expected) => {
    expect(code(question(changes, resource, more))).toBe(expected)
  })

  test('is checked by its filled fields while it is only an inquiry', () => {
    const { from, until } = booking
    expect(refusalOf({ ...question(), booking: { from, until } })).toBeUndefined()
  })

  test('that is corrected without a new time keeps its notice', () => {
    expect(refusalOf(question({}, { notice_min_hours: 96 }, { noticeGiven: true }))).toBeUndefined()
  })

  test('may be outside opening hours if the resource allows it on request, and then says so', () => {
    const evening = { from: at(14, '19:00'), until: at(14, '21:00') }
    const open = { opening_hours: hours, outside_hours: true }
    expect(refusalOf(question(evening, open))).toBeUndefined()
    expect(bookingFacts({ ...hall, ...open }, { ...booking, ...evening }).variables.outsideOpeningHours).toBe(true)
    expect(bookingFacts({ ...hall, ...open }, booking).variables.outsideOpeningHours).toBe(false)
  })

  test('of a part follows the closures of its whole, and its options on request', () => {
    const evening = { from: at(14, '19:00'), until: at(14, '21:00') }
    const whole = { ...hall, opening_hours: hours }
    expect(code(question(evening, {}, { wholes: [whole] }))).toBe('/from closed-then')
    expect(code(question({}, { opening_hours: hours, outside_hours: true }, { wholes: [whole] }))).toBeUndefined()
    const repairs = { from: at(14, '11:00'), until: at(14, '12:00'), reason: 'Repairs' }
    expect(code(question({}, {}, { wholes: [hall, { ...hall, blackouts: [repairs] }] }))).toBe('/from blacked-out')
    const asked = [{ ...whole, outside_hours: true }]
    expect(code(question(evening, {}, { wholes: asked }))).toBeUndefined()
    expect(bookingFacts(hall, { ...booking, ...evening }, asked).variables.outsideOpeningHours).toBe(true)
  })

  test('may not request more of an amenity than exists, rows added together', () => {
    const rows = [1, 2].map((required_quantity) => ({ resource_item_id: 'piano', required_quantity }))
    expect(refusalOf(question({ resource_booking_items: rows }))).toEqual({
      field: '/resource_booking_items/1/required_quantity',
      code: 'resource-reservation.quantity-not-available',
      values: { available: 1 },
    })
  })

  test('is open to past members and outsiders if the resource says so', () => {
    expect(refusalOf(question({ association_to_uni: 'past' }, { past_associated: true }))).toBeUndefined()
    expect(refusalOf(question({ association_to_uni: 'not_associated' }, { external_use: true }))).toBeUndefined()
  })
})

test.each([
  ['within one of a day’s spans', at(14, '08:00'), at(14, '12:00'), true],
  ['over the lunch break', at(14, '11:00'), at(14, '14:00'), false],
  ['before it opens', at(14, '07:30'), at(14, '09:00'), false],
  ['over night into an open day', at(14, '16:00'), at(15, '09:00'), true],
  ['to midnight after a day', at(14, '16:00'), at(15, '00:00'), false],
  ['over a closed weekend', at(15, '16:00'), at(18, '09:00'), false],
])('opening hours hold for a range %s: %s to %s', (_, from, until, open) => {
  expect(isOpen(hours, Date.parse(from), Date.parse(until))).toBe(open)
})

describe('the time of a resource', () => {
  const room: Room = { id: 'hall', title: 'Hall', items: ['hall', 'stage'], lent: [] }
  const span = { from: booking.from, until: booking.until }
  const occupied = (item: string, from: string, until: string, quantity?: number) => ({
    ...{ item, from: new Date(from).toISOString(), until: new Date(until).toISOString(), whose: from },
    ...{ exclusive: quantity === undefined, quantity: quantity ?? 1 },
  })

  test('is taken by itself, by a part, or by a shortage of what it lends', () => {
    expect(clashOf(room, span, [occupied('hall', at(14, '11:00'), at(14, '12:00'))])).toEqual({ kind: 'taken' })
    expect(clashOf(room, span, [occupied('hall', at(14, '11:30'), at(14, '12:00'))])).toBeUndefined()
    expect(clashOf(room, span, [occupied('stage', at(14, '08:00'), at(14, '10:00'))])).toEqual({
      kind: 'part',
      item: 'stage',
    })
    const lent = [{ item: 'mic', title: 'Microphone', quantity: 3, there: 6 }]
    const apart = [
      occupied('mic', at(14, '08:00'), at(14, '10:00'), 3),
      occupied('mic', at(14, '10:00'), at(14, '12:00'), 3),
    ]
    expect(clashOf({ ...room, lent }, span, apart)).toBeUndefined()
    const together = [...apart, occupied('mic', at(14, '09:30'), at(14, '10:30'), 1)]
    expect(clashOf({ ...room, lent }, span, together)).toEqual({ kind: 'lent', title: 'Microphone', available: 2 })
  })

  test('is offered at the nearest times that fit its rules and its buffers, without overlaps', () => {
    const asked = question({}, { opening_hours: hours, buffer_after: 30 })
    const taken = [
      occupied('hall', at(14, '09:30'), at(14, '11:00')),
      occupied('stage', at(14, '14:00'), at(14, '15:00')),
    ]
    expect(nearestFree(asked, room, taken, 3)).toEqual(
      [
        [at(14, '15:00'), at(14, '17:30')],
        [at(13, '15:30'), at(13, '18:00')],
        [at(13, '13:00'), at(13, '15:30')],
      ].map(([from, until]) => ({ from: new Date(from!).toISOString(), until: new Date(until!).toISOString() })),
    )
  })
})

describe('the facts of a booking', () => {
  const facts = (resource: Partial<Resource> = {}, changes: Partial<Booking> = {}) =>
    bookingFacts({ ...hall, ...resource }, { ...booking, ...changes })

  test('name its kind, the cost line by line, the end and the id that people know it by', () => {
    const items = [{ resource_item_id: 'piano', required_quantity: 2 }]
    const found = facts({ refundable_deposit: 500_000, seating_capacity: 80 }, { resource_booking_items: items })
    expect(found.variables).toEqual({
      approvalNeeded: true,
      bookerKind: 'student',
      capacity: 80,
      costApplicable: true,
      eventEnd: booking.until,
      lastWord: 'Vice Chancellor',
      outsideOpeningHours: false,
      recommenderNeeded: false,
      total: 1_100_000,
    })
    expect(found.facts.reservationId).toBe('FOM-TH-01/2026/05/14')
    expect(found.facts.invoiceLines.map(({ kind, quantity, amount }) => [kind, quantity, amount])).toEqual([
      ['hire', 3, 450_000],
      ['amenity', 2, 150_000],
      ['deposit', 1, 500_000],
    ])
  })

  test('take the day of the reservation id from Colombo', () => {
    expect(facts({}, { from: '2026-05-13T20:00:00Z' }).facts.reservationId).toBe('FOM-TH-01/2026/05/14')
  })

  test('assign the final decision to the committee or designation of the resource', () => {
    expect(facts({ approval_designation: 'a' }).variables.lastWord).toBe('designation')
    expect(facts({ approval_designation: 'a', approval_committee: 'b' }).variables.lastWord).toBe('committee')
    expect(facts({ recommending_designation: 'a' }).variables.recommenderNeeded).toBe(true)
  })

  test.each([
    ['current', { reservation_required: false }, false],
    ['past', { reservation_required: false }, true],
    ['past', { past_reservation_required: false }, false],
    ['not_associated', { reservation_required: false, past_reservation_required: false }, true],
  ] as const)('ask for approval of a booker who is %s where %j: %s', (association_to_uni, resource, approvalNeeded) => {
    expect(facts(resource, { association_to_uni }).variables).toMatchObject({ approvalNeeded })
  })
})

test('a change of time shows its extra cost, including earlier changes', () => {
  const later = { from: at(15, '09:00'), until: at(15, '13:00') }
  expect(timeChange(hall, booking, later, {})).toEqual({ ...later, difference: 150_000 })
  const before = { timeChange: { from: '', until: '', difference: 300_000 } }
  expect(timeChange(hall, booking, later, before)).toMatchObject({ difference: 450_000 })
})

test('a booking whose start has passed can no longer be approved, but returned or rejected', async () => {
  const say = (outcome: string, moment: string) =>
    rules.answers!['resource-reservation/booking-approval']!.check({
      ...{ data: { outcome }, current: { ...booking } as JsonObject, facts: {}, now: new Date(moment) },
      ...{ trx: undefined as unknown as Transaction<DB>, caseId: '0', by: '0' },
    })
  const begun = [{ field: '/outcome', code: 'resource-reservation.begun-already' }]
  expect(await say('approve', at(14, '09:00'))).toEqual(begun)
  expect(await say('approve', at(14, '08:59'))).toEqual([])
  expect(await say('return', at(14, '09:00'))).toEqual([])
})

test('a new time that has passed can no longer be granted, but rejected', async () => {
  const requestedTime = { from: at(13, '09:00'), until: at(13, '11:30'), difference: 0 }
  const say = (outcome: string, moment: string) =>
    rules.answers!['resource-reservation/change-decision']!.check({
      ...{ data: { outcome }, current: { ...booking } as JsonObject, facts: { requestedTime }, now: new Date(moment) },
      ...{ trx: undefined as unknown as Transaction<DB>, caseId: '0', by: '0' },
    })
  expect(await say('approve', at(13, '08:59'))).toEqual([])
  expect(await say('approve', at(13, '09:00'))).toEqual([
    { field: '/outcome', code: 'resource-reservation.new-time-begun' },
  ])
  expect(await say('refuse', at(13, '09:00'))).toEqual([])
})
