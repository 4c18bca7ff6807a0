import { beforeAll, expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { aBooking, approve, aRoom, BOOKING, CHAIN, type Hall } from './booking.ts'

const reason = { reason: 'The hall is being painted that week' }
let student: Person
let room: Hall

beforeAll(async () => {
  ;[student, room] = await Promise.all([as('student.selvi'), aRoom()])
})

test.each(CHAIN)('%s rejects: the booker is told why, and the slot is free', async (desk, username) => {
  const form = aBooking(room)
  const booking = await student.submit(BOOKING, form)
  await approve(booking, { upTo: desk })
  await (await as(username)).decides(booking, 'reject', reason, desk)
  await expectCase(booking).toBe('rejected')
  const mail = await expectMail(student).about('resource-reservation.mail.rejected', booking)
  expect(mail.body).toContain(reason.reason)
  await expectEnded(booking)
  const again = await student.submit(BOOKING, form)
  await student.withdraws(again)
  await expectCase(again).toBe('accepted_cancellation')
})

test('a rejection without a reason is refused, naming the field, and the task stays open', async () => {
  const head = await as(room.head)
  const booking = await student.submit(BOOKING, aBooking(room))
  const task = await head.task(booking)
  const refused = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'reject' } })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual([
    expect.objectContaining({ field: '/reason', message: 'This field is required' }),
  ])
  await head.task(booking)
})
