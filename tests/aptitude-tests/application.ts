import { randomInt, randomUUID } from 'node:crypto'
import { aptitudeApplication } from '../../processes/aptitude-tests/aptitude-application.generated.ts'
import { day } from '../platform/kit/days.ts'
import { confirms } from '../platform/kit/mailed.ts'
import { as, type Person, send } from '../platform/kit/people.ts'
import { proof } from '../platform/kit/proof.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'

export { confirms, mailed, triesToConfirm } from '../platform/kit/mailed.ts'

export const { desks, flow: APPLICATION } = aptitudeApplication
const TESTS = '/api/registers/aptitude-tests/aptitude-test/items'
export const OPEN = `/api/public/flows/${APPLICATION}/open`
/** That of the demo accounts, so that `as` can sign applicants in. */
const PASSWORD = 'Prakriya2026'

/** A number that nobody has: born in 2006, on one of 240 days after its February, which NICs count with 29 days. */
export const aNic = () =>
  `2006${String(randomInt(61, 301)).padStart(3, '0')}${String(randomInt(0, 100_000)).padStart(5, '0')}`

/** A new test of an academic year of its own, open now. */
export async function aTest(more: object = {}): Promise<{ id: string; title: string; data: any }> {
  const faculty = (await (await as('admin')).get('/api/registers/platform/faculty/items?limit=1')).items[0].id
  const name = `Aptitude test ${randomUUID().slice(0, 8)}`
  const year = randomInt(2100, 9998)
  const data = {
    name,
    academic_year: `${year}/${year + 1}`,
    start_date: day(-5),
    end_date: day(5),
    programmes: ['BPA in Western Music', 'BPA in Dance', 'BVA in Painting', 'BVA in Sculpture'].map((one) => ({
      name: one,
      faculty,
    })),
    fee: 150_000,
    bank_details: 'Bank of Ceylon, account 7701122',
    ...more,
  }
  return (await as('ma.examinations')).ok('POST', TESTS, { data })
}

/** Papers of a degree programme of a test, with one file; returns the id of their entry. */
export async function aPaper(test: { id: string }): Promise<string> {
  const office = await as('ma.examinations')
  const file = await uploads(office, 'theory.pdf')
  const data = { test: test.id, programme: 'BPA in Dance', files: [{ title: 'Theory', file }] }
  return (await office.ok<{ id: string }>('POST', '/api/registers/aptitude-tests/paper/items', { data })).id
}

/** The start form of an applicant. */
export function answersFor(test: { id: string }, more: object = {}): Record<string, unknown> {
  return {
    test: test.id,
    full_name: 'Kumari Perera',
    nic: aNic(),
    mobile_no: '0771231231',
    index_no: '3012499',
    programmes: [{ programme: 'BPA in Western Music', music_subject: 'Western Music', grade: 'B' }],
    other_subjects: [
      { subject: 'Sinhala', grade: 'A' },
      { subject: 'Geography', grade: 'S' },
    ],
    general_english: 'C',
    common_general_test: 61,
    declaration: true,
    ...more,
  }
}

export const anAddress = () => `kumari.${randomUUID().slice(0, 8)}@example.lk`

/** Applies without an account; returns the answer, refusals included. */
export async function applies(
  data: object,
  account: object = {},
  { key, begun }: { key?: string; begun?: string } = {},
) {
  const own = { email: anAddress(), password: PASSWORD, confirm_password: PASSWORD, ...account }
  return send('POST', '/api/public/applications', {
    body: { flow: APPLICATION, data, account: own, ...(begun && { begun }) },
    headers: { ...(await proof()), ...(key && { 'idempotency-key': key }) },
  })
}

/** Somebody who has applied and confirmed their address, with their case. */
export async function anApplicant(data: object): Promise<{ applicant: Person; application: any }> {
  const { status, body } = await applies(data)
  if (status !== 201) throw new Error(JSON.stringify(body))
  await confirms(body.username)
  return { applicant: await as(body.username), application: { id: body.caseId, reference: body.reference } }
}

/** The applicant's payment slip. */
export async function aSlip(applicant: Person, more: object = {}): Promise<object> {
  return {
    slip: await uploads(applicant, 'slip.pdf'),
    paid_on: day(-1),
    amount: 150_000,
    bank_reference: aReference(),
    ...more,
  }
}
