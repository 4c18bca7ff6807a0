import { randomUUID } from 'node:crypto'
import { scholarshipInstallment } from '../../processes/scholarships/scholarship-installment.generated.ts'
import { scholarshipSubmission } from '../../processes/scholarships/scholarship-submission.generated.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'

export const { desks, flow: SUBMISSION } = scholarshipSubmission
const { desks: paying, flow: INSTALLMENT } = scholarshipInstallment
export const AWARDS = '/api/registers/scholarships/award/items'

/** The entry of a register that the words find. */
export async function entry(register: string, words: string): Promise<{ id: string; data: any }> {
  const { items } = await (
    await as('admin')
  ).get(`/api/registers/${register}/items?search=${encodeURIComponent(words)}`)
  if (items.length === 0) throw new Error(`${register} has no ${words}`)
  return items[0]
}

/** A new scholarship, open now. */
export async function aScholarship(type: 'EAY' | 'PC' | 'Other', more: object = {}): Promise<any> {
  const mark = randomUUID().slice(0, 8).toUpperCase()
  const data = {
    code: `T-${mark}`,
    name: `Scholarship ${mark}`,
    type: (await entry('scholarships/type', type === 'Other' ? 'Other' : type)).id,
    donor: (await entry('scholarships/donor', 'Colombo Arts Trust')).id,
    value: 400_000,
    method: 'transfer',
    cheque_amount: 'none',
    from: '2026-01',
    until: '2027-12',
    awards: 2,
    criteria: 'Students of a low income',
    opens: day(-1),
    closes: day(30),
    selection_ends: day(60),
    ...more,
  }
  return (await as('ma.welfare')).ok('POST', '/api/registers/scholarships/scholarship/items', { data })
}

/** The district that a student's own particulars hold, if they have any; another test may have entered them. */
export async function homeOf(student: Person): Promise<string | undefined> {
  const { items } = await student.get('/api/registers/students/particulars/items')
  return items[0]?.data.district
}

/** The form of an applicant, with its files. */
export async function anApplication(
  student: Person,
  scholarship: { id: string },
  more: object = {},
): Promise<Record<string, unknown>> {
  return {
    scholarship: scholarship.id,
    income: 24_000_000,
    results: 3.2,
    district: (await homeOf(student)) ?? (await entry('platform/district', 'Kandy')).id,
    distance: 120,
    siblings: 2,
    income_certificate: await uploads(student, 'income.pdf'),
    results_sheet: await uploads(student, 'results.pdf'),
    ...more,
  }
}

/** The October instalment of everybody with an award of the scholarship. */
export async function anInstalment(scholarship: string): Promise<Case> {
  const { id: bank_account } = await entry('vouchers/bank-account', 'General')
  return (await as('ma.welfare')).submit(INSTALLMENT, { scholarship, month: '2026-10', bank_account })
}

/** Lets all desks agree to an instalment, which is then paid. */
export async function paysInstalment(of: Case): Promise<void> {
  for (const [desk, username] of [
    [paying.decideByAR, 'head.welfare'],
    [paying.decideByBursar, 'bursar'],
    [paying.decideByRegistrar, 'registrar'],
    [paying.decideByViceChancellor, 'vc'],
  ] as const)
    await (await as(username)).decides(of, 'approve', {}, desk)
  await expectCase(of).toBe('sent&closed')
}
