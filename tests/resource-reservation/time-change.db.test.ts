import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pino } from 'pino'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import type { ActInput } from '../../api/platform/model/deployed/rules.ts'
import rules from '../../api/resource-reservation/resource-booking.rules.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import dropNewTime from '../../workers/resource-reservation/drop-new-time.ts'
import takeNewTime from '../../workers/resource-reservation/take-new-time.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'

let database: TestDatabase
let requester: string
beforeAll(async () => {
  database = await freshDatabase()
  requester = await anAccount(database.db)
})
afterAll(() => database.drop())

const at = (time: string) => `2031-03-04T${time}:00+05:30`
const price = { cost_applicable: true, base_cost: 100_000, base_cost_basis: 'Per Hour', refundable_deposit: 200_000 }
const now = new Date('2031-01-01T00:00:00Z')

/** A confirmed booking from nine to ten. */
async function aBooking(): Promise<{
  caseId: string
  hall: string
  data: { resource: string; from: string; until: string }
}> {
  const resource = { name: 'Hall', resource_ref_id: 'H-1', internal_use: true, ...price }
  const hall = await anItem(database.db, 'resource-reservation/resource', { data: resource })
  const data = { resource: hall, from: at('09:00'), until: at('10:00'), association_to_uni: 'current' }
  const caseId = await aCase(database.db, requester)
  await database.db
    .updateTable('flow_case')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', caseId)
    .execute()
  await database.db.transaction().execute(async (trx) => {
    const slots = allocations(trx)
    await slots.claim({ item: hall, booked: { ...data }, holder: requester, caseId, path: '/resource' })
    await slots.confirm(caseId)
  })
  return { caseId, hall, data }
}

/** Requests another time as the case's service does; returns the errors. */
function asks({ caseId, data }: Awaited<ReturnType<typeof aBooking>>, from: string, until: string, deposit = 200_000) {
  return database.db.transaction().execute(async (trx) => {
    const input: ActInput = {
      ...{ data: { from, until, reason: 'Rain' }, current: data, items: new Map(), now, trx, caseId },
      facts: { invoice: { deposit } },
      requester: { id: requester, roles: [], confirmed: true, formerMember: false, guest: false },
    }
    const move = rules.acts!['move']!
    const wrong = await move.check!(input)
    if (wrong.length > 0) return wrong
    const { facts } = await move.derive!(input)
    await trx
      .updateTable('flow_case')
      .set({ facts: JSON.stringify(facts) })
      .where('id', '=', caseId)
      .execute()
    const plan = await move.slots!(input)
    await allocations(trx).claim({ ...plan, holder: requester, caseId, path: '/resource', purpose: 'move' })
    return []
  })
}

function work(worker: typeof takeNewTime, caseId: string) {
  const library = loadLibrary(join(import.meta.dirname, '../..'))
  const task = { id: randomUUID(), topic: 'x', element: 'serviceTask_x', caseId, variables: {} }
  const lock = { held: () => true, confirm: () => Promise.resolve(true) }
  return runOnce({ db: database.db, library, publicUrl: 'http://localhost' })({
    ...{ worker, task, lock, log: pino({ enabled: false }) },
  })
}

const caseOf = (id: string) =>
  database.db.selectFrom('flow_case').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const busy = (item: string) =>
  database.db.transaction().execute((trx) => allocations(trx).busy([item], at('00:00'), at('23:00')))

async function begun(caseId: string): Promise<void> {
  const { flow_hash: hash } = await caseOf(caseId)
  const row = { id: randomUUID(), case_id: caseId, form_key: 'area/form', form_hash: hash, submitted_by: requester }
  await database.db
    .insertInto('submission')
    .values({ ...row, data: '{}', effect: 'done' })
    .execute()
}

test('a granted time becomes the booking’s own, with its cost, and the old one is free', async () => {
  const booking = await aBooking()
  await begun(booking.caseId)
  expect(await asks(booking, at('09:30'), at('12:00'))).toEqual([])
  expect(await busy(booking.hall)).toHaveLength(2)
  expect((await caseOf(booking.caseId)).facts).toMatchObject({ newTimeCostsMore: 200_000, newTimeCostsLess: null })
  expect(await work(takeNewTime, booking.caseId)).toEqual({ kind: 'completed', output: { eventEnd: at('12:00') } })
  expect(await busy(booking.hall)).toMatchObject([
    { state: 'final', booked: { from: new Date(at('09:30')).toISOString() } },
  ])
  const { data, subject, facts } = await caseOf(booking.caseId)
  expect(data).toMatchObject({ from: at('09:30'), until: at('12:00') })
  expect(subject).toMatchObject({ from: at('09:30') })
  expect(facts).toMatchObject({ estimate: { total: 500_000 }, timeChange: { difference: 200_000 } })
  expect(facts).not.toHaveProperty('requestedTime')
})

test('a rejected time is free again, and the booking stays as it was', async () => {
  const booking = await aBooking()
  await begun(booking.caseId)
  expect(await asks(booking, at('11:00'), at('12:30'))).toEqual([])
  expect((await caseOf(booking.caseId)).facts).toMatchObject({ newTimeCostsMore: 100_000 })
  expect(await work(dropNewTime, booking.caseId)).toEqual({ kind: 'completed', output: {} })
  expect(await busy(booking.hall)).toMatchObject([{ booked: { from: new Date(at('09:00')).toISOString() } }])
  expect((await caseOf(booking.caseId)).facts).toEqual({ newTimeCostsMore: null, newTimeCostsLess: null })
})

test('a time that costs more than the billed deposit covers is refused with both amounts', async () => {
  const refused = (deposit: string) => [
    { field: '/until', code: 'resource-reservation.move-costs-more', values: { difference: 'Rs. 3,000.00', deposit } },
  ]
  const booking = await aBooking()
  expect(await asks(booking, at('09:00'), at('12:30'), 200_000)).toEqual(refused('Rs. 2,000.00'))
  // The resource requires a deposit, but finance has billed none.
  expect(await asks(booking, at('09:00'), at('12:30'), 0)).toEqual(refused('Rs. 0.00'))
})
