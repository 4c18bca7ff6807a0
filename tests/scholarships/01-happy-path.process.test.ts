import { beforeAll, expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { AWARDS, INSTALLMENT, SUBMISSION, aScholarship, anApplication, desks, entry, paying } from './scholarship.ts'

let nuwan: Person, selvi: Person, ma: Person, ar: Person, registrar: Person
beforeAll(async () => {
  ;[nuwan, selvi, ma, ar, registrar] = await Promise.all([
    as('student.nuwan'),
    as('student.selvi'),
    as('ma.welfare'),
    as('head.welfare'),
    as('registrar'),
  ])
})

test('a student applies, is selected, approved and awarded, and is paid for a month', async () => {
  const scholarship = await aScholarship('EAY')
  const data = await anApplication(nuwan, scholarship)
  const application = await nuwan.submit(SUBMISSION, data)
  await expectCase(application).toBe('Pending for Student Selection')
  // Rs. 240,000 a year, a GPA of 3.2, 120 km and two siblings.
  const { facts } = await ma.get(`/api/cases/${application.id}`)
  expect(facts).toMatchObject({
    points: 75,
    pointsIncome: 30,
    pointsResults: 20,
    pointsDistance: 5,
    pointsSiblings: 20,
  })
  const again = await nuwan.send('POST', '/api/cases', { flow: SUBMISSION, data })
  expect([again.status, again.body.code]).toEqual([409, 'platform.once-only'])

  const tied = await selvi.submit(SUBMISSION, await anApplication(selvi, scholarship))
  const { rows } = await ma.get(`/api/reports/scholarships/ranking?filter.scholarship=${scholarship.id}`)
  expect(rows).toHaveLength(2)
  const equal = (other: Case) => expect.objectContaining({ rank: 1, points: 75, tie: other.reference })
  expect(rows).toEqual([equal(tied), equal(application)])

  await award(application)
  await expectCase(application).toBe('Done')
  await expectMail(nuwan).about('scholarships.mail.awarded', application)
  await expectEnded(application)
  const { items } = await ma.get(`${AWARDS}?filter.scholarship=${scholarship.id}`)
  expect(items).toHaveLength(1)
  const given = await ma.get(`${AWARDS}/${items[0].id}`)
  expect(given.data).toMatchObject({ from: '2026-01', amount: 400_000, case_reference: application.reference })

  await pay(scholarship.id)
  await ma.decides(tied, 'reject', { reason: 'Another student needs it more' }, desks.select)
  await expectCase(tied).toBe('Not Completed')
}, 120_000)

test('who the criteria do not fit is told why, and no more awards are given than there are', async () => {
  const colombo = await entry('platform/district', 'Colombo')
  const scholarship = await aScholarship('EAY', { awards: 1, district: colombo.id })
  const refused = await nuwan.send('POST', '/api/cases', {
    flow: SUBMISSION,
    data: await anApplication(nuwan, scholarship),
  })
  expect(refused.body.errors).toContainEqual(
    expect.objectContaining({ field: '/district', code: 'scholarships.other-district' }),
  )
  const fine = async (student: Person, more: object = {}) =>
    student.submit(SUBMISSION, await anApplication(student, scholarship, { district: colombo.id, ...more }))
  const first = await fine(nuwan)
  const rich = await fine(selvi, { income: 90_000_000 })
  await ma.decides(rich, 'consider', {}, desks.checkIncome)
  await award(first)
  await expectCase(first).toBe('Done')
  await award(rich)
  await expectCase(rich).toBe('Not Completed')
  await expectMail(selvi).about('scholarships.mail.no-award-left', rich)
}, 120_000)

async function award(of: Case): Promise<void> {
  await ma.decides(of, 'select', {}, desks.select)
  await expectCase(of).toBe('Pending for AR Approval')
  await ar.decides(of, 'approve', {}, desks.approveEAY)
  const months = { from: '2026-01', until: '2027-12', documents_complete: true }
  await registrar.decides(of, 'award', months, desks.awardEAY)
}

/** Pays October to everybody with an award of the scholarship. */
async function pay(scholarship: string): Promise<void> {
  const account = await entry('vouchers/bank-account', 'General')
  const data = { scholarship, month: '2026-10', bank_account: account.id }
  const run = await ma.submit(INSTALLMENT, data)
  await expectCase(run).toBe('ar')
  const { items } = await ma.get(`/api/cases/${run.id}/run/lines?signature=pending`)
  expect(items).toHaveLength(1)
  await ma.ok('POST', `/api/cases/${run.id}/run/signatures`, { lines: items.map(({ id }: { id: string }) => id) })
  for (const [desk, username] of [
    [paying.decideByAR, 'head.welfare'],
    [paying.decideByBursar, 'bursar'],
    [paying.decideByRegistrar, 'registrar'],
    [paying.decideByViceChancellor, 'vc'],
  ] as const)
    await (await as(username)).decides(run, 'approve', {}, desk)
  await expectCase(run).toBe('sent&closed')
  expect(await ma.get(`/api/cases/${run.id}/run`)).toMatchObject({ state: 'paid', total: 400_000 })
}
