import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Engine, EngineRefusal } from '../../api/platform/kernel/engine/port.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { countPlaces, givePlaces, releasePlace, takePlace } from '../../api/platform/work/rows/places.ts'
import { caseServices } from './kit/case-services.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anAccount, anItem } from './kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
let database: TestDatabase
let requester: string
let intake: string
beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db)
})
afterAll(() => database.drop())
beforeEach(async () => {
  intake = await anItem(database.db, 'area/intake', { data: { places: 3 } })
})

const cases = (count: number) => Promise.all(Array.from({ length: count }, () => aCase(database.db, requester)))
const takes = (id: string) =>
  database.db.transaction().execute((trx) => takePlace(trx, id, { item: intake, field: 'places' }))
const releases = (id: string) => database.db.transaction().execute((trx) => releasePlace(trx, id))
const counted = async () => (await countPlaces(database.db, [intake], 'places')).get(intake)

/** The cases that were told of a place, in the order in which they were. */
async function told(): Promise<string[]> {
  const rows = await database.db
    .selectFrom('command as c')
    .innerJoin('case_place as p', 'p.case_id', 'c.case_id')
    .select('c.case_id')
    .where('p.item_id', '=', intake)
    .orderBy('c.id')
    .execute()
  return rows.map((row) => row.case_id)
}

test('of many who want a place at the same time, as many get one as there are, and the others a number', async () => {
  const all = await cases(16)
  const got = await Promise.all(all.map(takes))
  expect(got.filter(({ placed }) => placed)).toHaveLength(3)
  const numbers = got.flatMap(({ number }) => number ?? []).toSorted((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 13 }, (_, at) => at + 1))
  // Asked again, a case keeps what it has.
  const again = await Promise.all(all.map(takes))
  expect(again.map(({ placed }) => placed)).toEqual(got.map(({ placed }) => placed))
  expect(await counted()).toEqual({ there: 3, taken: 3, waiting: 13 })
})

test('places that are given back go to those who wait, in order, also when many are given back at once', async () => {
  const holders = await cases(3)
  for (const id of holders) await takes(id)
  const waiting = await cases(5)
  for (const id of waiting) await takes(id)
  const [first, gaveUp, third, fourth, fifth] = waiting
  await releases(gaveUp!)
  await Promise.all(holders.map(releases))
  expect(await told()).toEqual([first, third, fourth])
  expect(await counted()).toEqual({ there: 3, taken: 3, waiting: 1 })
  // Given back twice, a place is free once.
  await Promise.all([releases(first!), releases(first!), releases(holders[0]!)])
  expect(await told()).toEqual([first, third, fourth, fifth])
  expect(await counted()).toEqual({ there: 3, taken: 3, waiting: 0 })
})

test('who is withdrawn gets no place, and more places go to those who wait', async () => {
  const all = await cases(6)
  for (const id of all) await takes(id)
  const [, , , withdrawn, next, last] = all
  await database.db.updateTable('flow_case').set({ withdrawn_at: new Date() }).where('id', '=', withdrawn!).execute()
  await changes({ places: 4 })
  await database.db.transaction().execute((trx) => givePlaces(trx, intake))
  expect(await told()).toEqual([next])
  await changes({ places: 9 })
  await database.db.transaction().execute((trx) => givePlaces(trx, intake))
  expect(await told()).toEqual([next, last])
})

test('the database refuses a place too many, one out of turn, and fewer places than are taken', async () => {
  const all = await cases(5)
  for (const id of all) await takes(id)
  const [holder, , , first, second] = all
  const becomes = (id: string, state: 'taken' | 'waiting') =>
    database.db.updateTable('case_place').set({ state }).where('case_id', '=', id).execute()
  await expect(becomes(first!, 'taken')).rejects.toMatchObject({ constraint: 'case_place_within_number' })
  await expect(becomes(holder!, 'waiting')).rejects.toMatchObject({ constraint: 'case_place_moves_on' })
  await expect(changes({ places: 2 })).rejects.toMatchObject({ constraint: 'item_places_kept', column: 'places' })
  await changes({ places: 4 })
  await expect(becomes(second!, 'taken')).rejects.toMatchObject({ constraint: 'case_place_in_order' })
  const other = database.db
    .insertInto('case_place')
    .values({ case_id: holder!, item_id: intake, field: 'places', state: 'waiting' })
  await expect(other.execute()).rejects.toMatchObject({ constraint: 'case_place_once' })
})

test('a case that does not wait for its place yet is told again; one that has given it back is not', async () => {
  const all = await cases(5)
  for (const id of all) await takes(id)
  const [holder, another, , early, left] = all
  await database.db
    .updateTable('flow_case')
    .set({ process_instance_id: sql`id::text` })
    .where('id', 'in', all)
    .execute()
  let waits = false
  const correlate = async () => {
    if (!waits) throw new EngineRefusal('nothing-waits', 'nothing waits for it')
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the sender asks it for nothing else
  const engine = { correlate } as unknown as Engine
  const { sender } = caseServices({ db: database.db, library, engine })
  const command = async (id: string) =>
    (await database.db.selectFrom('command').select('id').where('case_id', '=', id).executeTakeFirstOrThrow()).id

  await releases(holder!)
  expect(await sender.deliver({ id: await command(early!) })).toBe('pending')
  waits = true
  expect(await sender.deliver({ id: await command(early!) })).toBe('done')
  waits = false
  await releases(another!)
  await releases(left!)
  expect(await sender.deliver({ id: await command(left!) })).toBe('refused')
  const mails = await database.db.selectFrom('mail').select('id').execute()
  expect(mails).toEqual([])
})

const changes = (data: object) =>
  database.db
    .updateTable('register_item')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', intake)
    .execute()
