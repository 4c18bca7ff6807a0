import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

let database: TestDatabase
let room: string
beforeAll(async () => {
  database = await freshDatabase()
  room = await anItem(database.db, 'hostel/room', { data: { capacity: 2 } })
})
afterAll(() => database.drop())

/** A place in the room, written past all services. */
const aStay = (bed: number, { student = randomUUID(), status = 'Taken', of = room } = {}) =>
  anItem(database.db, 'hostel/stay', { status, data: { student, room: of, bed } })
const becomes = (id: string, { status = 'Taken', ...data }: { status?: string; bed?: number; capacity?: number }) =>
  sql`update register_item set status = ${status}, data = data || ${JSON.stringify(data)}::jsonb
    where id = ${id}`.execute(database.db)
const broken = (constraint: string) => ({ constraint })

test('the database gives no bed to two students, no student two beds, and no bed that the room has not', async () => {
  const student = randomUUID()
  const first = await aStay(1, { student })
  await expect(aStay(1)).rejects.toMatchObject(broken('hostel_bed_once'))
  await expect(aStay(1, { of: room.toUpperCase() })).rejects.toMatchObject(broken('hostel_bed_once'))
  await expect(aStay(2, { student })).rejects.toMatchObject(broken('hostel_student_once'))
  for (const bed of [0, 3]) await expect(aStay(bed)).rejects.toMatchObject(broken('hostel_bed_of_room'))
  await expect(aStay(1, { of: randomUUID() })).rejects.toMatchObject(broken('hostel_bed_of_room'))
  await expect(becomes(first, { bed: 3 })).rejects.toMatchObject(broken('hostel_bed_of_room'))

  // A bed that was left is free; who left it does not come back into it.
  await becomes(first, { status: 'Vacated' })
  const second = await aStay(1)
  await expect(becomes(first, {})).rejects.toMatchObject(broken('hostel_bed_once'))
  await becomes(first, { bed: 2 })
  await expect(becomes(second, { bed: 2 })).rejects.toMatchObject(broken('hostel_bed_once'))

  // A room keeps the beds that are taken.
  const shrinks = () => becomes(room, { status: 'Active', capacity: 1 })
  await expect(shrinks()).rejects.toMatchObject(broken('hostel_room_keeps_beds'))
  await becomes(first, { status: 'Vacated' })
  await shrinks()
})

test('of two who take a bed while its room gets smaller, one waits and is refused', async () => {
  const own = await anItem(database.db, 'hostel/room', { data: { capacity: 2 } })
  const [shrunk, taken] = await Promise.allSettled([
    becomes(own, { status: 'Active', capacity: 1 }),
    aStay(2, { of: own }),
  ])
  expect([shrunk.status, taken.status].toSorted()).toEqual(['fulfilled', 'rejected'])
})
