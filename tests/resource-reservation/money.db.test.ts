import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { pino } from 'pino'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { moneyChecks, settlementOf } from '../../api/resource-reservation/money.ts'
import { discoverWorkers } from '../../workers/platform/discovery.ts'
import type { RunOnce } from '../../workers/platform/run.ts'
import { runOnce } from '../../workers/platform/run-once.ts'
import type { AnyWorker } from '../../workers/platform/worker.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'

const root = join(import.meta.dirname, '../..')
const lock = { held: () => true, confirm: () => Promise.resolve(true) }
const NOW = new Date('2027-03-01T10:00:00+05:30')
const booking = {
  from: '2027-03-10T09:00:00+05:30',
  until: '2027-03-10T12:00:00+05:30',
  salutation: 'Mr.',
  poc_name: 'N',
}
const lines = [
  { description: 'Hire', quantity: 3, unit_price: 150_000, amount: 450_000, kind: 'hire' },
  { description: 'Microphones', quantity: 2, unit_price: 75_000, amount: 150_000, kind: 'amenity' },
  { description: 'Refundable deposit', quantity: 1, unit_price: 500_000, amount: 500_000, kind: 'deposit' },
]
const TOTAL = 1_100_000
const slip = { outcome: 'send', paid_on: '2027-03-01', amount: TOTAL, bank_reference: 'B-1' }
const sent = {
  invoice: { outcome: 'issue', lines, due: '2027-03-12' },
  slip,
  check: { outcome: 'paid', receipt_no: 'R-77' },
  refund: { outcome: 'refunded', method: 'cheque', reference: 'C-9', paid_on: '2027-03-12' },
}

let database: TestDatabase
let run: RunOnce
let topics: Map<string, AnyWorker>
let person: string
beforeAll(async () => {
  database = await freshDatabase()
  run = runOnce({ db: database.db, library: loadLibrary(root), publicUrl: 'http://localhost', clock: () => NOW })
  topics = await discoverWorkers()
  person = await anAccount(database.db)
  const data = { bank_name: 'Demonstration Bank', branch: 'B', account_name: 'A', account_number: '0001' }
  await anItem(database.db, 'resource-reservation/bank-account', { data })
})
afterAll(() => database.drop())

async function aBooking(): Promise<string> {
  const id = await aCase(database.db, person, { subject: { event: 'Concert', resource: 'Main Theatre' } })
  await database.db
    .updateTable('flow_case')
    .set({ data: JSON.stringify(booking) })
    .where('id', '=', id)
    .execute()
  return id
}

let moments = 0
async function send(caseId: string, form: string, data: object): Promise<void> {
  const { flow_hash: hash } = await database.db.selectFrom('flow_case').select('flow_hash').executeTakeFirstOrThrow()
  moments += 1
  const at = new Date(NOW.getTime() + moments)
  const row = { id: randomUUID(), case_id: caseId, form_key: `resource-reservation/${form}`, form_hash: hash, at }
  await database.db
    .insertInto('submission')
    .values({ ...row, data: JSON.stringify(data), submitted_by: person, effect: 'done' })
    .execute()
}

/** Runs a worker of this area twice, as after a crash between effect and report. */
async function step(caseId: string, name: string, variables: Record<string, unknown> = {}) {
  const topic = `resource-reservation.${name}`
  const task = { id: randomUUID(), topic, element: 'serviceTask_x', caseId, variables }
  const once = () => run({ worker: topics.get(topic)!, task, lock, log: pino({ enabled: false }) })
  const outcome = await once()
  expect(await once()).toEqual(outcome)
  return outcome.kind === 'completed' ? outcome.output : outcome
}

async function billed(): Promise<string> {
  const id = await aBooking()
  await send(id, 'invoice', sent.invoice)
  await step(id, 'issue-invoice')
  return id
}

async function paid(): Promise<string> {
  const id = await billed()
  await send(id, 'payment-slip', sent.slip)
  await send(id, 'payment-check', sent.check)
  await step(id, 'record-payment')
  return id
}

/** The balances of a case, and the changes of the shared accounts since. */
async function change(caseId: string, act: () => Promise<unknown>) {
  const names = ['bank', 'income:resource-reservation', 'damages:resource-reservation']
  const own = ['receivable', 'deposit', 'refund'].map((name) => `${name}:${caseId}`)
  const read = () =>
    database.db.transaction().execute((trx) => Promise.all([...names, ...own].map((name) => ledger(trx).balance(name))))
  const before = await read()
  await act()
  const after = await read()
  const by = after.map((balance, n) => balance - before[n]!)
  return { bank: by[0], income: by[1], damages: by[2], receivable: after[3], deposit: after[4], refund: after[5] }
}

const factsOf = async (id: string) =>
  (await database.db.selectFrom('flow_case').select('facts').where('id', '=', id).executeTakeFirstOrThrow())
    .facts as Record<string, never>

const papers = async (id: string) =>
  (
    await database.db
      .selectFrom('document')
      .select(['kind', 'number'])
      .where('case_id', '=', id)
      .orderBy('issued_at')
      .execute()
  ).map(({ kind, number }) => `${kind.split('/')[1]} ${number.replace(/\d{6}$/, '#')}`)

