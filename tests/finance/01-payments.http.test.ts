import { expect, test } from '@jest/globals'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { demoMonthPaid } from './demo.ts'

const PAYMENTS = '/api/reports/finance/student-payments'
const STUDENTS = '/api/registers/platform/student/items'

type Row = { reference: string | { text: string }; student: string; number: string; paid: number | null }

/** Waits for the demo month that is paid, and finds two of its students. */
async function paidStudents(): Promise<{ nuwan: string; selvi: string }> {
  await demoMonthPaid()
  const admin = await as('admin')
  const idOf = async (name: string): Promise<string> =>
    (await admin.get(`${STUDENTS}?search=student.${name}@`)).items[0].id
  return { nuwan: await idOf('nuwan'), selvi: await idOf('selvi') }
}

test('a student sees their own payments and nobody else’s, and they foot with the lines of paid runs', async () => {
  const { nuwan, selvi } = await paidStudents()
  const student = await as('student.nuwan')
  const own = await student.get(PAYMENTS)
  const other = await student.get(`${PAYMENTS}?filter.student=${selvi}`)
  expect(other.rows).toEqual(own.rows)
  expect(own.filter).toEqual({ student: nuwan })
  expect(Object.keys(own.filterForm.properties)).toEqual(['from', 'until', 'reference'])
  expect(own.rows.length).toBeGreaterThan(0)
  // A run is a case that students may not see, so its reference is no link; their own bookings are.
  const runs = (own.rows as Row[]).filter(({ reference }) => typeof reference === 'string')
  expect(runs.length).toBeGreaterThan(0)
  const sumOf = (rows: Row[]) => rows.reduce((sum, row) => sum + (row.paid ?? 0), 0)
  expect(own.totals.paid).toBe(sumOf(own.rows))
  const [paid] = await asOwner(
    `select sum(l.total)::float8 as sum from app.run_line l join app.run r using (case_id)
     where r.state = 'paid' and l.state = 'included' and l.student_id = $1`,
    [nuwan],
  )
  expect(sumOf(runs)).toBe(paid!['sum'])
  const pdf = await student.bytes(`${PAYMENTS}/statement?filter.student=${selvi}`)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
})

test('the reference narrows the list, and a statement of nobody is refused before any row is read', async () => {
  const { nuwan } = await paidStudents()
  const bursar = await as('bursar')
  const { rows } = await bursar.get(`${PAYMENTS}?filter.student=${nuwan}`)
  const runs = (await bursar.get(`${PAYMENTS}?filter.student=${nuwan}&filter.reference=mi-`)).rows
  expect(runs).toEqual(
    rows.filter(({ reference }: { reference: { text: string } }) => reference.text.startsWith('MI-')),
  )
  expect(runs.length).toBeGreaterThan(0)

  const reads = async () =>
    (
      await asOwner(
        `select e.id from app.audit_entry e join app.account a on a.id::text = e.actor
         where a.username = 'bursar' and e.action = 'report.read' and e.object = 'report:finance/student-payments'`,
      )
    ).length
  const before = await reads()
  for (const filter of ['', `?filter.student=${crypto.randomUUID()}`])
    expect((await bursar.send('GET', `${PAYMENTS}/statement${filter}`)).status).toBe(404)
  expect(await reads()).toBe(before)
})

test('finance finds a student by NIC and sees the same list; all lists together foot with the bank in the ledger', async () => {
  const { nuwan } = await paidStudents()
  const bursar = await as('bursar')
  const [entry] = await asOwner(`select data ->> 'nic' as nic from app.register_item where id = $1`, [nuwan])
  const nic = String(entry!['nic'])
  const search = async (words: string) => (await bursar.get(`${STUDENTS}?whole=true&search=${words}`)).items
  expect(await search(nic)).toMatchObject([{ id: nuwan }])
  expect(JSON.stringify(await search(nic))).not.toContain(`"nic"`)
  const [read] = await asOwner(
    `select e.acted_as, p.payload -> 'fields' as fields from app.audit_entry e
     join app.audit_payload p on p.entry_id = e.id join app.account a on a.id::text = e.actor
     where a.username = 'bursar' and e.action = 'register-item.sensitive-read' and e.object = $1
     order by e.id desc limit 1`,
    [`platform/student:${nuwan}`],
  )
  expect(read).toEqual({ acted_as: 'group:FinanceView', fields: ['/nic'] })
  expect(await search(nic.slice(0, -1))).toEqual([])
  // An ordinary search, and somebody who does not deal with money, find nothing.
  expect((await bursar.get(`${STUDENTS}?search=${nic}`)).items).toEqual([])
  expect((await (await as('ma.welfare')).get(`${STUDENTS}?whole=true&search=${nic}`)).items).toEqual([])

  const seen = await bursar.get(`${PAYMENTS}?filter.student=${nuwan}`)
  const own = await (await as('student.nuwan')).get(PAYMENTS)
  expect(seen.totals).toEqual(own.totals)
  expect(seen.rows).toHaveLength(own.rows.length)

  const [bank] = await asOwner(
    `select coalesce(-sum(l.amount), 0)::float8 as sum from app.ledger_line l
     join app.ledger_entry e on e.id = l.entry_id join app.flow_case c on c.id = e.case_id
     join app.account a on a.id = c.requester_id left join app.register_item i on i.id = a.record_id
     where split_part(l.account_id, ':', 1) = 'bank' and (exists (select from app.run r where r.case_id = c.id)
       or (c.flow <> 'vouchers/payment-voucher' and i.register = 'platform/student'))`,
  )
  const all = await bursar.get(PAYMENTS)
  expect(all.totals.paid - all.totals.received).toBe(bank!['sum'])
  expect((await (await as('ma.welfare')).send('GET', PAYMENTS)).status).toBe(404)
})
