import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import rules from '../../api/scholarships/scholarship-submission.rules.ts'
import type { DeskInput, RuleInput } from '../../api/platform/model/deployed/rules.ts'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import { numbers } from '../../api/platform/records/numbers/numbers.ts'
import writeAward from '../../workers/scholarships/write-award.ts'
import type { WorkerContext } from '../../workers/platform/worker.ts'
import { at } from '../../api/platform/model/definitions/register.ts'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { addGrants } from '../../api/platform/people/access/grant-rows.ts'
import { leaving } from '../../api/platform/people/identity/leaving.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import { listLines } from '../../api/platform/work/rows/run-lines.ts'
import { prepareRun } from '../../api/platform/work/runs/prepare.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'

const library = loadLibrary(join(import.meta.dirname, '../..'))
const INSTALLMENT = 'scholarships/scholarship-installment'
const MINIMUM = 2
/** Of scholarships. */
const MONTHS = { from: '2026-01', until: '2027-12' }

let database: TestDatabase
let office: string
beforeAll(async () => {
  database = await freshDatabase()
  office = await anAccount(database.db)
})
afterAll(() => database.drop())

type Own = ReturnType<typeof registers>

const within = <T>(act: (own: Own, trx: Transaction<DB>) => Promise<T>): Promise<T> =>
  database.db.transaction().execute((trx) => act(registers(trx, library), trx))

/** A student who is complete enough to be written again. */
async function aStudent(): Promise<string> {
  const mark = randomUUID().slice(0, 8)
  const faculty = await anItem(database.db, 'platform/faculty')
  const intake = await anItem(database.db, 'intakes/intake')
  const data = {
    reg_no: `S/${mark}`,
    full_name: 'Nadeesha Perera',
    nic: String(randomInt(1e11, 1e12)),
    email: `${mark}@students.example`,
    faculty,
    programme: await anItem(database.db, 'setup/degree-program', { data: { faculty } }),
    intake,
  }
  return (await within((own) => own.create('platform/student', data, null))).id
}

async function anAward(student: string, scholarship?: string): Promise<string> {
  const of =
    scholarship ??
    (await anItem(database.db, 'scholarships/scholarship', {
      data: { minimum_results: MINIMUM, method: 'transfer', from: '2026-01', until: '2027-12' },
    }))
  const data: JsonObject = {
    number: `T-${randomUUID().slice(0, 8).toUpperCase()}`,
    scholarship: of,
    student,
    from: '2026-01',
    until: '2027-12',
    amount: 400_000,
    documents_complete: true,
  }
  return (await within((own) => own.create('scholarships/award', data, null))).id
}

const setStatus = (register: string, id: string, status: string) =>
  within(async (own) => own.setStatus(await own.lock(register, id), status, office))

const enterResults = (student: string, year: string, gpa: number) =>
  within((own) => own.create('scholarships/results', { student, year, gpa }, office))

async function stateOf(award: string) {
  const { status, data } = await within((own) => own.item('scholarships/award', award))
  return { status, reason: data['reason'] ?? null, since: data['since'] ?? null }
}

const ACTIVE = { status: 'Active', reason: null, since: null }
const paused = (reason: string) => ({ status: 'Paused', reason, since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })

test('an award is paused while its student is suspended, and ends when the student leaves', async () => {
  const student = await aStudent()
  const award = await anAward(student)
  await setStatus('platform/student', student, 'suspended')
  expect(await stateOf(award)).toEqual(paused('student-not-active'))
  await setStatus('platform/student', student, 'active')
  expect(await stateOf(award)).toEqual(ACTIVE)

  const account = await anAccount(database.db)
  await database.db.updateTable('account').set({ record_id: student }).where('id', '=', account).execute()
  const caseId = await aCase(database.db, account)
  await anAdministrator()
  await within((own, trx) =>
    leaving(trx, { registers: own }).end(account, { caseId, reason: 'Resigned', at: new Date() }),
  )
  expect(await stateOf(award)).toEqual({ ...paused('student-not-active'), status: 'Ended' })
  await setStatus('platform/student', student, 'active')
  expect(await stateOf(award)).toMatchObject({ status: 'Ended' })
})

test('an award is paused while the latest results are below the minimum of its scholarship', async () => {
  const student = await aStudent()
  const [award, other] = [
    await anAward(student),
    await anAward(student, await anItem(database.db, 'scholarships/scholarship', { data: MONTHS })),
  ]
  await enterResults(student, '2024', MINIMUM)
  expect(await stateOf(award)).toEqual(ACTIVE)
  await enterResults(student, '2025', 1.9)
  expect(await stateOf(award)).toEqual(paused('results-below'))
  // The other scholarship has no minimum.
  expect(await stateOf(other)).toEqual(ACTIVE)
  // Results of an earlier year change nothing, and the end of a suspension does not hide them.
  await enterResults(student, '2023', 4)
  await setStatus('platform/student', student, 'suspended')
  await setStatus('platform/student', student, 'active')
  expect(await stateOf(award)).toEqual(paused('results-below'))
  expect(await stateOf(other)).toEqual(ACTIVE)
  await enterResults(student, '2026', 3)
  expect(await stateOf(award)).toEqual(ACTIVE)
})