test('an invoice is booked and numbered, its payment closes it, and a receipt is issued', async () => {
  let id = ''
  expect(await change('none', async () => (id = await billed()))).toMatchObject({ bank: 0, income: 600_000 })
  expect(await change(id, async () => undefined)).toMatchObject({ receivable: TOTAL, deposit: 500_000, refund: 0 })
  await send(id, 'payment-slip', sent.slip)
  await send(id, 'payment-check', sent.check)
  expect(await change(id, () => step(id, 'record-payment'))).toEqual({
    ...{ bank: TOTAL, income: 0, damages: 0, receivable: 0, deposit: 500_000, refund: 0 },
  })
  expect(await papers(id)).toEqual(['invoice INV-2027-#', 'receipt RC-2027-#'])
  expect(await factsOf(id)).toMatchObject({
    invoice: { total: TOTAL, hire: 600_000, deposit: 500_000, due: '2027-03-12' },
    payment: { receipt: 'R-77', amount: TOTAL, paidOn: '2027-03-01' },
  })
})

test('invoice numbers have no gaps, although many are issued at once and one fails', async () => {
  const broken = await aBooking()
  await Promise.allSettled([...Array.from({ length: 6 }, billed), step(broken, 'issue-invoice')])
  const rows = await database.db
    .selectFrom('document')
    .select('number')
    .where('kind', '=', 'resource-reservation/invoice')
    .orderBy('number')
    .execute()
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, n) => `INV-2027-${String(n + 1).padStart(6, '0')}`))
})

test('an unpaid invoice is cancelled by a credit note; without one nothing happens; a pending slip is an incident', async () => {
  const id = await billed()
  expect(await change(id, () => step(id, 'void-invoice'))).toEqual({
    ...{ bank: 0, income: -600_000, damages: 0, receivable: 0, deposit: 0, refund: 0 },
  })
  expect(await papers(id)).toEqual(['invoice INV-2027-#', 'credit-note CN-2027-#'])
  expect((await change(id, () => step(id, 'void-invoice'))).income).toBe(0)
  const none = await aBooking()
  await step(none, 'void-invoice')
  expect(await papers(none)).toEqual([])

  const onItsWay = await billed()
  await send(onItsWay, 'payment-slip', sent.slip)
  await step(onItsWay, 'void-invoice')
  const returned = await billed()
  await send(returned, 'payment-slip', sent.slip)
  await send(returned, 'payment-check', { outcome: 'return', reason: 'unreadable' })
  await step(returned, 'void-invoice')
  // Withdrawn after finance has found the money, and before it was booked.
  const found = await billed()
  await send(found, 'payment-slip', sent.slip)
  await send(found, 'payment-check', sent.check)
  await step(found, 'void-invoice')
  const incidents = await database.db.selectFrom('incident').select(['case_id', 'kind']).execute()
  expect(incidents).toEqual([onItsWay, found].map((case_id) => ({ case_id, kind: 'slip-unsettled' })))
})

test('a paid booking that ends unconfirmed is due in full, once, and an incident reports it', async () => {
  const id = await paid()
  const end = () => change(id, () => step(id, 'void-invoice'))
  expect(await end()).toEqual({ bank: 0, income: -600_000, damages: 0, receivable: 0, deposit: 0, refund: TOTAL })
  expect(await end()).toMatchObject({ income: 0, refund: TOTAL })
  const incidents = await database.db.selectFrom('incident').select('kind').where('case_id', '=', id).execute()
  expect(incidents).toEqual([{ kind: 'paid-unconfirmed' }])
})

test('refunds never exceed payments, though finance billed less than the list price', () => {
  const worth = (hire: number, deposit: number, difference: number, percentBack: number) =>
    settlementOf({ invoice: { hire, deposit }, difference, percentBack, damages: 0 })
  // A waived hire, then a shorter time.
  expect(worth(100_000, 500_000, -450_000, 100)).toMatchObject({ difference: -100_000, refundDue: 600_000 })
  // A waived deposit, then a longer time: unpaid amounts are not refunded.
  expect(worth(100_000, 50_000, 450_000, 100)).toMatchObject({ differenceCharged: 50_000, refundDue: 150_000 })
})

test('a cancellation refunds its share of hire and amenities, and the deposit in full; paying it closes the case', async () => {
  const id = await paid()
  let due: unknown
  const settled = await change(id, async () => (due = await step(id, 'settle-cancellation', { refundPercent: 50 })))
  expect(due).toEqual({ refundDue: 800_000 })
  expect(settled).toEqual({ bank: 0, income: -300_000, damages: 0, receivable: 0, deposit: 0, refund: 800_000 })
  await send(id, 'refund', sent.refund)
  expect(await change(id, () => step(id, 'record-refund'))).toEqual({
    ...{ bank: -800_000, income: 0, damages: 0, receivable: 0, deposit: 0, refund: 0 },
  })
  expect(await factsOf(id)).toMatchObject({ settlement: { refundDue: 800_000, refund: { amount: 800_000 } } })
  await expect(step(id, 'record-refund')).rejects.toThrow('nothing is due back')
  expect(await step(await aBooking(), 'settle-cancellation', { refundPercent: 100 })).toEqual({ refundDue: 0 })
})

