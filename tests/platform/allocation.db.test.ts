import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anAccount, anItem, aCase } from './kit/rows.ts'

let database: TestDatabase
let hall: string
let people: string[]

beforeAll(async () => {
  database = await freshDatabase()
  people = await Promise.all(Array.from({ length: 32 }, () => anAccount(database.db)))
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.db.deleteFrom('allocation').execute()
  hall = await anItem(database.db, 'resource-reservation/resource')
})

const during = (from: number, until: number) => ({
  from: `2027-03-01T${String(from).padStart(2, '0')}:00:00Z`,
  until: `2027-03-01T${String(until).padStart(2, '0')}:00:00Z`,
})

function inTransaction<T>(act: (slots: ReturnType<typeof allocations>) => Promise<T>): Promise<T> {
  return database.db.transaction().execute((trx) => act(allocations(trx)))
}

function hold(person: number, from: number, until: number, item = hall) {
  return inTransaction((slots) => slots.hold({ item, booked: during(from, until), holder: people[person]! }))
}

async function lapse(id: string): Promise<void> {
  await database.db
    .updateTable('allocation')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()
}

test('a hold on a taken slot is refused', async () => {
  await hold(0, 9, 12)
  await expect(hold(1, 11, 13)).rejects.toMatchObject({ code: 'platform.slot-taken' })
})

test('a span that ends before it begins is refused', async () => {
  await expect(hold(0, 12, 12)).rejects.toMatchObject({ code: 'platform.span-empty', fields: [{ field: '/until' }] })
})

test('an inactive item cannot be held', async () => {
  const closed = await anItem(database.db, 'resource-reservation/resource', { status: 'Under Maintenance' })
  await expect(hold(0, 9, 10, closed)).rejects.toMatchObject({ code: 'platform.item-inactive' })
  await expect(hold(0, 9, 10, randomUUID())).rejects.toMatchObject({ code: 'platform.item-unknown' })
})

test('slots that only touch do not conflict', async () => {
  await hold(0, 9, 12)
  await expect(hold(1, 12, 13)).resolves.toMatchObject({ state: 'hold' })
})

