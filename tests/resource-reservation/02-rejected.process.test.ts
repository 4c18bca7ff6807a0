import { beforeAll, expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { aBooking, BOOKING, type Hall, halls } from './booking.ts'

const reason = { reason: 'The hall is being painted that week' }
let student: Person, registrar: Person, head: Person
let hall: Hall

beforeAll(async () => {
  hall = (await halls({ cost: true }))[1]!
  ;[student, registrar, head] = await Promise.all([as('student.selvi'), as('registrar'), as(hall.head)])
})

/** The slot is free again: the very same one can be booked. */
async function expectSlotFree(form: object, booking: Case): Promise<void> {
  await expectEnded(booking)
  const again = await student.submit(BOOKING, form)
  await student.withdraws(again)
  await expectCase(again).toBe('accepted_cancellation')
}

test('the head rejects: the booker is told why, and the slot is free', async () => {
  const form = aBooking(hall)
  const booking = await student.submit(BOOKING, form)
  await head.decides(booking, 'reject', reason)
  await expectCase(booking).toBe('rejected')
  const mail = await expectMail(student).about('resource-reservation.mail.rejected', booking)
  expect(mail.body).toContain(reason.reason)
  await expectSlotFree(form, booking)
})

test('the registrar rejects: the booker is told why, and the slot is free', async () => {
  const form = aBooking(hall)
  const booking = await student.submit(BOOKING, form)
  await head.decides(booking, 'approve')
  await registrar.decides(booking, 'reject', reason)
  await expectCase(booking).toBe('rejected')
  await expectSlotFree(form, booking)
})

test('a rejection without a reason is refused, naming the field, and the task stays open', async () => {
  const booking = await student.submit(BOOKING, aBooking(hall))
  const task = await head.task(booking)
  const refused = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'reject' } })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual([
    expect.objectContaining({ field: '/reason', message: 'This field is required' }),
  ])
  await head.task(booking)
})
