import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { join } from 'node:path'
import { sql } from 'kysely'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { at } from '../../api/platform/model/definitions/register.ts'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import { titleOf } from '../../api/platform/records/registers/item.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { addGrants } from '../../api/platform/people/access/grant-rows.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { remindOfExpiring } from '../../api/platform/work/registers/expiring.ts'
import { listLines } from '../../api/platform/work/rows/run-lines.ts'
import { prepareRun } from '../../api/platform/work/runs/prepare.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'
import enterRecipient from '../../workers/bursary/enter-recipient.ts'
import type { WorkerContext } from '../../workers/platform/worker.ts'

const FLOW = 'bursary/bursary-installment'
const MONTH = '2026-10'
const library = loadLibrary(join(import.meta.dirname, '../..'))
let database: TestDatabase
let person: string
let entryNumber = 1
let account: { bank: string; branch: string; paidFrom: string }

beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  person = await anAccount(db)
  account = {
    bank: await anItem(db, 'vouchers/bank', { data: { code: '9001' } }),
    branch: await anItem(db, 'vouchers/branch', { data: { code: '9001-007' } }),
    paidFrom: await anItem(db, 'vouchers/bank-account'),
  }
})
afterAll(() => database?.drop())

const put = (register: string, data: object, status = 'Active') => anItem(database.db, register, { data, status })

/** A bursary that pays in the month to those who have attended 79 % of the days. */
async function aBursary() {
  const scheme = await put('bursary/scheme', { method: 'transfer' })
  await put('bursary/installment-value', { scheme, from: '2026-01', amount: 450_000 })
  const criterion = await anItem(database.db, 'bursary/payment-criterion', {
    data: { month: MONTH, least_attendance: 79 },
  })
  await database.db.updateTable('register_item').set({ title: MONTH }).where('id', '=', criterion).execute()
  return { scheme, criterion }
}

/** A recipient with documents, account and these days of attendance. */
async function aRecipient(
  { scheme, criterion }: { scheme: string; criterion: string },
  name: string,
  days?: { present: number; held: number },
): Promise<string> {
  const student = await put('platform/student', { reg_no: name }, 'active')
  const { bank, branch } = account
  const numbers = { account_name: 'A', account_number: '0001 2222 3333' }
  await put('platform/student-account', { student, bank, branch, ...numbers }, 'Certified')
  const recipient = await put('bursary/recipient', { scheme, student, from: '2026-01', documents_complete: true })
  if (days) await put('bursary/attendance', { criterion, recipient, days_present: days.present, days_held: days.held })
  return student
}

/** Prepares the run of the month; the code of each student with the reason why they are left out. */
async function prepared(scheme: string): Promise<Record<string, string | null>> {
  const { db } = database
  const caseId = await aCase(db, person, { flow: FLOW })
  const data = { scheme, month: MONTH, bank_account: account.paidFrom }
  const read = (pointer: string) => (pointer.includes('#') ? 'transfer' : at(data, pointer))
  const run = library.flows.get(FLOW)!.manifest.run!
  await db
    .transaction()
    .execute((trx) => prepareRun(trx, { caseId, run, read, registers: library.registers, by: person }))
  return Object.fromEntries((await listLines(db, caseId)).map(({ code, reason }) => [code, reason]))
}

test('the criterion of the month decides by days present and held who is left out', async () => {
  const bursary = await aBursary()
  await aRecipient(bursary, 'ENOUGH', { present: 16, held: 20 })
  await aRecipient(bursary, 'BARELY-NOT', { present: 15, held: 19 })
  await aRecipient(bursary, 'TOO-LOW', { present: 12, held: 20 })
  await aRecipient(bursary, 'NOT-RECORDED')
  expect(await prepared(bursary.scheme)).toEqual({
    ENOUGH: null,
    // 78.95 % is not rounded up.
    'BARELY-NOT': 'attendance-too-low',
    'TOO-LOW': 'attendance-too-low',
    'NOT-RECORDED': 'attendance-missing',
  })
})

test('who gets Mahapola or a scholarship in the month is left out, once, and who got it before or later is not', async () => {
  const bursary = await aBursary()
  const days = { present: 20, held: 20 }
  const [mahapola, both, ended, later, paused] = await Promise.all(
    ['MAHAPOLA', 'BOTH', 'ENDED', 'LATER', 'PAUSED'].map((name) => aRecipient(bursary, name, days)),
  )
  for (const student of [mahapola, both]) await put('mahapola/recipient', { student, from: '2026-10' })
  await put('scholarships/award', { student: both, from: '2026-01', until: '2027-12' })
  await put('mahapola/recipient', { student: ended, from: '2025-01', until: '2026-09' })
  await put('mahapola/recipient', { student: later, from: '2026-11' })
  await put('scholarships/award', { student: paused, from: '2026-01', until: '2027-12' }, 'Paused')
  expect(await prepared(bursary.scheme)).toEqual({
    MAHAPOLA: 'other-scheme',
    BOTH: 'other-scheme',
    ENDED: null,
    LATER: null,
    PAUSED: null,
  })
})

