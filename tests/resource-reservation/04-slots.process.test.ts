import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { expectCase } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { stack } from '../platform/kit/stack.ts'
import { aBooking, aFreeRoom, BOOKING, type Hall, halls } from './booking.ts'

const TAKEN =
  'Time slot you selected is already reserved. Please check the reservation calendar for available time slots'

let student: Person, other: Person
let hall: Hall

beforeAll(async () => {
  ;[student, other] = await Promise.all([as('student.tharindu'), as('student.fathima')])
  hall = (await halls({ cost: true }))[2]!
})

const hold = (person: Person, data: object) => person.send('POST', '/api/holds', { flow: BOOKING, data })

test('a booked slot is refused with the sentence of the source; an adjacent one is not', async () => {
  const form = aBooking(hall)
  await student.submit(BOOKING, form)
  const refused = await other.send('POST', '/api/cases', { flow: BOOKING, data: form })
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({ code: 'resource-reservation.slot-taken', title: TAKEN })
  const day = String(form['from']).slice(0, 10)
  const next = { ...form, from: `${day}T12:00:00+05:30`, until: `${day}T13:00:00+05:30` }
  await expectCase(await other.submit(BOOKING, next)).toBe('tentative_booking')
})

test('a guest room of a hostel is booked like any other resource, and by one at a time', async () => {
  const welfare = await as('head.welfare')
  const path = '/api/registers/resource-reservation/resource/items?filter.guest_room=true'
  const { items } = await welfare.get(path)
  const room = items.find(({ title }: Hall & { title: string }) => title === 'Guest Room, Sarasavi Hostel')
  const form = aBooking(room!, { team_participants: 2 })
  const booking = await student.submit(BOOKING, form)
  await expectCase(booking).toBe('tentative_booking')
  const refused = await other.send('POST', '/api/cases', { flow: BOOKING, data: form })
  expect(refused.body).toMatchObject({ code: 'resource-reservation.slot-taken', title: TAKEN })
  // It belongs to student welfare, whose head decides first.
  await welfare.decides(booking, 'reject', { reason: 'The room is painted' })
  await expectCase(booking).toBe('rejected')
})

test('continuing from the first step holds the slot for a quarter of an hour, for that person only', async () => {
  const { resource, from, until } = aBooking(hall)
  const held = await hold(student, { resource, from, until })
  expect(held.status).toBe(201)
  const left = Date.parse(held.body.expiresAt) - Date.now()
  expect(left).toBeGreaterThan(14 * 60_000)
  expect(left).toBeLessThanOrEqual(15 * 60_000)
  expect((await hold(other, { resource, from, until })).status).toBe(409)
  const booking = await student.submit(BOOKING, aBooking(hall, { from, until }))
  await expectCase(booking).toBe('tentative_booking')
})

test('an expired hold blocks nobody', async () => {
  const { resource, from, until } = aBooking(hall)
  const held = await hold(student, { resource, from, until })
  expect(held.status).toBe(201)
  const client = new pg.Client(stack().ownerDatabaseUrl)
  await client.connect()
  await client.query(`update app.allocation set expires_at = now() - interval '1 second' where id = $1`, [held.body.id])
  await client.end()
  const booking = await other.submit(BOOKING, aBooking(hall, { from, until }))
  await expectCase(booking).toBe('tentative_booking')
  const late = await student.send('POST', '/api/cases', { flow: BOOKING, data: aBooking(hall, { from, until }) })
  expect(late.body.code).toBe('resource-reservation.slot-taken')
})

test('an invalid form is refused field by field with the words of the source, and nothing is booked', async () => {
  const form = aBooking(hall, {
    event: '',
    poc_nic: '12345',
    poc_email: 'nobody',
    poc_contact_no: '077-123',
    team_participants: 0,
    associated_as: undefined,
  })
  const { status, body } = await student.send('POST', '/api/cases', { flow: BOOKING, data: form })
  expect(status).toBe(422)
  const messages = Object.fromEntries(body.errors.map(({ field, message }: any) => [field, message]))
  expect(messages).toMatchObject({
    '/event': 'This field is required',
    '/poc_nic': 'Invalid NIC',
    '/poc_email': 'Invalid email address',
    '/poc_contact_no': 'Invalid contact number',
    '/team_participants': 'Please enter an amount greater than 0',
    '/associated_as': 'This field is required',
  })
  await expectCase(await student.submit(BOOKING, aBooking(hall, { from: form['from'], until: form['until'] }))).toBe(
    'tentative_booking',
  )
})

test('answers hidden by a later answer are neither required nor stored', async () => {
  const form = aBooking(await aFreeRoom(), { association_to_uni: 'not_associated', poc_designation: 'Director' })
  const wrong = await student.send('POST', '/api/cases', {
    flow: BOOKING,
    data: { ...form, poc_designation: undefined },
  })
  expect(wrong.body.errors.map(({ field }: any) => field)).toEqual(['/poc_designation'])
  const { id } = await student.submit(BOOKING, { ...form, reg_no: undefined })
  const { data } = await student.get(`/api/cases/${id}`)
  expect(data).toMatchObject({ association_to_uni: 'not_associated', poc_designation: 'Director' })
  expect(Object.keys(data)).not.toEqual(expect.arrayContaining(['associated_as']))
  await student.ok('POST', `/api/cases/${id}/withdraw`, { reason: 'Typed for a trial' })
})

test('the same request repeated with its key makes one booking', async () => {
  const form = aBooking(hall)
  const key = randomUUID()
  const first = await student.submit(BOOKING, form, key)
  const again = await student.submit(BOOKING, form, key)
  expect(again.id).toBe(first.id)
})
