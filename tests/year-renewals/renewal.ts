import { randomUUID } from 'node:crypto'
import dayjs from 'dayjs'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'

/** The flow of this area. */
export const RENEWAL = yearRenewal.flow
/** The register of what is renewed. */
export const SETUP = 'year-renewals/renewal-setup'

/** An item of a register, as its page has it. */
export interface Item {
  id: string
  version: number
  status: string
  title: string
  data: Record<string, any>
}

/** Items of a register that fit the words. */
async function items(register: string, search: string): Promise<Item[]> {
  const admin = await as('admin')
  return (await admin.get(`/api/registers/${register}/items?search=${encodeURIComponent(search)}&limit=100`)).items
}

/** The entry of a demo student in the register. */
export async function entryOf(username: string): Promise<Item> {
  const [found] = await items('platform/student', `${username}@prakriya.example`)
  if (!found) throw new Error(`no entry for ${username}`)
  const admin = await as('admin')
  return admin.get(`/api/registers/platform/student/items/${found.id}`)
}

/** Puts a demo student into a year of study, and into use. */
export async function standsIn(username: string, year: number): Promise<Item> {
  const admin = await as('admin')
  const entry = await entryOf(username)
  if (entry.status !== 'active') await withStatus(username, 'active')
  const { version, data } = await entryOf(username)
  const path = `/api/registers/platform/student/items/${entry.id}`
  await admin.ok('PUT', path, { data: { ...data, year } }, { 'if-match': `"${version}"` })
  return entryOf(username)
}

/** Gives a demo student a status in the register. */
export async function withStatus(username: string, status: string): Promise<void> {
  const admin = await as('admin')
  const { id } = await entryOf(username)
  await admin.ok('POST', `/api/registers/platform/student/items/${id}/status`, { status })
}

const day = (days: number) => dayjs().add(days, 'day').format('YYYY-MM-DD')

/** A set-up of its own for the students of an intake and year, such as this one's. */
export async function aSetup(like: Item, more: object = {}): Promise<Item> {
  const admin = await as('admin')
  const [intake] = await items('intakes/intake', like.data['intake'])
  const [academicYear] = await items('year-renewals/academic-year', '2026')
  const data = {
    name: `Renewal ${randomUUID()}`,
    intake: intake!.id,
    academic_year: academicYear!.id,
    faculty: like.data['faculty'],
    from_year: like.data['year'],
    to_year: like.data['year'] + 1,
    fee: 250_000,
    opens: day(-1),
    closes: day(30),
    bank_account: 'Demonstration Bank 0001',
    ...more,
  }
  return admin.ok('POST', `/api/registers/${SETUP}/items`, { data })
}

/** Puts a set-up out of use. */
export async function putAway({ id }: Item): Promise<void> {
  const admin = await as('admin')
  await admin.ok('POST', `/api/registers/${SETUP}/items/${id}/status`, { status: 'Inactive' })
}

/** What a student sends: the slip of the fee. */
export async function aRequest(student: Person, setup: { id: string }): Promise<Record<string, string>> {
  const form = new FormData()
  const bytes = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n'
  form.set('file', new File([bytes], 'slip.pdf', { type: 'application/pdf' }))
  const { id } = await student.ok<{ id: string }>('POST', '/api/files', form)
  return { setup: setup.id, slip: id, paid_on: day(0), bank_reference: 'B-1' }
}

/** Whose turn it is after the student, in the Faculty of Music's Department of Folk Music. */
const DESKS = [
  [yearRenewal.desks.approveByHead, 'hod.folk-music'],
  [yearRenewal.desks.approveByDean, 'dean.music'],
] as const

/** Has both desks approve. */
export async function approve(of: Case): Promise<void> {
  for (const [desk, username] of DESKS) await (await as(username)).decides(of, 'approve', {}, desk)
}