test('of 32 people who want the same slot at once, exactly one gets it', async () => {
  const results = await Promise.allSettled(people.map((_, person) => hold(person, 14, 16)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(31)
  expect(new Set(refused.map((result) => result.reason.code))).toEqual(new Set(['platform.slot-taken']))
})

test('overlapping requests for several items never deadlock', async () => {
  const halls = [hall, await anItem(database.db, 'resource-reservation/resource')]
  const wishes = Array.from({ length: 16 * 20 }, (_, n) => async () => {
    const from = (n * 7) % 20
    const caseId = await aCase(database.db, people[n % 16]!)
    await inTransaction(async (slots) => {
      const item = halls[n % 2]!
      await slots.claim({
        item,
        booked: during(from, from + 1 + (n % 4)),
        holder: people[n % 16]!,
        caseId,
        path: '/resource',
      })
    })
    if (n % 3 === 0) await inTransaction((slots) => slots.release(caseId))
  })
  const clients = Array.from({ length: 16 }, async (_, client) => {
    const codes: unknown[] = []
    for (let n = client; n < wishes.length; n += 16) await wishes[n]!().catch((error) => codes.push(error.code))
    return codes
  })
  const codes = (await Promise.all(clients)).flat()
  expect(new Set(codes)).toEqual(new Set(['platform.slot-taken']))
})

test('an expired hold is ignored, and the next one replaces it', async () => {
  const first = await hold(0, 9, 12)
  await lapse(first.id)
  expect(await inTransaction((slots) => slots.busy([hall], during(8, 20).from, during(8, 20).until))).toEqual([])
  const second = await hold(1, 10, 11)
  expect(await inTransaction((slots) => slots.busy([hall], during(8, 20).from, during(8, 20).until))).toEqual([second])
})

test('a person has at most two holds, and a new one of the same item replaces the earlier one', async () => {
  const [gallery, studio] = [await anItem(database.db, 'r/x'), await anItem(database.db, 'r/x')]
  const first = await hold(5, 9, 10)
  await hold(5, 9, 10, gallery)
  await expect(hold(5, 9, 10, studio)).rejects.toMatchObject({ code: 'platform.too-many-holds', values: { most: 2 } })
  expect(await hold(5, 9, 11)).toMatchObject({ id: first.id, until: '2027-03-01T11:00:00.000Z' })
  await inTransaction((slots) => slots.releaseHold(first.id, { holder: people[5]! }))
  await expect(hold(5, 9, 10, studio)).resolves.toMatchObject({ state: 'hold' })
})

test('two concurrent requests of one person do not exceed the limit', async () => {
  const items = await Promise.all(Array.from({ length: 8 }, () => anItem(database.db, 'r/x')))
  const results = await Promise.allSettled(items.map((item) => hold(6, 9, 10, item)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2)
})

test('an old expired hold does not block the current one', async () => {
  const forgotten = await hold(11, 9, 10)
  await lapse(forgotten.id)
  const held = await hold(11, 15, 16)
  const caseId = await aCase(database.db, people[11]!)
  const wanted = { item: hall, booked: during(15, 16), holder: people[11]!, caseId, path: '/resource' }
  expect(await inTransaction((slots) => slots.claim(wanted))).toMatchObject({ id: held.id, state: 'claimed' })
})

test('nobody can release somebody else’s hold', async () => {
  const mine = await hold(7, 9, 12)
  await expect(inTransaction((slots) => slots.releaseHold(mine.id, { holder: people[8]! }))).rejects.toMatchObject({
    code: 'platform.not-found',
  })
})

test('submission turns the hold into a claim, confirmation makes it final, release frees it', async () => {
  const held = await hold(9, 9, 12)
  const caseId = await aCase(database.db, people[9]!)
  const claim = await inTransaction((slots) =>
    slots.claim({ item: hall, booked: during(9, 11), holder: people[9]!, caseId, path: '/resource' }),
  )
  expect(claim).toMatchObject({ id: held.id, state: 'claimed', caseId, expiresAt: null })
  await expect(hold(10, 10, 12)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  expect(await inTransaction((slots) => slots.confirm(caseId))).toBe(1)
  expect(await inTransaction((slots) => slots.confirm(caseId))).toBe(1)
  expect(await inTransaction((slots) => slots.release(caseId))).toBe(1)
  expect(await inTransaction((slots) => slots.release(caseId))).toBe(0)
  await expect(hold(10, 9, 12)).resolves.toMatchObject({ state: 'hold' })
})

test('the slot of an expired hold that somebody else has taken cannot be claimed', async () => {
  const held = await hold(11, 9, 12)
  await lapse(held.id)
  await hold(12, 9, 10)
  const caseId = await aCase(database.db, people[11]!)
  const claim = { item: hall, booked: during(9, 12), holder: people[11]!, caseId, path: '/resource', code: 'x.taken' }
  await expect(inTransaction((slots) => slots.claim(claim))).rejects.toMatchObject({ code: 'x.taken' })
})

test('the database refuses an overlap', async () => {
  await hold(13, 9, 12)
  await expect(
    database.owner.pool.query(
      `insert into app.allocation (id, item_id, during, booked, state, holder_id, expires_at)
       select gen_random_uuid(), item_id, during, during, 'hold', holder_id, now() from app.allocation where item_id = $1 and state = 'hold'`,
      [hall],
    ),
  ).rejects.toMatchObject({ constraint: 'allocation_no_overlap' })
})

test('buffers before and after a booking keep its neighbours apart', async () => {
  const wanted = { item: hall, booked: during(10, 12), before: 30, after: 60, holder: people[14]! }
  expect(await inTransaction((slots) => slots.hold(wanted))).toMatchObject({
    from: '2027-03-01T09:30:00.000Z',
    until: '2027-03-01T13:00:00.000Z',
    booked: { from: '2027-03-01T10:00:00.000Z', until: '2027-03-01T12:00:00.000Z' },
  })
  await expect(hold(15, 12, 13)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  await expect(hold(15, 9, 10)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  await expect(hold(15, 13, 14)).resolves.toMatchObject({ state: 'hold' })
})

test('a booking of the whole takes its parts, a booking of a part blocks the whole, and other parts stay free', async () => {
  const part = (parent: string) => anItem(database.db, 'resource-reservation/resource', { data: { parent } })
  const [left, right] = [await part(hall), await part(hall)]
  const corner = await part(left)
  const held = await hold(16, 9, 10)
  for (const item of [left, right, corner])
    await expect(hold(17, 9, 10, item)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  await inTransaction((slots) => slots.releaseHold(held.id, { holder: people[16]! }))
  await hold(17, 9, 10, corner)
  const whole = { item: hall, booked: during(9, 10), holder: people[18]!, partCode: 'x.part' }
  await expect(inTransaction((slots) => slots.hold(whole))).rejects.toMatchObject({
    code: 'x.part',
    values: { part: corner },
  })
  await expect(hold(18, 9, 10, right)).resolves.toMatchObject({ state: 'hold' })
})

const parentOf = (item: string, parent: string) =>
  database.db
    .updateTable('register_item')
    .set({ data: JSON.stringify({ parent }) })
    .where('id', '=', item)
    .execute()

test('a part added later is taken with the bookings of its whole, unless it is taken itself', async () => {
  const part = await anItem(database.db, 'resource-reservation/resource')
  await hold(19, 9, 10)
  const own = await hold(20, 9, 10, part)
  await expect(parentOf(part, hall)).rejects.toMatchObject({ constraint: 'allocation_no_overlap' })
  await inTransaction((slots) => slots.releaseHold(own.id, { holder: people[20]! }))
  await parentOf(part, hall)
  await expect(hold(20, 9, 10, part)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  await expect(parentOf(hall, part)).rejects.toMatchObject({ constraint: 'item_no_circle' })
  await expect(parentOf(hall, hall)).rejects.toMatchObject({ constraint: 'item_no_circle' })
})

test('never more countable things are lent than exist, however bookings overlap', async () => {
  const microphones = await anItem(database.db, 'r/things', { data: { quantity: 6 } })
  const lend = async (person: number, from: number, until: number, quantity: number) => {
    const item = await anItem(database.db, 'r/x')
    const lent = [{ item: microphones, quantity }]
    return inTransaction((slots) => slots.hold({ item, booked: during(from, until), lent, holder: people[person]! }))
  }
  await lend(21, 9, 12, 4)
  await lend(22, 13, 15, 5)
  await expect(lend(23, 10, 14, 3)).rejects.toMatchObject({ code: 'platform.too-few-left', values: { available: 1 } })
  await lend(23, 12, 13, 6)
  await expect(lend(24, 10, 14, 1)).rejects.toMatchObject({ values: { available: 0 } })
  const insert = database.owner.pool.query(
    `insert into app.allocation (id, item_id, during, booked, exclusive, quantity, state, holder_id, expires_at)
     select gen_random_uuid(), item_id, during, booked, false, 3, 'hold', holder_id, expires_at from app.allocation
     where item_id = $1 and quantity = 4`,
    [microphones],
  )
  await expect(insert).rejects.toMatchObject({ constraint: 'allocation_within_quantity' })
  const fewer = (quantity: number) =>
    database.db
      .updateTable('register_item')
      .set({ data: JSON.stringify({ quantity }) })
      .where('id', '=', microphones)
      .execute()
  await expect(fewer(5)).rejects.toMatchObject({ constraint: 'item_quantity_kept' })
  await fewer(7)
})

test('a change of time keeps the old slot until the new one is granted, and may overlap it', async () => {
  const caseId = await aCase(database.db, people[25]!)
  const drums = await anItem(database.db, 'r/things', { data: { quantity: 4 } })
  const own = { item: hall, holder: people[25]!, caseId, path: '/resource', lent: [{ item: drums, quantity: 3 }] }
  await inTransaction((slots) => slots.claim({ ...own, booked: during(9, 12) }))
  await inTransaction((slots) => slots.confirm(caseId))
  const move = { ...own, booked: during(11, 14), purpose: 'move' as const }
  await inTransaction((slots) => slots.claim(move))
  await expect(hold(26, 9, 10)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  await expect(hold(26, 13, 14)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  expect(await inTransaction((slots) => slots.dropMove(caseId))).toBe(2)
  expect(await inTransaction((slots) => slots.takeMove(caseId))).toBe(false)
  await inTransaction((slots) => slots.claim(move))
  expect(await inTransaction((slots) => slots.takeMove(caseId))).toBe(true)
  const busy = await inTransaction((slots) => slots.busy([hall], during(8, 20).from, during(8, 20).until))
  expect(busy).toMatchObject([{ caseId, state: 'final', booked: { from: '2027-03-01T11:00:00.000Z' } }])
})

test('of a slot that has begun, a change keeps what was used and the minutes after it', async () => {
  const [caseId, bus] = [await aCase(database.db, people[24]!), await anItem(database.db, 'r/buses')]
  const own = { holder: people[24]!, caseId, path: '/resource' }
  const hours = (from: number, until: number) => {
    const moment = (hour: number) => new Date(Date.now() + hour * 3_600_000).toISOString()
    return { from: moment(from), until: moment(until) }
  }
  const changes = async (item: string, from: number) => {
    await inTransaction((slots) => slots.claim({ ...own, item, booked: hours(from, 2), after: 600, purpose: 'move' }))
    expect(await inTransaction((slots) => slots.takeMove(caseId))).toBe(true)
  }
  const other = (item: string, from: number) =>
    inTransaction((slots) => slots.hold({ item, booked: hours(from, from + 0.5), holder: people[23]! }))
  await inTransaction((slots) => slots.claim({ ...own, item: hall, booked: hours(-9, 2), after: 600 }))
  await changes(bus, -0.1)
  // A second change keeps what the first one had left.
  await changes(await anItem(database.db, 'r/buses'), 0)
  for (const [item, from] of [
    [hall, -8],
    [hall, 9.5],
    [bus, 9.5],
  ] as const)
    await expect(other(item, from)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  await expect(other(hall, 10.2)).resolves.toMatchObject({ state: 'hold' })
  await expect(other(bus, 10.2)).resolves.toMatchObject({ state: 'hold' })
})

test('a correction moves the slot and its things in place, also to another item', async () => {
  const caseId = await aCase(database.db, people[27]!)
  const gallery = await anItem(database.db, 'resource-reservation/resource')
  const own = { holder: people[27]!, caseId, path: '/resource' }
  const first = await inTransaction((slots) => slots.claim({ ...own, item: hall, booked: during(9, 12) }))
  await hold(28, 14, 15)
  const taken = inTransaction((slots) => slots.reclaim({ ...own, item: hall, booked: during(11, 15) }))
  await expect(taken).rejects.toMatchObject({ code: 'platform.slot-taken' })
  const second = await inTransaction((slots) => slots.reclaim({ ...own, item: hall, booked: during(11, 14) }))
  expect(second).toMatchObject({ id: first.id, state: 'claimed' })
  await inTransaction((slots) => slots.reclaim({ ...own, item: gallery, booked: during(11, 14) }))
  await expect(hold(29, 9, 14)).resolves.toMatchObject({ state: 'hold' })
  await expect(hold(30, 11, 12, gallery)).rejects.toMatchObject({ code: 'platform.slot-taken' })
})

test('a guest holds by session, and the guest’s booking takes over the hold', async () => {
  const guest = randomUUID()
  const wanted = { item: hall, booked: during(9, 12) }
  const held = await inTransaction((slots) => slots.hold({ ...wanted, guest }))
  await expect(hold(31, 9, 10)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  const caseId = await aCase(database.db, people[31]!)
  const own = { ...wanted, holder: people[31]!, caseId, path: '/resource' }
  await expect(inTransaction((slots) => slots.claim(own))).rejects.toMatchObject({ code: 'platform.slot-taken' })
  expect(await inTransaction((slots) => slots.claim({ ...own, guest }))).toMatchObject({ id: held.id, caseId })
})
