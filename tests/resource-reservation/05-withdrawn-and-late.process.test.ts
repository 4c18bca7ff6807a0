import { beforeAll, expect, test } from '@jest/globals'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { clock, engine } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { aBooking, aFreeRoom, anUnconfirmedPerson, approve, aRoom, BOOKING, type Hall, invoice } from './booking.ts'

const { desks, messages } = resourceBooking

let student: Person, head: Person
let room: Hall

beforeAll(async () => {
  room = await aRoom()
  ;[student, head] = await Promise.all([as('student.dinuka'), as(room.head)])
})

/** The slot is free again: the same one can be booked. */
async function expectSlotFree(form: object, booking: Case): Promise<void> {
  await expectEnded(booking)
  await student.withdraws(await student.submit(BOOKING, form))
}

test('the booker withdraws before a desk has decided: the task ends, the slot is free', async () => {
  const form = aBooking(room)
  const booking = await student.submit(BOOKING, form)
  const task = await head.task(booking)
  await student.withdraws(booking)
  await expectCase(booking).toBe('accepted_cancellation')
  await expectMail(student).about('resource-reservation.mail.withdrawn', booking)
  const late = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect(late.status).toBe(409)
  await expectSlotFree(form, booking)
})

test('the booker withdraws after the invoice: nothing remains due', async () => {
  const form = aBooking(room)
  const booking = await student.submit(BOOKING, form)
  await approve(booking)
  await invoice(booking)
  await student.task(booking, desks.sendSlip)
  await student.withdraws(booking)
  await expectCase(booking).toBe('accepted_cancellation')
  await expectSlotFree(form, booking)
})

test('a confirmed booking can no longer be withdrawn this way, and the answer says so', async () => {
  const booking = await student.submit(BOOKING, aBooking(await aFreeRoom({ reservation_required: false })))
  await expectCase(booking).toBe('confirmed_booking')
  const answer = await student.send('POST', `/api/cases/${booking.id}/withdraw`, { reason: 'Too late' })
  expect(answer.status).toBe(409)
  await expectCase(booking).toBe('confirmed_booking')
})

test('a desk is reminded after one working day, the level above is notified after three, and it still decides', async () => {
  const booking = await student.submit(BOOKING, aBooking(room))
  await head.task(booking)
  await clock.passes('P12D', booking)
  await expectMail(head).about('resource-reservation.mail.reminder', booking)
  await expectMail(await as('dean.music')).about('resource-reservation.mail.escalation', booking)
  await head.decides(booking, 'approve')
  await (await as('ma.western-music')).task(booking)
})

test('an invoice unpaid for fourteen days rejects the booking and frees the slot', async () => {
  const form = aBooking(room)
  const booking = await student.submit(BOOKING, form)
  await approve(booking)
  await invoice(booking)
  await expectCase(booking).toBe('pending_for_payment')
  await clock.passes('P12D', booking)
  await expectMail(student).about('resource-reservation.mail.payment-reminder', booking)
  await clock.passes('P15D', booking)
  await expectMail(student).about('resource-reservation.mail.payment-lapsed', booking)
  await expectCase(booking).toBe('rejected')
  // The invoice is void: its issue is no longer shown.
  const { statuses } = await student.get(`/api/cases/${booking.id}`)
  expect(statuses.payment).toMatchObject({ key: 'invoice_issued', untold: true })
  await expectSlotFree(form, booking)
})

test('an unconfirmed address has a day: no desk sees the booking until then, and then it ends', async () => {
  const stranger = await anUnconfirmedPerson()
  const form = aBooking(await aFreeRoom())
  const booking = await stranger.submit(BOOKING, form)
  await clock.passes('P1DT1H', booking)
  await expectCase(booking).toBe('rejected')
  await expectMail(stranger).about('resource-reservation.mail.not-confirmed', booking)
  await expectSlotFree(form, booking)
})

test('once the address is confirmed, the booking goes to the desks', async () => {
  const stranger = await anUnconfirmedPerson()
  const booking = await stranger.submit(BOOKING, aBooking(await aFreeRoom()))
  await expectCase(booking).toBe('tentative_booking')
  expect((await stranger.get(`/api/cases/${booking.id}`)).waitsWith).toEqual([])
  await engine('POST', '/message', { messageName: messages.bookerConfirmed, businessKey: booking.id })
  await head.decides(booking, 'approve')
})
