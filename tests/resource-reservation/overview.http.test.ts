import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anItem } from '../platform/kit/rows.ts'

const FLOW = 'resource-reservation/resource-booking'
const RESOURCE = 'resource-reservation/resource'
const [PAINTING, MUSIC] = [randomUUID(), randomUUID()]
// Mondays to Fridays, 08:00 to 18:00: in March 2026 that is 22 days.
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const opening_hours = weekdays.map((day) => ({ day, from: '08:00', until: '18:00' }))
const blackouts = [{ from: '2026-03-02T00:00:00+05:30', until: '2026-03-03T00:00:00+05:30', reason: 'Painted' }]

let database: TestDatabase
let own: TestApp
let [head, admin, finance, lecturer]: Caller[] = []
let studio: string
let theatre: string
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  await anItem(db, 'platform/department', { id: PAINTING })
  await anItem(db, 'platform/department', { id: MUSIC })
  head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: PAINTING } })
  admin = await own.person('admin', { role: 'ADMIN' })
  finance = await own.person('finance', { role: 'Finance MA' })
  lecturer = await own.person('lecturer', { role: 'Lecturer' })
  studio = await anItem(db, RESOURCE, { data: { name: 'Studio', department: PAINTING, opening_hours, blackouts } })
  theatre = await anItem(db, RESOURCE, { data: { name: 'Theatre', department: MUSIC } })
})
afterAll(async () => {
  await own?.close()
  await database?.drop()
})

async function aBooking(item: string, booked?: [from: string, until: string]): Promise<string> {
  const { db } = database
  const id = await aCase(db, lecturer!.id, { flow: FLOW, subject: { event: 'Exhibition' } })
  await db.insertInto('case_item').values({ case_id: id, path: '/resource', item_id: item, item_version: 1 }).execute()
  if (booked) {
    const span = `[${booked[0]},${booked[1]})`
    const slot = { id: randomUUID(), item_id: item, during: span, booked: span, state: 'final' as const, case_id: id }
    await db
      .insertInto('allocation')
      .values({ ...slot, holder_id: lecturer!.id })
      .execute()
  }
  return id
}

async function aDecision(caseId: string, outcome: string, [created, decided]: [string, string], reason?: string) {
  const { db } = database
  const id = randomUUID()
  const task = { id, case_id: caseId, process_definition_id: FLOW, desk: 'userTask_approveByHead', name: 'Approve' }
  await db
    .insertInto('task')
    .values({ ...task, state: 'done', outcome, decided_by: head!.id, created_at: created, decided_at: decided })
    .execute()
  if (reason === undefined) return
  const { flow_hash } = await db.selectFrom('flow_case').select('flow_hash').executeTakeFirstOrThrow()
  const form = { id: randomUUID(), case_id: caseId, task_id: id, form_key: 'a/b', form_hash: flow_hash }
  await db
    .insertInto('submission')
    .values({ ...form, data: JSON.stringify({ outcome, reason }), submitted_by: head!.id, effect: 'done' })
    .execute()
}

/** An invoice in one month, and its refund in another. */
async function earned(caseId: string, amounts: { cents: number; at: string }[]): Promise<void> {
  for (const { cents, at } of amounts) {
    await database.db.transaction().execute(async (trx) => {
      const books = ledger(trx)
      await books.open(`receivable:${caseId}`, 'asset', { caseId, overdraft: true })
      await books.open('income:resource-reservation', 'income', { overdraft: true })
      const lines = [
        { account: `receivable:${caseId}`, amount: cents },
        { account: 'income:resource-reservation', amount: -cents },
      ]
      await books.post({ key: randomUUID(), kind: 'test', caseId, lines })
    })
    // Entries never change; the test sets the time of the last one as the owner of the tables.
    await database.owner.pool.query('alter table app.ledger_entry disable trigger append_only')
    await database.owner.pool.query('update app.ledger_entry set at = $1 where at > $2', [at, '2026-06-01'])
    await database.owner.pool.query('alter table app.ledger_entry enable trigger append_only')
  }
}

