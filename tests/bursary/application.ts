import { as, type Person } from '../platform/kit/people.ts'
import { PDF, uploads } from '../platform/kit/uploads.ts'
import { bursaryApplication } from '../../processes/bursary/bursary-application.generated.ts'

export const { desks, flow: APPLICATION } = bursaryApplication

export const SCAN = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: PDF }

/** The id of an entry, found by its words. */
export async function entryOf(register: string, search: string): Promise<string> {
  const { items } = await (await as('admin')).get(`/api/registers/${register}/items?search=${search}`)
  return items[0].id
}

/** An academic year of its own: a student applies once a year. */
async function aYear(): Promise<string> {
  const name = `B${Math.random().toString(36).slice(2, 8)}`
  const data = { name, starts_on: '2026-01-05', ends_on: '2026-12-18' }
  const { id } = await (await as('admin')).ok('POST', '/api/registers/year-renewals/academic-year/items', { data })
  return id
}

/** An application of a family with an income of Rs. 250,000 a year, with the certificate that is required. */
export async function anApplication(student: Person, change: object = {}): Promise<Record<string, unknown>> {
  return {
    academic_year: await aYear(),
    home_district: await entryOf('platform/district', 'Galle'),
    guardian_name: 'Sunil Perera',
    guardian_occupation: 'Farmer',
    annual_income: 25_000_000,
    siblings_studying: 1,
    welfare_benefit: false,
    other_scholarship: false,
    documents: [{ document: await entryOf('bursary/document', 'income'), file: await uploads(student, SCAN.name) }],
    guarantors: [
      { name: 'Asoka Perera', nic: '197512301234', address: '12 Temple Road, Kandy' },
      { name: 'Malini Silva', nic: '198061502345', address: '4 Lake View, Galle' },
    ],
    declaration: true,
    ...change,
  }
}