test('what people have paused stays paused until they resume it', async () => {
  const student = await aStudent()
  const award = await anAward(student)
  await setStatus('scholarships/award', award, 'Paused')
  await enterResults(student, '2025', 1)
  await enterResults(student, '2026', 4)
  expect(await stateOf(award)).toEqual(paused('paused'))
  await setStatus('scholarships/award', award, 'Active')
  expect(await stateOf(award)).toEqual(ACTIVE)
})

test('a run names paused holders among those it leaves out', async () => {
  const scholarship = await anItem(database.db, 'scholarships/scholarship', {
    data: { ...MONTHS, minimum_results: MINIMUM },
  })
  const [good, low, stopped, away] = [await aStudent(), await aStudent(), await aStudent(), await aStudent()]
  const awards: Record<string, string> = {}
  for (const student of [good, low, stopped, away]) awards[student] = await anAward(student, scholarship)
  await enterResults(low, '2025', 1)
  await setStatus('scholarships/award', awards[stopped]!, 'Paused')
  await setStatus('platform/student', away, 'suspended')
  const caseId = await aCase(database.db, office, { flow: INSTALLMENT })
  const paidFrom = await anItem(database.db, 'vouchers/bank-account')
  const form = { scholarship, month: '2026-10', bank_account: paidFrom }
  const read = (pointer: string) => (pointer.endsWith('method') ? 'cheque' : at(form, pointer))
  const run = library.flows.get(INSTALLMENT)!.manifest.run!
  const prepare = (now: Date) =>
    within((_, trx) => prepareRun(trx, { caseId, run, read, registers: library.registers, by: office, now }))
  // The last minute of September, and the first of October, in Colombo.
  await expect(prepare(new Date('2026-09-30T23:59:00+05:30'))).rejects.toMatchObject({
    fields: [{ field: '/month', code: 'platform.run-month-ahead', values: { month: '2026-10' } }],
  })
  await prepare(new Date('2026-10-01T00:00:00+05:30'))
  const lines = await listLines(database.db, caseId)
  expect(Object.fromEntries(lines.map(({ student_id, reason }) => [student_id, reason]))).toEqual({
    [good]: null,
    [low]: 'results-below',
    [stopped]: 'paused',
    [away]: 'student-not-active',
  })
})

test('a scholarship of a district is for those who live there, as far as their particulars hold it', async () => {
  const { db } = database
  const [here, elsewhere] = [await anItem(db, 'platform/district'), await anItem(db, 'platform/district')]
  const [local, other, unknown] = [await aStudent(), await aStudent(), await aStudent()]
  await anItem(db, 'students/particulars', { data: { student: local, district: here } })
  await anItem(db, 'students/particulars', { data: { student: other, district: elsewhere } })
  const records = [local, other, unknown]
  const unfit = await rules.unfitFor!({ db, records, item: { data: { district: here } } })
  expect([...unfit]).toEqual([[other, 'scholarships.from-elsewhere']])
  expect([...(await rules.unfitFor!({ db, records, item: { data: {} } }))]).toEqual([])

  const account = await anAccount(db)
  const refused = async (student: string, said: string) => {
    await db.updateTable('account').set({ record_id: student }).where('id', '=', account).execute()
    const data = { scholarship: randomUUID(), district: said }
    const items = new Map([['/scholarship', { data: { district: here } }]])
    const input = { data, items, requester: { id: account } } as unknown as RuleInput
    const wrong = await within(async (_, trx) => rules.check!({ ...input, trx }))
    return wrong.map(({ field, code }) => `${field} ${code}`)
  }
  expect(await refused(local, here)).toEqual([])
  expect(await refused(other, here)).toEqual(['/district scholarships.district-held'])
  expect(await refused(other, elsewhere)).toEqual(['/district scholarships.other-district'])
  expect(await refused(unknown, here)).toEqual([])
})

