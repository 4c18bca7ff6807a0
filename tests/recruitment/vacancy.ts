import { randomUUID } from 'node:crypto'
import { jobApplication } from '../../processes/recruitment/job-application.generated.ts'
import { vacancyAdvertisement } from '../../processes/recruitment/vacancy-advertisement.generated.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'

export const { desks, flow: APPLICATION } = jobApplication
export const { desks: advertising, flow: ADVERTISEMENT } = vacancyAdvertisement
export const VACANCIES = '/api/registers/recruitment/vacancy/items'
export const PUBLIC = '/api/public/registers/recruitment/vacancy/items'

export const SCHEME = [
  { line: 'A degree in the subject', kind: 'mandatory' },
  { line: 'Performances of the last five years', kind: 'additional' },
]
const MEMBERS = [
  { name: 'Prof. Samanthi Liyanagama', capacity: 'Chair' },
  { name: 'Chandra Herath', capacity: 'Head of department' },
]

async function entry(register: string, words: string): Promise<string> {
  const { items } = await (
    await as('admin')
  ).get(`/api/registers/${register}/items?search=${encodeURIComponent(words)}`)
  if (items.length === 0) throw new Error(`${register} has no ${words}`)
  return items[0].id
}

/** A draft of HR, in the name of the mark that it gets. */
export async function aDraft(more: object = {}): Promise<Record<string, unknown>> {
  return {
    designation: await entry('platform/designation', 'Accompanist'),
    notice_subject: `Accompanist ${randomUUID().slice(0, 8)}`,
    faculty: await entry('platform/faculty', 'Faculty of Music'),
    department: await entry('platform/department', 'Western'),
    positions: 1,
    mandatory: 'A degree in the subject',
    qualifications: 'Stage experience',
    scheme: SCHEME,
    advertised_in: 'gazette',
    advertisement_reference: 'No. 2,470 of 27/11/2026',
    closing_day: day(20),
    panel: await entry('platform/committee', 'Selection Committee, Academic'),
    ...more,
  }
}

/** A vacancy that is open: drafted by HR, approved by both desks, and written into the register with the case's id. */
export async function aVacancy(more: object = {}): Promise<{ case: Case; title: string }> {
  const [ma, ar, registrar] = await Promise.all([as('hr.ma'), as('hr.ar'), as('registrar')])
  const draft = await aDraft(more)
  const advertisement = await ma.submit(ADVERTISEMENT, draft)
  await ar.decides(advertisement, 'approve', {}, advertising.approveByAssistantRegistrar)
  await registrar.decides(advertisement, 'approve', {}, advertising.approveByRegistrar)
  await expectCase(advertisement).toBe('Active')
  return { case: advertisement, title: String(draft['notice_subject']) }
}

/** What an applicant sends for a vacancy. */
export async function anApplication(applicant: Person, vacancy: Case, more: object = {}): Promise<object> {
  return {
    vacancy: vacancy.id,
    documents: [{ title: 'Curriculum vitae', file: await uploads(applicant, 'cv.pdf') }],
    declaration: true,
    ...more,
  }
}

/** Brings an application from its closing to the desk of the Registrar. */
export async function isInterviewed(application: Case): Promise<void> {
  const [ma, ar, panel] = await Promise.all([as('hr.ma'), as('hr.ar'), as('dean.graduate-studies')])
  const lines = SCHEME.map((line) => ({ ...line, met: 'yes' }))
  await ma.decides(application, 'eligible', { lines }, desks.checkEligibility)
  await ar.decides(application, 'short-list', {}, desks.shortList)
  const interview = { at: `${day(9)}T09:30:00+05:30`, place: 'Board Room' }
  await ma.decides(application, 'schedule', { ...interview, members: MEMBERS }, desks.schedule)
  await expectCase(application).toBe('Interview Scheduled')
  const marks = MEMBERS.map((member, at) => ({ ...member, marks: 70 + at }))
  await panel.decides(application, 'mark', { marks }, desks.mark)
  await expectCase(application).toBe('Interviewed')
}
