import { beforeAll, expect, test } from '@jest/globals'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { aBooking, aFreeRoom, asks, BOOKING, type Hall } from './booking.ts'

const { desks } = resourceBooking

let student: Person, head: Person
let room: Hall

beforeAll(async () => {
  room = await aFreeRoom({ reservation_required: false })
  ;[student, head] = await Promise.all([as('student.tharindu'), as(room.head)])
})

/** A confirmed booking, and another time that starts where it ends. */
async function confirmed(): Promise<{ booking: Case; old: object; fresh: { from: string; until: string } }> {
  const old = aBooking(room)
  const booking = await student.submit(BOOKING, old)
  await expectCase(booking).toBe('confirmed_booking')
  const at = (hour: string) => String(old['from']).replace('T09', `T${hour}`)
  return { booking, old, fresh: { from: at('14'), until: at('16') } }
}

const refusedAt = async (times: object) =>
  (await head.send('POST', '/api/cases', { flow: BOOKING, data: aBooking(room, times) })).body.code

test('a change of time keeps the old slot until the new one is granted, and then releases it', async () => {
  const { booking, old, fresh } = await confirmed()
  await asks(student, booking, 'move', { ...fresh, reason: 'The choir comes later' })
  const task = await head.task(booking, desks.decideChange)
  const times = ({ from, until }: any) => ({ from, until })
  expect([await refusedAt(times(old)), await refusedAt(fresh)]).toEqual(
    Array(2).fill('resource-reservation.slot-taken'),
  )
  await head.ok('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  await expectMail(student).about('resource-reservation.mail.change-granted', booking)
  const seen = await student.get(`/api/cases/${booking.id}`)
  expect(Date.parse(seen.data.from)).toBe(Date.parse(fresh.from))
  expect(await refusedAt(fresh)).toBe('resource-reservation.slot-taken')
  await expectCase(await student.submit(BOOKING, old)).toBe('confirmed_booking')
  await clock.passes('P12000D', booking)
  await expectCase(booking).toBe('event_completed')
})

test('a rejected change leaves the booking where it is, and the other time free', async () => {
  const { booking, old, fresh } = await confirmed()
  await asks(student, booking, 'move', { ...fresh, reason: 'The choir comes later' })
  await head.decides(booking, 'refuse', { reason: 'The piano is tuned then' }, desks.decideChange)
  const mail = await expectMail(student).about('resource-reservation.mail.change-refused', booking)
  expect(mail.body).toContain('The piano is tuned then')
  await expectCase(await student.submit(BOOKING, aBooking(room, fresh))).toBe('confirmed_booking')
  const { from, until } = old as { from: string; until: string }
  expect(await refusedAt({ from, until })).toBe('resource-reservation.slot-taken')
})
