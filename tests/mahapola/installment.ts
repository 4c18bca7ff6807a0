import { randomInt } from 'node:crypto'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { monthlyInstallment } from '../../processes/mahapola/monthly-installment.generated.ts'

export const { desks, flow: INSTALLMENT } = monthlyInstallment

/** The people at the desks of an instalment, in order. */
const CHAIN = [
  [desks.decideByAR, 'head.welfare'],
  [desks.decideByBursar, 'bursar'],
  [desks.decideByRegistrar, 'registrar'],
  [desks.decideByViceChancellor, 'vc'],
] as const

const VALUE = 505_000

/** Two months in a row that no other scheme pays: a student gets one Mahapola instalment a month. */
function aMonth(): [month: string, next: string] {
  const year = randomInt(1500, 2020)
  const month = randomInt(1, 12)
  const written = (of: number) => `${year}-${String(of).padStart(2, '0')}`
  return [written(month), written(month + 1)]
}

/**
 * A new scheme with these students, all with documents and an account, and with attendance in its month and the next.
 * They leave the scheme in which they were.
 */
export async function aScheme(
  students: readonly string[],
  { attended = true }: { attended?: boolean } = {},
): Promise<{ id: string; name: string; month: string; next: string; recipients: string[] }> {
  const admin = await as('admin')
  const [month, next] = aMonth()
  const mark = Math.random().toString(36).slice(2, 8).toUpperCase()
  const register = (of: string) => `/api/registers/mahapola/${of}/items`
  const made = async (of: string, data: object): Promise<string> => (await admin.ok('POST', register(of), { data })).id
  const name = `Scheme ${mark}`
  const id = await made('scheme', { code: `T-${mark}`, name, method: 'transfer' })
  await made('installment-value', { scheme: id, from: '1500-01', amount: VALUE })
  const recipients: string[] = []
  for (const [place, who] of students.entries()) {
    const student = await studentId(who)
    const { items } = await admin.get(`${register('recipient')}?filter.student=${student}`)
    for (const { id: earlier, status } of items)
      if (status === 'Active')
        await admin.ok('POST', `${register('recipient')}/${earlier}/status`, { status: 'Inactive' })
    const number = `${mark}-${place}`
    const recipient = await made('recipient', {
      number,
      scheme: id,
      student,
      from: '1500-01',
      documents_complete: true,
    })
    recipients.push(recipient)
    for (const of of attended ? [month, next] : [])
      await made('attendance', { month: of, recipient, attendance: 'Present' })
  }
  return { id, name, month, next, recipients }
}

/** The register entry of a demo student. */
export async function studentId(name: string): Promise<string> {
  const admin = await as('admin')
  const { items } = await admin.get(`/api/registers/platform/student/items?search=student.${name}@`)
  return items[0].id
}

/** A bank account of the university that pays. */
async function bankAccount(): Promise<string> {
  const { items } = await (await as('admin')).get('/api/registers/vouchers/bank-account/items?search=General')
  return items[0].id
}

export async function anInstallment(
  { id: scheme, month: first }: { id: string; month: string },
  month = first,
): Promise<Record<string, unknown>> {
  return { scheme, month, bank_account: await bankAccount() }
}

/** Lets the desks agree in order, up to, but not including, one. */
export async function agree(of: Case, { upTo }: { upTo?: string } = {}): Promise<void> {
  for (const [desk, username] of CHAIN) {
    if (desk === upTo) return
    await (await as(username)).decides(of, 'approve', {}, desk)
  }
}

export const run = (person: Person, of: Case): Promise<any> => person.get(`/api/cases/${of.id}/run`)

/** The line of a student. */
export async function lineOf(person: Person, of: Case, name: string): Promise<any> {
  const { items } = await person.get(`/api/cases/${of.id}/run/lines?search=${encodeURIComponent(name)}`)
  return items[0]
}

/** Signs every unsigned line of a run from the sheet. */
export async function signAll(person: Person, of: Case): Promise<void> {
  const { items } = await person.get(`/api/cases/${of.id}/run/lines?signature=pending&limit=100`)
  const lines = items.map(({ id }: { id: string }) => id)
  await person.ok('POST', `/api/cases/${of.id}/run/signatures`, { lines })
}

/** Whether a run, its lines and the ledger agree. */
export async function sums(of: Case): Promise<Record<string, unknown>> {
  const [row] = await asOwner(
    `select r.state, r.total::int as total, r.returned::int as returned,
       (select coalesce(sum(total), 0)::int from app.run_line l where l.case_id = r.case_id
         and l.state in ('included', 'returned')) as lines,
       (select coalesce(-sum(l.amount), 0)::int from app.ledger_line l join app.ledger_entry e on e.id = l.entry_id
         where e.case_id = r.case_id and l.account_id = 'bank:' || r.paid_from) as ledger,
       (select count(*)::int from app.ledger_entry e where e.case_id = r.case_id and e.kind = 'instalments-paid') as entries
     from app.run r where r.case_id = $1`,
    [of.id],
  )
  return row!
}
