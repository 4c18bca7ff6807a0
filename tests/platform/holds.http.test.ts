import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { aCase, anItem } from './kit/rows.ts'

const flow = 'resource-reservation/resource-booking'
const from = '2031-03-01T09:00:00+05:30'
const until = '2031-03-01T12:00:00+05:30'
let database: TestDatabase
let own: TestApp
let hall: string
let [nuwan, selvi]: Caller[] = []
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  hall = await anItem(database.db, 'resource-reservation/resource', { data: { name: 'Hall', internal_use: true } })
  nuwan = await own.person('nuwan', { role: 'Undergraduate Student' })
  selvi = await own.person('selvi', { role: 'Undergraduate Student' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const hold = (who: Caller, data: object) => who.send('POST', '/api/holds', { flow, data })

test('errors in the slot are listed field by field; other fields of the form are ignored for now', async () => {
  const answer = await hold(nuwan!, { resource: 'hall', from: 'tomorrow' })
  expect(answer.statusCode).toBe(422)
  expect(
    answer
      .json()
      .errors.map((error: { field: string }) => error.field)
      .toSorted(),
  ).toEqual(['/from', '/resource', '/until'])
})

test('past, reversed and unknown slots are refused', async () => {
  for (const [data, code] of [
    [{ resource: hall, from: '2020-01-01T09:00:00Z', until }, 'platform.span-past'],
    [{ resource: hall, from: until, until: from }, 'platform.span-empty'],
    [{ resource: randomUUID(), from, until }, 'platform.item-unknown'],
    [{ resource: await anItem(database.db, 'platform/faculty'), from, until }, 'platform.item-unknown'],
  ] as const) {
    const answer = await hold(nuwan!, data)
    expect([answer.statusCode, answer.json().code]).toEqual([422, code])
  }
  expect((await nuwan!.send('POST', '/api/holds', { flow: 'no/flow', data: {} })).statusCode).toBe(404)
})

test('a held slot is refused with the words of its flow, and free again when released', async () => {
  const held = await hold(nuwan!, { resource: hall, from, until })
  expect(held.statusCode).toBe(201)
  expect(Date.parse(held.json().expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
  const refused = await hold(selvi!, {
    resource: hall,
    from: '2031-03-01T11:59:00+05:30',
    until: '2031-03-01T13:00:00+05:30',
  })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'resource-reservation.slot-taken'])
  expect(refused.json().title).toBe(
    'Time slot you selected is already reserved. Please check the reservation calendar for available time slots',
  )
  expect((await selvi!.send('DELETE', `/api/holds/${held.json().id}`)).statusCode).toBe(404)
  expect((await nuwan!.send('DELETE', `/api/holds/${held.json().id}`)).statusCode).toBe(204)
  expect((await hold(selvi!, { resource: hall, from, until })).statusCode).toBe(201)
})

test('the public calendar says when a resource is taken, and names only confirmed events', async () => {
  const gallery = await anItem(database.db, 'resource-reservation/resource', {
    data: { name: 'Gallery', internal_use: true },
  })
  const at = (day: number) => ({ from: `2031-04-0${day}T03:00:00.000Z`, until: `2031-04-0${day}T05:00:00.000Z` })
  for (const [day, name, final] of [
    [1, 'Recital', true],
    [2, 'Secret meeting', false],
  ] as const) {
    const caseId = await aCase(database.db, nuwan!.id, { flow, subject: { event: name } })
    await database.db.transaction().execute(async (trx) => {
      await allocations(trx).claim({ item: gallery, booked: at(day), holder: nuwan!.id, caseId, path: '/resource' })
      if (final) await allocations(trx).confirm(caseId)
    })
  }
  const answer = await own.send(
    'GET',
    `/api/public/allocations?item=${gallery}&from=2031-04-01T00:00:00Z&until=2031-05-01T00:00:00Z`,
  )
  expect(answer.json().items).toEqual([
    { id: expect.any(String), item: gallery, title: 'Recital', ...at(1), booked: at(1), state: 'final' },
    { id: expect.any(String), item: gallery, title: null, ...at(2), booked: at(2), state: 'claimed' },
  ])
  const hidden = await anItem(database.db, 'resource-reservation/resource', { data: { internal_use: false } })
  expect(
    (await own.send('GET', `/api/public/allocations?item=${hidden}&from=${at(1).from}&until=${at(1).until}`))
      .statusCode,
  ).toBe(404)
  const long = await own.send(
    'GET',
    `/api/public/allocations?item=${gallery}&from=2031-01-01T00:00:00Z&until=2033-01-01T00:00:00Z`,
  )
  expect([long.statusCode, long.json().errors[0].message]).toEqual([422, 'At most 400 days can be shown at a time'])
})
