import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import { dayInColombo } from '../../api/platform/kernel/colombo.ts'
import { type Database, connect } from '../../api/platform/kernel/db/database.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { pidOf, stack } from '../platform/kit/stack.ts'
import { aBooking, BOOKING, type Resource, resources } from './booking.ts'
import { aReference } from '../platform/kit/payments.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { desks } = resourceBooking
const today = dayInColombo(new Date())

let database: Database
let student: Person, finance: Person, admin: Person
let studio: Resource
beforeAll(async () => {
  database = connect(stack().databaseUrl, { name: 'test-money', max: 4, onError: () => undefined })
  ;[student, finance, admin] = await Promise.all([as('student.nuwan'), as('finance'), as('admin')])
  studio = (await resources()).find(({ title }) => title === 'Recital Studio')!
})
afterAll(() => database.close())

/** A booking that all desks have approved, so that finance is asked for an invoice: three hours and the deposit. */
async function approved(): Promise<Case> {
  const booking = await student.submit(BOOKING, aBooking(studio))
  for (const username of ['hod.western-music', 'ma.western-music', 'ar.music', 'registrar', 'vc'])
    await (await as(username)).decides(booking, 'approve')
  return booking
}

async function facts(of: Case): Promise<Record<string, any>> {
  return (await admin.get(`/api/cases/${of.id}`)).facts
}

/** Finance bills the estimate; returns the total. */
async function billed(booking: Case): Promise<number> {
  const { invoiceLines: lines } = await facts(booking)
  await finance.decides(booking, 'issue', { lines, due: today }, desks.issueInvoice)
  await expectCase(booking).toBe('pending_for_payment')
  const { estimate, invoice } = await facts(booking)
  expect(invoice.total).toBe(estimate.total)
  return invoice.total
}

async function paid(booking: Case): Promise<number> {
  const amount = await billed(booking)
  const slip = { slip: await uploads(student, 'slip.pdf'), paid_on: today, amount, bank_reference: aReference() }
  await student.decides(booking, 'send', slip, desks.sendSlip)
  await finance.decides(booking, 'paid', { receipt_no: `R-${booking.reference}` }, desks.checkPayment)
  return amount
}

/** The balances of a case's accounts, without zeros. */
async function balances(of: Case): Promise<Record<string, number>> {
  const names = ['receivable', 'deposit', 'refund']
  const found = await database.db
    .transaction()
    .execute((trx) => Promise.all(names.map((name) => ledger(trx).balance(`${name}:${of.id}`))))
  return Object.fromEntries(names.map((name, n) => [name, found[n]!]).filter(([, balance]) => balance !== 0))
}

/** The net amount that the case has moved on an account, debits positive. */
async function moved(of: Case, account: string): Promise<number> {
  const entries = await database.db.transaction().execute((trx) => ledger(trx).entries(of.id))
  return entries
    .flatMap(({ lines }) => lines)
    .filter((line) => line.account === account)
    .reduce((sum, { amount }) => sum + amount, 0)
}

/** Delivers every task of the case to its worker again, as after a crash between effect and report. */
async function deliveredAgain(of: Case): Promise<void> {
  const run = runOnce({
    db: database.db,
    library: loadLibrary(join(import.meta.dirname, '../..')),
    publicUrl: stack().url,
  })
  const workers = await discoverWorkers()
  const runs = await database.db.selectFrom('worker_run').selectAll().where('case_id', '=', of.id).execute()
  expect(runs.length).toBeGreaterThan(0)
  for (const { external_task_id: id, topic, outcome } of runs) {
    const task = { id, topic, element: 'serviceTask_x', caseId: of.id, variables: { template: 'x', refundPercent: 0 } }
    const lock = { held: () => true, confirm: async () => true }
    expect(await run({ worker: workers.get(topic)!, task, lock, log: pino({ enabled: false }) })).toMatchObject({
      kind: outcome,
    })
  }
}

