import { beforeAll, expect, test } from '@jest/globals'
import statuses from '../../forms/resource-reservation/statuses.json' with { type: 'json' }
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import {
  aBooking,
  aFreeRoom,
  approve,
  aRoom,
  asks,
  BOOKING,
  CHAIN,
  type Hall,
  invoice,
  pay,
  refund,
  sendSlip,
} from './booking.ts'

const { desks, events } = resourceBooking

let student: Person, finance: Person
let room: Hall
/** The statuses that this file's bookings have had, per status list. */
const been = { status: new Set<string>(), payment: new Set<string>() }

beforeAll(async () => {
  ;[student, finance, room] = await Promise.all([as('student.nuwan'), as('finance'), aRoom()])
})

/** `told`: whether people see the payment's status, and find the booking by it. */
async function isNow(booking: Case, status: string, payment: string, told = true): Promise<void> {
  await expectCase(booking).toBe(status)
  await expectCase(booking, 'payment').toBe(payment)
  const path = `/api/cases?mine=true&flow=${BOOKING}&filter.payment=${payment}&search=${booking.reference}`
  await until(`${payment} is ${told ? '' : 'not '}told of`, async () => {
    const seen = await student.get(`/api/cases/${booking.id}`)
    const { items, count } = await student.get(path)
    return (
      (seen.statuses.payment.untold !== true) === told && items.length === Number(told) && count.value === Number(told)
    )
  })
  been.status.add(status)
  been.payment.add(payment)
}

test('a booking with a cost passes every desk, is paid, takes place, and gets its deposit back', async () => {
  const form = aBooking(room)
  const booking = await student.submit(BOOKING, form)
  await isNow(booking, 'tentative_booking', 'invoice_requested', false)
  await approve(booking)
  await isNow(booking, 'tentative_booking', 'invoice_requested')

  await invoice(booking)
  await isNow(booking, 'pending_for_payment', 'invoice_issued')
  await expectMail(student).about('resource-reservation.mail.payment-due', booking)
  await sendSlip(booking, student)
  await finance.decides(booking, 'return', { reason: 'The slip is of another bank' }, desks.checkPayment)
  const mail = await expectMail(student).about('resource-reservation.mail.slip-returned', booking)
  expect(mail.body).toContain('The slip is of another bank')
  await sendSlip(booking, student)
  await finance.decides(booking, 'paid', { receipt_no: 'R-1001' }, desks.checkPayment)
  await isNow(booking, 'confirmed_booking', 'paid')
  await expectMail(student).about('resource-reservation.mail.confirmed', booking)

  const day = String(form['from']).slice(0, 10)
  const { items } = await student.get(
    `/api/public/allocations?item=${room.id}&from=${day}T00:00:00%2B05:30&until=${day}T23:59:59%2B05:30`,
  )
  expect(items).toEqual([expect.objectContaining({ title: form['event'], state: 'final' })])

  await clock.passes('P12000D', booking)
  await isNow(booking, 'event_completed', 'paid')
  const report = { attended: 24, condition: 'As it was' }
  await (await as('ma.western-music')).decides(booking, 'report', report, desks.report)
  await isNow(booking, 'event_completed', 'Issued_post_report')
  await refund(booking, desks.refundDeposit)
  await isNow(booking, 'event_completed', 'payments_closed')
  await expectEnded(booking)
})

test('a booking without cost is confirmed right after the last desk, and ends with its event', async () => {
  const booking = await student.submit(BOOKING, aBooking(await aFreeRoom()))
  await approve(booking)
  await isNow(booking, 'confirmed_booking', 'payments_closed')
  await clock.passes('P12000D', booking)
  await isNow(booking, 'event_completed', 'payments_closed')
  await expectEnded(booking)
})

test('a paid booking is cancelled under its terms: rejected at first, accepted later, and refunded', async () => {
  const form = aBooking(room)
  const booking = await student.submit(BOOKING, form)
  await approve(booking)
  await pay(booking, student)
  await isNow(booking, 'confirmed_booking', 'paid')
  const head = await as(room.head)
  await asks(student, booking, 'cancel', { reason: 'Our singer is ill' })
  await isNow(booking, 'requested_cancellation', 'paid')
  await head.decides(booking, 'refuse', { reason: 'Find another singer' }, desks.decideCancellation)
  await isNow(booking, 'confirmed_booking', 'paid')
  const mail = await expectMail(student).about('resource-reservation.mail.cancellation-refused', booking)
  expect(mail.body).toContain('Find another singer')

  await asks(student, booking, 'cancel', { reason: 'There is no other singer' })
  await head.decides(booking, 'accept', {}, desks.decideCancellation)
  await isNow(booking, 'accepted_cancellation', 'paid')
  await refund(booking, desks.refundCancellation)
  await isNow(booking, 'accepted_cancellation', 'payments_closed')
  await expectEnded(booking)
  await student.withdraws(await student.submit(BOOKING, form))
})

test('the case shows its path on the diagram, its assignee, and what was sent', async () => {
  const head = await as(room.head)
  const booking = await student.submit(BOOKING, aBooking(room))
  await head.decides(booking, 'approve')
  await (await as(CHAIN[1][1])).task(booking)
  const seen = await student.get(`/api/cases/${booking.id}`)
  expect(seen.waitsWith).toEqual([expect.objectContaining({ desk: desks.checkByMA })])
  expect(seen.facts.estimate.total).toBeGreaterThan(0)
  expect(seen.submissions.map(({ formKey }: { formKey: string }) => formKey)).toEqual([
    'resource-reservation/booking-request',
    'resource-reservation/booking-approval',
  ])
  const path = await student.get(`/api/cases/${booking.id}/path`)
  expect(path.present).toContain(desks.checkByMA)
  expect(path.visited.map(({ element }: { element: string }) => element)).toEqual(
    expect.arrayContaining([events.bookingRequested, desks.approveByHead]),
  )
  const xml = await student.get(`/api/process-definitions/${path.definitionId}/xml`)
  for (const element of path.present) expect(xml).toContain(`id="${element}"`)
  await (await as(CHAIN[1][1])).decides(booking, 'reject', { reason: 'The piano is being tuned' })
  await isNow(booking, 'rejected', 'invoice_requested', false)
})

test('together they have reached every state of both lists', () => {
  expect([...been.status].sort()).toEqual(statuses['booking-stage'].states.toSorted())
  expect([...been.payment].sort()).toEqual(statuses['booking-payment-stage'].states.toSorted())
})