test.each([
  // damages, difference of a change of time → due back, damages booked, income moved, owed
  [[], 0, 500_000, 0, 0, 0],
  [[120_000, 30_000], 0, 350_000, 150_000, 0, 0],
  [[900_000], 0, 0, 500_000, 0, 400_000],
  [[], 200_000, 300_000, 0, 200_000, 0],
  [[400_000], 200_000, 0, 300_000, 200_000, 100_000],
  [[900_000], -50_000, 50_000, 500_000, -50_000, 400_000],
])(
  'after the event, damages %j and a difference of %i leave %i of the deposit',
  async (amounts, difference, ...expected) => {
    const id = await paid()
    const facts = JSON.stringify({ ...(await factsOf(id)), timeChange: { difference } })
    await database.db.updateTable('flow_case').set({ facts }).where('id', '=', id).execute()
    const damages = amounts.map((amount) => ({ description: 'A chair', amount }))
    await send(id, 'post-report', { outcome: 'report', attended: 10, condition: 'as found', damages })
    const [refundDue, charged, income, owed] = expected
    const moved = await change(id, async () => expect(await step(id, 'settle-deposit')).toEqual({ refundDue }))
    expect(moved).toEqual({ bank: 0, income, damages: charged, receivable: 0, deposit: 0, refund: refundDue })
    expect(await factsOf(id)).toMatchObject({ settlement: { owed, refundDue } })
    const { data } = await database.db
      .selectFrom('document')
      .select('data')
      .where('case_id', '=', id)
      .where('kind', '=', 'resource-reservation/settlement')
      .executeTakeFirstOrThrow()
    const listed = (data as unknown as { lines: { amount: number }[] }).lines
    expect(listed.reduce((sum, { amount }) => sum + amount, 0)).toBe(refundDue)
  },
)

test('the notice of a cancellation counts whole hours from the request', async () => {
  const id = await aBooking()
  expect(await step(id, 'measure-notice')).toEqual({ noticeHours: 215 })
  await send(id, 'cancellation-request', { reason: 'ill' })
  expect(await step(id, 'measure-notice')).toEqual({ noticeHours: 214 })
  await database.db
    .updateTable('flow_case')
    .set({ data: JSON.stringify({ ...booking, from: '2027-02-01T09:00:00+05:30' }) })
    .where('id', '=', id)
    .execute()
  expect(await step(id, 'measure-notice')).toEqual({ noticeHours: 0 })
})

test('people who decide a cancellation see the exact amount that is settled then, including a change of time', async () => {
  const id = await paid()
  const facts = JSON.stringify({ ...(await factsOf(id)), timeChange: { difference: 40_000 } })
  await database.db.updateTable('flow_case').set({ facts }).where('id', '=', id).execute()
  await step(id, 'measure-notice')
  expect(await step(id, 'work-out-refund', { refundPercent: 50 })).toEqual({})
  expect((await factsOf(id))['cancellationTerms']).toEqual({
    ...{ noticeHours: 215, refundPercent: 50, hire: 320_000, deposit: 460_000, refund: 780_000 },
  })
  expect(await step(id, 'settle-cancellation', { refundPercent: 50 })).toEqual({ refundDue: 780_000 })
  const free = await aBooking()
  await step(free, 'measure-notice')
  await step(free, 'work-out-refund', { refundPercent: 50 })
  expect(await factsOf(free)).toEqual({ cancellation: { noticeHours: 215 } })
})

test('money desks refuse amounts that do not agree, by field', async () => {
  const invoice = { total: TOTAL }
  const ask = (form: string, data: object) =>
    database.db.transaction().execute(async (trx) => {
      const input = { data: data as never, current: {}, facts: { invoice }, now: NOW, trx, caseId: '0', by: person }
      return (await moneyChecks[`resource-reservation/${form}`]!.check(input)).map(({ field, code }) => [
        field,
        code.split('.')[1],
      ])
    })
  expect(await ask('invoice', sent.invoice)).toEqual([])
  const askew = lines.with(1, { ...lines[1]!, amount: 150_001 })
  expect(await ask('invoice', { ...sent.invoice, lines: askew, due: '2027-03-16' })).toEqual([
    ['/lines/1/amount', 'line-amount-differs'],
    ['/due', 'due-too-late'],
  ])
  const free = [{ ...lines[0]!, unit_price: 0, amount: 0 }]
  expect(await ask('invoice', { lines: free, due: '2027-02-28' })).toEqual([
    ['/lines', 'invoice-nothing-due'],
    ['/due', 'due-in-past'],
  ])
  expect(await ask('payment-slip', slip)).toEqual([])
  expect(await ask('payment-slip', { ...slip, amount: TOTAL - 1, paid_on: '2027-03-02' })).toEqual([
    ['/amount', 'payment-differs'],
    ['/paid_on', 'paid-in-future'],
  ])
})