const ask = (who: Caller, query = 'from=2026-03-01&until=2026-04-30') =>
  who.send('GET', `/api/resource-reservation/overview?${query}`)

test('use, income, rejections and lead times add up by resource and month, and a head sees their own unit only', async () => {
  // 4 hours; then from the evening of 31 March to 1 April, with half an hour in April.
  const first = await aBooking(studio, ['2026-03-10T09:00:00+05:30', '2026-03-10T13:00:00+05:30'])
  await aBooking(studio, ['2026-03-31T22:00:00+05:30', '2026-04-01T00:30:00+05:30'])
  const elsewhere = await aBooking(theatre, ['2026-03-10T09:00:00+05:30', '2026-03-10T11:00:00+05:30'])
  const refused = await aBooking(studio)
  await earned(first, [
    { cents: 450_000, at: '2026-03-05T12:00:00+05:30' },
    // Just after midnight in Colombo, while it is March in UTC.
    { cents: -50_000, at: '2026-04-01T00:10:00+05:30' },
  ])
  await earned(elsewhere, [{ cents: 10_000, at: '2026-03-05T12:00:00+05:30' }])
  await aDecision(first, 'approve', ['2026-03-01T08:00:00+05:30', '2026-03-01T10:00:00+05:30'])
  await aDecision(refused, 'reject', ['2026-03-02T08:00:00+05:30', '2026-03-02T14:00:00+05:30'], 'Too loud')
  await aDecision(elsewhere, 'approve', ['2026-03-01T08:00:00+05:30', '2026-03-01T09:00:00+05:30'])

  const told = (await ask(head!)).json()

  expect(told.resources.map(({ id }: { id: string }) => id)).toEqual([studio])
  expect(told.months).toEqual(['2026-03', '2026-04'])
  expect(told.use).toEqual([
    { resource: studio, month: '2026-03', bookings: 2, booked: 6, open: 210 },
    { resource: studio, month: '2026-04', bookings: 1, booked: 0.5, open: 220 },
  ])
  expect(told.income).toEqual([
    { resource: studio, month: '2026-03', hire: 450_000, damages: 0 },
    { resource: studio, month: '2026-04', hire: -50_000, damages: 0 },
  ])
  expect(told.rejections).toMatchObject({
    count: 1,
    items: [{ caseId: refused, event: 'Exhibition', desk: 'Approve', by: 'head', reason: 'Too loud' }],
  })
  expect(told.desks).toEqual([
    {
      ...{ desk: 'userTask_approveByHead', name: 'Approve', resource: studio, month: '2026-03' },
      ...{ decided: 2, median: 4, slowest: 6 },
    },
  ])
  for (const all of [admin!, finance!])
    expect(((await ask(all)).json().resources as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(
      [studio, theatre].toSorted(),
    )
  const one = (await ask(admin!, `from=2026-03-01&until=2026-03-31&resource=${theatre}`)).json()
  expect(one.use).toEqual([{ resource: theatre, month: '2026-03', bookings: 1, booked: 2, open: 744 }])
  expect(one.income).toEqual([{ resource: theatre, month: '2026-03', hire: 10_000, damages: 0 }])
})

test('people outside booking units are refused, as are resources of other units and open-ended periods', async () => {
  expect(
    (await own.send('GET', '/api/resource-reservation/overview?from=2026-03-01&until=2026-03-31')).statusCode,
  ).toBe(401)
  expect((await ask(lecturer!)).statusCode).toBe(403)
  expect((await ask(head!, `from=2026-03-01&until=2026-03-31&resource=${theatre}`)).statusCode).toBe(404)
  const reversed = await ask(head!, 'from=2026-03-02&until=2026-03-01')
  expect(reversed.json()).toMatchObject({ errors: [{ code: 'resource-reservation.overview-ends-before' }] })
  const endless = await ask(head!, 'from=2020-01-01&until=2026-03-01')
  expect(endless.json()).toMatchObject({
    errors: [{ field: 'query/until', code: 'resource-reservation.overview-too-long' }],
  })
})
