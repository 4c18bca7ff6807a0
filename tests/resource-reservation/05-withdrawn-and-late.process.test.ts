import { beforeAll, expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { aBooking, BOOKING, type Hall, halls } from './booking.ts'

let student: Person, registrar: Person, head: Person
let hall: Hall

beforeAll(async () => {
  hall = (await halls({ cost: true }))[3]!
  ;[student, registrar, head] = await Promise.all([as('student.dinuka'), as('registrar'), as(hall.head)])
})

test('the booker withdraws before confirmation: the task goes, the slot is free', async () => {
  const form = aBooking(hall)
  const booking = await student.submit(BOOKING, form)
  const task = await head.task(booking)
  await student.withdraws(booking)
  await expectCase(booking).toBe('accepted_cancellation')
  await expectEnded(booking)
  const late = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect(late.status).toBe(409)
  await expectCase(await student.submit(BOOKING, form)).toBe('tentative_booking')
})

test('a confirmed booking is no longer withdrawn this way, and the answer says so', async () => {
  const free = (await halls({ cost: false }))[1]!
  const booking = await student.submit(BOOKING, aBooking(free))
  await (await as(free.head)).decides(booking, 'approve')
  await registrar.decides(booking, 'approve')
  await expectCase(booking).toBe('confirmed_booking')
  const answer = await student.send('POST', `/api/cases/${booking.id}/withdraw`, { reason: 'Too late' })
  expect(answer.status).toBe(409)
  await expectCase(booking).toBe('confirmed_booking')
})

test('the head is reminded when a working day has passed, and still decides', async () => {
  const booking = await student.submit(BOOKING, aBooking(hall))
  await head.task(booking)
  await clock.passes('P9D', booking)
  await expectMail(head).about('resource-reservation.mail.reminder', booking)
  await head.decides(booking, 'approve')
  await registrar.task(booking)
})

test('an invoice that is not paid in fourteen days rejects the booking and frees the slot', async () => {
  const form = aBooking(hall)
  const booking = await student.submit(BOOKING, form)
  await head.decides(booking, 'approve')
  await registrar.decides(booking, 'approve')
  await expectCase(booking).toBe('pending_for_payment')
  await clock.passes('P15D', booking)
  await expectCase(booking).toBe('rejected')
  await expectEnded(booking)
  await expectCase(await student.submit(BOOKING, form)).toBe('tentative_booking')
})
