import { beforeAll, expect, test } from '@jest/globals'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { approve, aRequest, aSetup, entryOf, type Item, RENEWAL, standsIn } from './renewal.ts'

const { desks } = yearRenewal

let student: Person, ma: Person
let entry: Item
beforeAll(async () => {
  ;[student, ma] = await Promise.all([as('student.nuwan'), as('ma.music')])
  entry = await standsIn('student.nuwan', 2)
})

test('a student renews the year: Head and Dean approve, and the MA writes it into the register once', async () => {
  const setup = await aSetup(entry)
  const data = await aRequest(student, setup)
  const renewal = await student.submit(RENEWAL, data)
  await expectCase(renewal).toBe('Requested')
  const again = await student.send('POST', '/api/cases', { flow: RENEWAL, data })
  expect([again.status, again.body.code]).toEqual([409, 'platform.once-only'])
  await approve(renewal)
  await expectCase(renewal).toBe('Approved')
  expect((await student.get(`/api/cases/${renewal.id}`)).withdrawable).toBe(false)
  // Student support and welfare see all of them, other departments none.
  const listed = async (username: string) =>
    (await (await as(username)).get(`/api/cases?flow=${RENEWAL}&search=${renewal.reference}`)).items.length
  expect([await listed('head.welfare'), await listed('hod.western-music')]).toEqual([1, 0])
  await ma.decides(renewal, 'update', {}, desks.updateYear)
  await expectCase(renewal).toBe('Year Updated')
  await expectEnded(renewal)
  await expectMail(student).about('year-renewals.mail.year-updated', renewal)
  const written = await entryOf('student.nuwan')
  // What was paid stands among the student's payments, in the ledger, once.
  const { rows } = await student.get(`/api/reports/finance/student-payments?filter.reference=${renewal.reference}`)
  expect(rows).toMatchObject([{ reference: { text: renewal.reference }, received: 250_000, paid: null }])
  expect(written).toMatchObject({ version: entry.version + 1, data: { ...entry.data, year: 3 } })
})
