import { randomUUID } from 'node:crypto'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { day } from '../platform/kit/days.ts'
import { giveStatus } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'

/** The flow of this area. */
export const RENEWAL = yearRenewal.flow
export const SETUP = 'year-renewals/renewal-setup'

/** A register item, as its page gets it. */
export interface Item {
  id: string
  version: number
  status: string
  title: string
  data: Record<string, any>
}

/** Items of a register that match the words. */
async function items(register: string, search: string): Promise<Item[]> {
  const admin = await as('admin')
  return (await admin.get(`/api/registers/${register}/items?search=${encodeURIComponent(search)}&limit=100`)).items
}

/** The register entry of a demo student. */
export async function entryOf(username: string): Promise<Item> {
  const [found] = await items('platform/student', `${username}@prakriya.example`)
  if (!found) throw new Error(`no entry for ${username}`)
  const admin = await as('admin')
  return admin.get(`/api/registers/platform/student/items/${found.id}`)
}

/** Sets a demo student's year of study, and makes them active. */
export async function standsIn(username: string, year: number): Promise<Item> {
  const admin = await as('admin')
  const entry = await entryOf(username)
  if (entry.status !== 'active') await withStatus(username, 'active')
  const { version, data } = await entryOf(username)
  const path = `/api/registers/platform/student/items/${entry.id}`
  await admin.ok('PUT', path, { data: { ...data, year } }, { 'if-match': `"${version}"` })
  return entryOf(username)
}

/** Sets a demo student's status in the register. */
export async function withStatus(username: string, status: string): Promise<void> {
  const { id } = await entryOf(username)
  await giveStatus(id, status)
}

/** A new set-up for the students of an intake and year, like this student's. */
export async function aSetup(like: Item, more: object = {}): Promise<Item> {
  const admin = await as('admin')
  const [academicYear] = await items('year-renewals/academic-year', '2026')
  const data = {
    name: `Renewal ${randomUUID()}`,
    intake: like.data['intake'],
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

/** Deactivates a set-up. */
export async function putAway({ id }: Item): Promise<void> {
  const admin = await as('admin')
  await admin.ok('POST', `/api/registers/${SETUP}/items/${id}/status`, { status: 'Inactive' })
}

/** The student's form: the fee slip. */
export async function aRequest(student: Person, setup: { id: string }): Promise<Record<string, string>> {
  return { setup: setup.id, slip: await uploads(student, 'slip.pdf'), paid_on: day(0), bank_reference: aReference() }
}

/** The desks after the student, in the Faculty of Music's Department of Folk Music. */
const DESKS = [
  [yearRenewal.desks.approveByHead, 'hod.folk-music'],
  [yearRenewal.desks.approveByDean, 'dean.music'],
] as const

/** Lets both desks approve. */
export async function approve(of: Case): Promise<void> {
  for (const [desk, username] of DESKS) await (await as(username)).decides(of, 'approve', {}, desk)
}
