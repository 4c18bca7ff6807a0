import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { allocations } from '../../api/platform/allocations/allocations.ts'
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
  return inTransaction((slots) => slots.hold({ item, during: during(from, until), holder: people[person]! }))
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

test('an item that is not in use cannot be held', async () => {
  const closed = await anItem(database.db, 'resource-reservation/resource', { status: 'Under Maintenance' })
  await expect(hold(0, 9, 10, closed)).rejects.toMatchObject({ code: 'platform.item-inactive' })
  await expect(hold(0, 9, 10, randomUUID())).rejects.toMatchObject({ code: 'platform.item-unknown' })
})

test('slots that only touch do not clash', async () => {
  await hold(0, 9, 12)
  await expect(hold(1, 12, 13)).resolves.toMatchObject({ state: 'hold' })
})

test('of 32 people who want the same slot at once exactly one gets it', async () => {
  const results = await Promise.allSettled(people.map((_, person) => hold(person, 14, 16)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(31)
  expect(new Set(refused.map((result) => result.reason.code))).toEqual(new Set(['platform.slot-taken']))
})

test('wishes of unequal overlapping spans on several items never end in a deadlock', async () => {
  const halls = [hall, await anItem(database.db, 'resource-reservation/resource')]
  const wishes = Array.from({ length: 16 * 20 }, (_, n) => async () => {
    const from = (n * 7) % 20
    const caseId = await aCase(database.db, people[n % 16]!)
    await inTransaction(async (slots) => {
      const item = halls[n % 2]!
      await slots.claim({
        item,
        during: during(from, from + 1 + (n % 4)),
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

test('a hold that has lapsed is no longer seen and the next one takes its place', async () => {
  const first = await hold(0, 9, 12)
  await lapse(first.id)
  expect(await inTransaction((slots) => slots.busy(hall, during(8, 20).from, during(8, 20).until))).toEqual([])
  const second = await hold(1, 10, 11)
  expect(await inTransaction((slots) => slots.busy(hall, during(8, 20).from, during(8, 20).until))).toEqual([second])
})

test('a person has two holds at most, and a new one of the same item replaces the earlier one', async () => {
  const [gallery, studio] = [await anItem(database.db, 'r/x'), await anItem(database.db, 'r/x')]
  const first = await hold(5, 9, 10)
  await hold(5, 9, 10, gallery)
  await expect(hold(5, 9, 10, studio)).rejects.toMatchObject({ code: 'platform.too-many-holds', values: { most: 2 } })
  expect(await hold(5, 9, 11)).toMatchObject({ id: first.id, until: '2027-03-01T11:00:00.000Z' })
  await inTransaction((slots) => slots.releaseHold(first.id, people[5]!))
  await expect(hold(5, 9, 10, studio)).resolves.toMatchObject({ state: 'hold' })
})

test('two requests of one person at once do not get past the limit', async () => {
  const items = await Promise.all(Array.from({ length: 8 }, () => anItem(database.db, 'r/x')))
  const results = await Promise.allSettled(items.map((item) => hold(6, 9, 10, item)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2)
})

test('an own hold that lapsed long ago does not stand in the way of the present one', async () => {
  const forgotten = await hold(11, 9, 10)
  await lapse(forgotten.id)
  const held = await hold(11, 15, 16)
  const caseId = await aCase(database.db, people[11]!)
  const wanted = { item: hall, during: during(15, 16), holder: people[11]!, caseId, path: '/resource' }
  expect(await inTransaction((slots) => slots.claim(wanted))).toMatchObject({ id: held.id, state: 'claimed' })
})

test('nobody gives up the hold of somebody else', async () => {
  const mine = await hold(7, 9, 12)
  await expect(inTransaction((slots) => slots.releaseHold(mine.id, people[8]!))).rejects.toMatchObject({
    code: 'platform.not-found',
  })
})

test('submission turns the own hold into a claim, confirmation makes it final, release frees it', async () => {
  const held = await hold(9, 9, 12)
  const caseId = await aCase(database.db, people[9]!)
  const claim = await inTransaction((slots) =>
    slots.claim({ item: hall, during: during(9, 11), holder: people[9]!, caseId, path: '/resource' }),
  )
  expect(claim).toMatchObject({ id: held.id, state: 'claimed', caseId, expiresAt: null })
  await expect(hold(10, 10, 12)).rejects.toMatchObject({ code: 'platform.slot-taken' })
  expect(await inTransaction((slots) => slots.confirm(caseId))).toBe(1)
  expect(await inTransaction((slots) => slots.confirm(caseId))).toBe(1)
  expect(await inTransaction((slots) => slots.release(caseId))).toBe(1)
  expect(await inTransaction((slots) => slots.release(caseId))).toBe(0)
  await expect(hold(10, 9, 12)).resolves.toMatchObject({ state: 'hold' })
})

test('the slot of a lapsed hold that somebody else has meanwhile cannot be claimed', async () => {
  const held = await hold(11, 9, 12)
  await lapse(held.id)
  await hold(12, 9, 10)
  const caseId = await aCase(database.db, people[11]!)
  const claim = { item: hall, during: during(9, 12), holder: people[11]!, caseId, path: '/resource', code: 'x.taken' }
  await expect(inTransaction((slots) => slots.claim(claim))).rejects.toMatchObject({ code: 'x.taken' })
})

test('the database itself refuses an overlap', async () => {
  await hold(13, 9, 12)
  await expect(
    database.owner.pool.query(
      `insert into app.allocation (id, item_id, during, state, holder_id, expires_at)
       select gen_random_uuid(), item_id, during, 'hold', holder_id, now() from app.allocation where item_id = $1 and state = 'hold'`,
      [hall],
    ),
  ).rejects.toMatchObject({ constraint: 'allocation_no_overlap' })
})