test('who is entered by hand waits for a second person, and is named until then', async () => {
  const bursary = await aBursary()
  await aRecipient(bursary, 'CERTIFIED', { present: 20, held: 20 })
  const student = await aRecipient(bursary, 'BY-HAND', { present: 20, held: 20 })
  await sql`update register_item set status = 'To Certify'
    where register = 'bursary/recipient' and data ->> 'student' = ${student}`.execute(database.db)
  expect(await prepared(bursary.scheme)).toEqual({ CERTIFIED: null, 'BY-HAND': 'not-certified' })
})

test('departments are reminded before the attendance of a month is due', async () => {
  const { db } = database
  const assistant = await anAccount(db)
  const now = new Date('2026-11-01T08:00:00+05:30')
  await put('bursary/payment-criterion', { month: '2026-10', recorded_until: '2026-11-03' })
  const scope = { kind: 'department', id: await put('platform/department', {}) }
  const grant = { account: assistant, role: 'MA', scope, startsAt: null, endsAt: null, by: null, reason: 'Test' }
  await db.transaction().execute(async (trx) => {
    await addGrants(trx, [{ ...grant, origin: 'seed' }])
    const deps = { library, publicUrl: 'http://localhost' }
    expect(await remindOfExpiring(trx, { ...deps, mail: mail(trx, deps), now })).toMatchObject({ written: 1 })
  })
  expect(await db.selectFrom('mail').select(['recipient_id', 'template']).execute()).toEqual([
    { recipient_id: assistant, template: 'bursary.mail.attendance-due' },
  ])
})

test.each([
  ['follows the last month', 'Active', { until: '2026-09' }, { from: '2025-01', until: '2027-06' }],
  ['overlaps, and ends earlier', 'Active', { until: '2027-12' }, { from: '2025-01', until: '2027-12' }],
  ['begins after a gap', 'Active', { until: '2025-12' }, { from: '2026-10', until: '2027-06' }],
  ['was inactive', 'Inactive', { until: '2027-12' }, { from: '2026-10', until: '2027-06' }],
  ['was of another bursary', 'Active', { until: '2026-09', scheme: 'other' }, { from: '2026-10', until: '2027-06' }],
] as const)('an entry whose bursary comes back opens no months between: it %s', async (_, status, earlier, months) => {
  const { db } = database
  const scheme = await put('bursary/scheme', {})
  const title = `Bursary ${scheme}`
  await db.updateTable('register_item').set({ title }).where('id', '=', scheme).execute()
  const [student, other] = [await put('platform/student', {}, 'active'), await put('bursary/scheme', {})]
  const requesterId = await anAccount(db)
  await db.updateTable('account').set({ record_id: student }).where('id', '=', requesterId).execute()
  const before = {
    number: `R-${entryNumber++}`,
    student,
    from: '2025-01',
    documents_complete: true,
    until: earlier.until,
  }
  const entry = await put('bursary/recipient', { ...before, scheme: 'scheme' in earlier ? other : scheme }, status)
  const data = { outcome: 'accept', from: '2026-10', until: '2027-06' }
  await db.transaction().execute((trx) =>
    enterRecipient.run({
      ...{ trx, registers: registers(trx, library), facts: () => Promise.resolve() },
      variables: { eligibility: `${title}: reason` },
      submissions: [{ formKey: 'bursary/agreement-acceptance', data, by: person }],
      case: { reference: 'BA-1', requesterId },
    } as unknown as WorkerContext<unknown>),
  )
  const now = await db.selectFrom('register_item').selectAll().where('id', '=', entry).executeTakeFirstOrThrow()
  expect(now).toMatchObject({ status: 'Active', data: { scheme, ...months } })
})

test('attendance is named by the days present of those held', () => {
  expect(titleOf(library.registers.get('bursary/attendance')!, { days_present: 18, days_held: 20 })).toBe('18 / 20')
})

test('nobody is present on more days than were held', () => {
  const { item } = library.registers.get('bursary/attendance')!
  const errors = (days_present: number) =>
    checkForm(item, { criterion: crypto.randomUUID(), recipient: crypto.randomUUID(), days_held: 20, days_present })
  expect(errors(20)).toEqual([])
  expect(errors(21)).toEqual([
    expect.objectContaining({ field: '/days_present', code: 'bursary.attendance.more-than-held' }),
  ])
})
