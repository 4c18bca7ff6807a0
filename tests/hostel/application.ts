import { randomUUID } from 'node:crypto'
import { day } from '../platform/kit/days.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'

export const REGISTERS = '/api/registers/hostel'
export const LOW_INCOME = 25_000_000

export interface Entry {
  id: string
  title: string
  status: string
  version: number
  data: Record<string, string>
}

/** An intake that an assistant has entered and the Assistant Registrar has approved. */
export async function anIntake({ closes = 5, appealDays = 0, from = 20, until = 300 } = {}): Promise<Entry> {
  const [ma, ar] = [await as('ma.welfare'), await as('head.welfare')]
  const data = {
    ...{ name: `Intake ${randomUUID().slice(0, 8)}`, opens: day(-5), closes: day(closes), places_until: day(40) },
    appeal_days: appealDays,
    ...{ from: day(from), until: day(until), fee: 600_000, deposit: 300_000 },
    ...{ bank_details: 'Bank of Ceylon', notice: 'Apply.', rules: 'Be quiet.' },
  }
  const { id } = await ma.ok<Entry>('POST', `${REGISTERS}/intake/items`, { data })
  return ar.ok<Entry>('POST', `${REGISTERS}/intake/items/${id}/status`, { status: 'Active' })
}

/** Student welfare ends an intake: its last day was yesterday, as a second person approves. */
export async function ends({ id }: Entry): Promise<void> {
  const [ma, ar] = [await as('ma.welfare'), await as('head.welfare')]
  const { data, version } = await ma.get(`${REGISTERS}/intake/items/${id}`)
  const match = { 'if-match': `"${version}"` }
  await ma.send('PUT', `${REGISTERS}/intake/items/${id}`, { data: { ...data, closes: day(-1) } }, match)
  await ar.ok('POST', `${REGISTERS}/intake/items/${id}/status`, { status: 'Active' })
}

/** The divisions with this name, such as `Nallur`. */
export async function divisionOf(name: string): Promise<Entry> {
  const { items } = await (await as('admin')).get(`${REGISTERS}/division/items?search=${name}`)
  return items.find(({ title }: Entry) => title === name)
}

/** An application of a man from Matara, unless the division and the rest say otherwise. */
export async function anApplication(who: Person, intake: Entry, division = 'Matara Four Gravets', more: object = {}) {
  const { id, data } = await divisionOf(division)
  return {
    ...{ intake: intake.id, sex: 'male', district: data['district'], division: id, address: '1 Temple Road' },
    ...{ income: LOW_INCOME, income_proof: await uploads(who, 'income.pdf'), special: false, declaration: true },
    ...more,
  }
}

/** What the check finds of such an application. */
export const checked = { verified_income: LOW_INCOME, special_accepted: false }

/** Every entry of this application in the register of places. */
export async function staysOf({ reference }: Case): Promise<Entry[]> {
  return (await (await as('ma.welfare')).get(`${REGISTERS}/stay/items?search=${reference}`)).items
}

export async function aRegistration(who: Person) {
  return {
    ...{ guardian_name: 'A. Silva', guardian_phone: '0771234567', slip: await uploads(who, 'slip.pdf') },
    ...{ paid_on: day(0), amount: 900_000, bank_reference: aReference(), rules_declaration: true },
  }
}

/** The number of a receipt that no other student has. */
export const aReceipt = (): string => `SH/${randomUUID().slice(0, 8)}`
