import { beforeAll, expect, test } from '@jest/globals'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { aBooking, aFormerMember, aFreeRoom, approve, BOOKING, STAFF } from './booking.ts'

const { desks } = resourceBooking

let student: Person

beforeAll(async () => {
  student = await as('student.piumi')
})

async function idOf(register: string, search: string): Promise<string> {
  const { items } = await (await as('admin')).get(`/api/registers/platform/${register}/items?search=${search}`)
  return items[0].id as string
}

test('a resource with a recommender and a committee asks the recommender first and the committee last', async () => {
  const post = { recommending_designation: await idOf('post', 'Dean, Faculty of Music') }
  const room = await aFreeRoom({ ...post, approval_committee: await idOf('committee', 'Resource Approval') })
  const booking = await student.submit(BOOKING, aBooking(room))
  await (await as('dean.music')).decides(booking, 'approve', {}, desks.recommend)
  await approve(booking, { upTo: desks.approveByViceChancellor })
  await (await as('bursar')).decides(booking, 'approve', {}, desks.approveByCommittee)
  await expectCase(booking).toBe('confirmed_booking')
})

test('a recommender’s rejection ends it', async () => {
  const room = await aFreeRoom({ recommending_designation: await idOf('post', 'Dean, Faculty of Music') })
  const booking = await student.submit(BOOKING, aBooking(room))
  await (
    await as('dean.music')
  ).decides(booking, 'reject', { reason: 'Not in the week of examinations' }, desks.recommend)
  await expectCase(booking).toBe('rejected')
})

test('a free, short booking of staff needs only their head and the Management Assistant', async () => {
  const lecturer = await as('lecturer.perera')
  const booking = await lecturer.submit(BOOKING, aBooking(await aFreeRoom(), STAFF))
  await approve(booking, { upTo: desks.checkByAR })
  await expectCase(booking).toBe('confirmed_booking')
})

test('people who only claim to be staff pass every desk', async () => {
  const booking = await student.submit(BOOKING, aBooking(await aFreeRoom(), STAFF))
  await approve(booking, { upTo: desks.checkByAR })
  expect(await (await as('ar.music')).task(booking, desks.checkByAR)).toMatchObject({ state: 'open' })
})

test('people who only claim past membership pass every desk where past members need none', async () => {
  const room = await aFreeRoom({ past_reservation_required: false })
  const past = { association_to_uni: 'past', poc_designation: 'Teacher' }
  const said = await student.submit(BOOKING, aBooking(room, past))
  const known = await (await aFormerMember()).submit(BOOKING, aBooking(room, past))
  await expectCase(known).toBe('confirmed_booking')
  await approve(said)
  await expectCase(said).toBe('confirmed_booking')
})

test('a desk of a vacant post goes to its cover, and the booking completes all the same', async () => {
  const sculpture = await idOf('department', 'Sculpture')
  const booking = await student.submit(BOOKING, aBooking(await aFreeRoom({ department: sculpture })))
  await (await as('hod.sculpture')).decides(booking, 'approve', {}, desks.approveByHead)
  const admin = await as('admin')
  const task = await admin.task(booking, desks.checkByMA)
  const { items } = await admin.get(`/api/cases/${booking.id}/history`)
  expect(items).toContainEqual(expect.objectContaining({ kind: 'incident', element: desks.checkByMA }))
  await admin.ok('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  await admin.task(booking, desks.checkByAR)
})

test('the head who books at their own desk is passed over: the next level decides', async () => {
  const room = await aFreeRoom()
  const head = await as(room.head)
  const booking = await head.submit(BOOKING, aBooking(room, STAFF))
  const dean = await as('dean.music')
  await dean.decides(booking, 'approve', {}, desks.approveByHead)
  await (await as('ma.western-music')).task(booking, desks.checkByMA)
})

test('nobody decides twice in one round', async () => {
  const room = await aFreeRoom({ recommending_designation: await idOf('post', 'Head, Department of Western Music') })
  const booking = await student.submit(BOOKING, aBooking(room))
  const head = await as(room.head)
  await head.decides(booking, 'approve', {}, desks.recommend)
  const task = await (await as('dean.music')).task(booking, desks.approveByHead)
  const again = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect([again.status, again.body.code]).toEqual([403, 'platform.decided-before'])
})
