import { beforeAll, expect, test } from '@jest/globals'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { aBooking, aFreeRoom, aRoom, approve, BOOKING, CHAIN, type Hall } from './booking.ts'

const { desks } = resourceBooking

let student: Person, head: Person, ma: Person, registrar: Person
let room: Hall

beforeAll(async () => {
  room = await aFreeRoom()
  const names = ['student.yalini', room.head, 'ma.western-music', 'registrar'] as const
  ;[student, head, ma, registrar] = (await Promise.all(names.map(as))) as [Person, Person, Person, Person]
})

test('a desk returns a booking: the booker is told why, corrects it, and it passes every desk again', async () => {
  const form = aBooking(room)
  const booking = await student.submit(BOOKING, form)
  await approve(booking, { upTo: desks.checkByMA })
  const back = { reason: 'Who leads the rehearsal?', return_to: 'requester' }
  await ma.decides(booking, 'return', back, desks.checkByMA)
  const mail = await expectMail(student).about('resource-reservation.mail.returned', booking)
  expect(mail.body).toContain(back.reason)

  const task = await student.task(booking, desks.correct)
  const complete = (data: object) => student.send('POST', `/api/tasks/${task.id}/complete`, { data })
  const elsewhere = await complete({ ...form, resource: (await aFreeRoom()).id })
  expect(elsewhere.body.errors).toEqual([expect.objectContaining({ field: '/resource' })])
  const until = String(form['until']).replace('T12', 'T13')
  expect((await complete({ ...form, until, event_details: 'Dr. Perera leads it.' })).status).toBe(200)

  await approve(booking)
  await expectCase(booking).toBe('confirmed_booking')
  const seen = await student.get(`/api/cases/${booking.id}`)
  expect(seen.data).toMatchObject({ until, event_details: 'Dr. Perera leads it.' })
  const taken = await head.send('POST', '/api/cases', {
    flow: BOOKING,
    data: { ...form, from: String(form['until']), until, associated_as: 'Academic Employee', poc_designation: 'HOD' },
  })
  expect(taken.body.code).toBe('resource-reservation.slot-taken')
})

test('the amount of a task follows the correction', async () => {
  const dear = await aRoom()
  const approver = await as(dear.head)
  const form = aBooking(dear)
  const booking = await student.submit(BOOKING, form)
  const { amount } = await approver.task(booking)
  expect(amount).toBeGreaterThan(0)
  await approver.decides(booking, 'return', { reason: 'An hour more, surely?', return_to: 'requester' })
  const task = await student.task(booking, desks.correct)
  expect(task.amount).toBe(amount)
  const longer = { ...form, until: String(form['until']).replace('T12', 'T13') }
  await student.ok('POST', `/api/tasks/${task.id}/complete`, { data: longer })
  expect((await approver.task(booking)).amount).toBeGreaterThan(amount)
})

test('a desk returns a booking to an earlier one, which decides again, as do later desks', async () => {
  const booking = await student.submit(BOOKING, aBooking(room))
  await approve(booking, { upTo: desks.approveByRegistrar })
  const task = await registrar.task(booking)
  const { earlierDesks } = await registrar.get(`/api/tasks/${task.id}`)
  const before = CHAIN.slice(0, 3).map(([desk]) => desk)
  expect(earlierDesks.map(({ id }: { id: string }) => id).sort()).toEqual([...before].sort())
  const complete = (return_to: string) =>
    registrar.send('POST', `/api/tasks/${task.id}/complete`, {
      data: { outcome: 'return', reason: 'Is the piano free?', return_to },
    })
  const forward = await complete(desks.approveByViceChancellor)
  expect(forward.body.errors).toEqual([
    expect.objectContaining({ field: '/return_to', code: 'platform.desk-not-decided' }),
  ])
  expect((await complete(desks.checkByMA)).status).toBe(200)
  for (const [desk, username] of CHAIN.slice(1)) await (await as(username)).decides(booking, 'approve', {}, desk)
  await expectCase(booking).toBe('confirmed_booking')
})

test('a booking not corrected in fourteen days lapses', async () => {
  const booking = await student.submit(BOOKING, aBooking(room))
  await head.decides(booking, 'return', { reason: 'Too short', return_to: 'requester' })
  await student.task(booking, desks.correct)
  await clock.passes('P12D', booking)
  await expectMail(student).about('resource-reservation.mail.correction-reminder', booking)
  await clock.passes('P15D', booking)
  await expectMail(student).about('resource-reservation.mail.correction-lapsed', booking)
  await expectCase(booking).toBe('rejected')
  await expectEnded(booking)
})

test('the booker may withdraw a returned booking instead of correcting it', async () => {
  const booking = await student.submit(BOOKING, aBooking(room))
  await head.decides(booking, 'return', { reason: 'Too long', return_to: 'requester' })
  await student.task(booking, desks.correct)
  await student.withdraws(booking)
  await expectCase(booking).toBe('accepted_cancellation')
  await expectEnded(booking)
})
