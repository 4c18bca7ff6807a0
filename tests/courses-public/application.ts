import { randomInt, randomUUID } from 'node:crypto'
import { courseApplication } from '../../processes/courses-public/course-application.generated.ts'
import { day } from '../platform/kit/days.ts'
import { confirms } from '../platform/kit/mailed.ts'
import { as, type Case, type Person, send } from '../platform/kit/people.ts'
import { proof } from '../platform/kit/proof.ts'
import { PDF, uploads } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'

export const { desks, flow: APPLICATION } = courseApplication
/** That of the demo accounts, so that `as` can sign applicants in. */
const PASSWORD = 'Prakriya2026'
const ITEMS = '/api/registers/courses-public'

/** A number that nobody has: born in 1996, on one of 240 days after its February. */
export const aNic = () =>
  `1996${String(randomInt(61, 301)).padStart(3, '0')}${String(randomInt(0, 100_000)).padStart(5, '0')}`

export const anAddress = () => `course.${randomUUID().slice(0, 8)}@example.lk`

export interface Intake {
  id: string
  title: string
  data: any
}

/** A new course of the Faculty of Music, approved by somebody else than its author, and an open intake of it. */
export async function anIntake(places: number, more: object = {}): Promise<{ course: Intake; intake: Intake }> {
  const [ar, dean] = await Promise.all([as('ar.music'), as('dean.music')])
  const first = async (register: string) => (await ar.get(`/api/registers/${register}/items?limit=1`)).items[0].id
  const faculty = (await ar.get('/api/registers/platform/faculty/items?search=Music')).items[0].id
  const name = `Course ${randomUUID().slice(0, 8)}`
  const drafted = await ar.ok<any>('POST', `${ITEMS}/course/items`, {
    data: {
      code: name.slice(7),
      name,
      type: await first('courses-public/course-type'),
      mode: 'Online',
      faculty,
      years: 0,
      months: 3,
      fee: 2_500_000,
    },
  })
  const approve = { status: 'Approved' }
  const course = await dean.ok<Intake>('POST', `${ITEMS}/course/items/${drafted.id}/status`, approve)
  const intake = await ar.ok<Intake>('POST', `${ITEMS}/intake/items`, {
    data: {
      faculty,
      course: course.id,
      name: 'First intake',
      opens_on: day(-5),
      closes_on: day(5),
      starts_on: day(30),
      places,
      bank_details: 'Bank of Ceylon, account 7702101',
      ...more,
    },
  })
  return { course, intake }
}

export interface Offer {
  course: Intake
  intake: Intake
}

/** The start form of an applicant. */
export const answersFor = ({ course, intake }: Offer, more: object = {}) => ({
  course_type: course.data.type,
  course: course.id,
  intake: intake.id,
  fullName: 'Kumari Perera',
  contact_no: '0771231231',
  nic_passport: aNic(),
  ...more,
})

/** Applies without an account; returns the answer, refusals included. */
export async function applies(data: object, email = anAddress()) {
  const account = { email, password: PASSWORD, confirm_password: PASSWORD }
  return send('POST', '/api/public/applications', {
    body: { flow: APPLICATION, data, account },
    headers: await proof(),
  })
}

/** Somebody who has applied and confirmed their address, with their case. */
export async function anApplicant(data: object): Promise<{ applicant: Person; application: Case }> {
  const { status, body } = await applies(data)
  if (status !== 201) throw new Error(JSON.stringify(body))
  await confirms(body.username)
  return { applicant: await as(body.username), application: { id: body.caseId, reference: body.reference } }
}

/** Uploads a PDF of about this size; returns its id. */
export async function aLargeFile(who: Person, bytes: number): Promise<string> {
  const form = new FormData()
  form.set('file', new File([PDF.toString(), ' '.repeat(bytes)], 'large.pdf', { type: 'application/pdf' }))
  return (await who.ok<{ id: string }>('POST', '/api/files', form)).id
}

/** The applicant's payment slip. */
export const aSlip = async (applicant: Person): Promise<object> => ({
  slip: await uploads(applicant, 'slip.pdf'),
  paid_on: day(-1),
  amount: 2_500_000,
  bank_reference: aReference(),
})
