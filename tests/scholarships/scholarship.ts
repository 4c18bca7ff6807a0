import { randomUUID } from 'node:crypto'
import { scholarshipInstallment } from '../../processes/scholarships/scholarship-installment.generated.ts'
import { scholarshipSubmission } from '../../processes/scholarships/scholarship-submission.generated.ts'
import { day } from '../platform/kit/days.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'

export const { desks, flow: SUBMISSION } = scholarshipSubmission
export const { desks: paying, flow: INSTALLMENT } = scholarshipInstallment
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
    district: (await entry('platform/district', 'Kandy')).id,
    distance: 120,
    siblings: 2,
    income_certificate: await uploads(student, 'income.pdf'),
    results_sheet: await uploads(student, 'results.pdf'),
    ...more,
  }
}