test('billed, paid, damaged, refunded: every account of the booking balances to zero, and no repetition counts twice', async () => {
  const booking = await approved()
  const wrong = {
    lines: [{ description: 'Hire', quantity: 2, unit_price: 100, amount: 300, kind: 'hire' }],
    due: today,
  }
  const task = await finance.task(booking, desks.issueInvoice)
  const refused = await finance.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'issue', ...wrong } })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: '/lines/0/amount' }] } })

  const total = await billed(booking)
  const { deposit } = (await facts(booking)).estimate
  expect(await balances(booking)).toEqual({ receivable: total, deposit })
  const slip = { slip: await uploads(student, 'slip.pdf'), paid_on: today, amount: total, bank_reference: aReference() }
  const asked = await student.task(booking, desks.sendSlip)
  const short = { data: { outcome: 'send', ...slip, amount: total - 1 } }
  expect(await student.send('POST', `/api/tasks/${asked.id}/complete`, short)).toMatchObject({
    ...{ status: 422, body: { errors: [{ field: '/amount', code: 'resource-reservation.payment-differs' }] } },
  })
  await student.decides(booking, 'send', slip, desks.sendSlip)
  await finance.decides(booking, 'return', { reason: 'The slip cannot be read' }, desks.checkPayment)
  await student.decides(booking, 'send', { ...slip, slip: await uploads(student, 'slip.pdf') }, desks.sendSlip)
  await finance.decides(booking, 'paid', { receipt_no: 'R-1' }, desks.checkPayment)
  process.kill(pidOf('workers')!, 'SIGKILL')
  await expectCase(booking).toBe('confirmed_booking')
  await expectCase(booking, 'payment').toBe('paid')
  expect(await balances(booking)).toEqual({ deposit })

  await clock.passes('P12000D', booking)
  await expectCase(booking).toBe('event_completed')
  const damages = [{ description: 'A broken chair', amount: 120_050 }]
  const report = { attended: 20, condition: 'One chair broken', damages }
  await (await as('ma.western-music')).decides(booking, 'report', report, desks.report)
  await expectCase(booking, 'payment').toBe('Issued_post_report')
  await finance.task(booking, desks.refundDeposit)
  expect(await balances(booking)).toEqual({ refund: deposit - 120_050 })
  const refund = { method: 'bank_transfer', reference: 'T-1', paid_on: today }
  await finance.decides(booking, 'refunded', refund, desks.refundDeposit)
  await expectEnded(booking)
  await expectCase(booking, 'payment').toBe('payments_closed')

  await deliveredAgain(booking)
  expect(await balances(booking)).toEqual({})
  expect(await moved(booking, 'bank')).toBe(total - deposit + 120_050)
  expect(await moved(booking, 'income:resource-reservation')).toBe(-(total - deposit))
  expect(await moved(booking, 'damages:resource-reservation')).toBe(-120_050)
})

test('a cancelled booking refunds what its terms say, the deposit in full, and documents that only its owner can download', async () => {
  const booking = await approved()
  const total = await paid(booking)
  await expectCase(booking).toBe('confirmed_booking')
  await until('the booking may be cancelled', () =>
    student.ok('POST', `/api/cases/${booking.id}/acts/cancel`, { data: { reason: 'The singer is ill' } }),
  )
  await (await as('hod.western-music')).decides(booking, 'accept', {}, desks.decideCancellation)
  // A student who cancels months ahead gets everything back.
  await finance.task(booking, desks.refundCancellation)
  expect(await balances(booking)).toEqual({ refund: total })
  const refund = { method: 'cheque', reference: 'C-1', paid_on: today }
  await finance.decides(booking, 'refunded', refund, desks.refundCancellation)
  await expectEnded(booking)
  await expectCase(booking).toBe('accepted_cancellation')
  await deliveredAgain(booking)
  expect(await balances(booking)).toEqual({})
  expect(await moved(booking, 'bank')).toBe(0)

  const { documents } = await student.get(`/api/cases/${booking.id}`)
  expect(documents.map(({ kind }: { kind: string }) => kind.split('/')[1])).toEqual([
    'invoice',
    'receipt',
    'credit-note',
  ])
  const stranger = await as('student.selvi')
  for (const { id } of documents) {
    const path = `/api/cases/${booking.id}/documents/${id}`
    const answer = await student.send('GET', path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(answer.body).toMatch(/^%PDF-/)
    expect((await stranger.send('GET', path)).status).toBe(404)
  }
})

test('a booking that ends unpaid cancels its invoice', async () => {
  const booking = await approved()
  await billed(booking)
  await student.withdraws(booking)
  await expectCase(booking).toBe('accepted_cancellation')
  await expectEnded(booking)
  expect(await balances(booking)).toEqual({})
  expect(await moved(booking, 'income:resource-reservation')).toBe(0)
})