test('an award is left, and within the months of its scholarship, at the desk and when it is written', async () => {
  const months = { from: '2026-01', until: '2027-12' }
  const scholarship = await anItem(database.db, 'scholarships/scholarship', { data: { ...months, awards: 2 } })
  const form = library.forms.get('scholarships/award-decision')!.schema
  const refused = (from: string, until: string) =>
    within(async (_, trx) => {
      const data = { outcome: 'award', from, until, documents_complete: true }
      const wrong = [
        ...checkForm(form, data),
        ...(await rules.answers!['scholarships/award-decision']!.check({
          ...{ data, trx, current: { scholarship } },
          ...({} as Pick<DeskInput, 'facts' | 'now' | 'caseId' | 'by'>),
        })),
      ]
      return [...new Set(wrong.map(({ field, code }) => `${field} ${code}`))]
    })
  expect(await refused('2026-01', '2026-01')).toEqual([])
  expect(await refused('2026-05', '2026-04')).toEqual(['/until platform.check-x-not-before'])
  expect(await refused('2025-12', '2099-12')).toEqual([
    '/from scholarships.outside-period',
    '/until scholarships.outside-period',
  ])
  const account = await anAccount(database.db)
  const record_id = await aStudent()
  await database.db.updateTable('account').set({ record_id }).where('id', '=', account).execute()
  const data = { outcome: 'award', from: '2026-01', until: '2099-12' }
  const written = within((own, trx) =>
    writeAward.run({
      ...{ trx, registers: own, numbers: numbers(trx), facts: () => Promise.resolve(), submission: { scholarship } },
      ...{ variables: {}, now: new Date(), case: { requesterId: account, reference: 'SC-1' } },
      submissions: [{ formKey: 'scholarships/award-decision', data, by: office }],
    } as unknown as WorkerContext<unknown>),
  )
  await expect(written).rejects.toThrow('not within the months')

  const [last] = [await anAward(await aStudent(), scholarship), await anAward(await aStudent(), scholarship)]
  expect(await refused('2026-01', '2026-12')).toEqual(['/outcome scholarships.no-award-left'])
  await setStatus('scholarships/award', last!, 'Ended')
  expect(await refused('2026-01', '2026-12')).toEqual([])
})

test.each([
  ['transfer', 'none', 400_000],
  ['cheque', '1000', 100_000],
  ['cheque', '1500', 150_000],
  ['cheque', '2000', 200_000],
])('an award by %s of %s is of %d cents a month', async (method, cheque_amount, amount) => {
  const months = { from: '2026-01', until: '2027-12' }
  const scholarship = await anItem(database.db, 'scholarships/scholarship', {
    data: { ...months, awards: 1, method, cheque_amount, value: 400_000, type: randomUUID() },
  })
  const account = await anAccount(database.db)
  const record_id = await aStudent()
  await database.db.updateTable('account').set({ record_id }).where('id', '=', account).execute()
  const written: JsonObject[] = []
  await within((own, trx) =>
    writeAward.run({
      ...{ trx, numbers: numbers(trx), facts: () => Promise.resolve(), submission: { scholarship } },
      registers: { ...own, create: async (_: string, data: JsonObject) => void written.push(data) },
      ...{ variables: {}, now: new Date(), case: { requesterId: account, reference: 'SC-1' } },
      submissions: [{ formKey: 'scholarships/award-decision', data: { outcome: 'award', ...months }, by: office }],
    } as unknown as WorkerContext<unknown>),
  )
  expect(written).toMatchObject([{ scholarship, student: record_id, amount }])
})

test('a cheque is made out for an amount of the source, and a transfer for none', () => {
  const form = library.registers.get('scholarships/scholarship')!.item
  const wrong = (method: string, cheque_amount: string) =>
    checkForm(form, { method, cheque_amount }).filter(({ field }) => field === '/cheque_amount').length
  expect(['none', '1000', '1500', '2000', '2500'].map((amount) => wrong('cheque', amount) > 0)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ])
  expect(['none', '1000'].map((amount) => wrong('transfer', amount) > 0)).toEqual([false, true])
})

test('a scholarship is not shortened below an award in use, and none is written outside it', async () => {
  const { db } = database
  const scholarship = await anItem(db, 'scholarships/scholarship', { data: { from: '2026-01', until: '2027-12' } })
  await anAward(await aStudent(), scholarship)
  const shorten = db
    .updateTable('register_item')
    .set({ data: JSON.stringify({ from: '2026-01', until: '2027-06' }) })
    .where('id', '=', scholarship)
  await expect(shorten.execute()).rejects.toThrow('would not agree')
  const short = await anItem(db, 'scholarships/scholarship', { data: { from: '2026-05', until: '2027-12' } })
  await expect(anAward(await aStudent(), short)).rejects.toMatchObject({
    fields: [{ field: '/from', code: 'platform.item-does-not-fit' }],
  })
})

/** Nobody leaves as the last administrator. */
const anAdministrator = () =>
  within((_, trx) =>
    addGrants(trx, [
      {
        account: office,
        role: 'ADMIN',
        scope: null,
        startsAt: null,
        endsAt: null,
        by: null,
        reason: 'Test',
        origin: 'seed',
      },
    ]),
  )
