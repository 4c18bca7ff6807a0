import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { join } from 'node:path'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { listStudentPayments } from '../../api/platform/work/rows/student-payments.ts'
import { ledger } from '../../api/platform/records/ledger/ledger.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anAccount, anItem } from '../platform/kit/rows.ts'

const VOUCHER = 'vouchers/payment-voucher'
const library = loadLibrary(join(import.meta.dirname, '../..'))
let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.drop())

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

test('what a student paid for a case and got back is listed once each; invoices and other flows are not', async () => {
  const { db } = database
  const student = await anItem(db, 'platform/student', { status: 'active', data: { reg_no: 'FOM/2025/0001' } })
  const person = await anAccount(db)
  await db.updateTable('account').set({ record_id: student }).where('id', '=', person).execute()
  const caseId = await aCase(db, person, { flow: 'area/booking', reference: 'RB-2026-00001' })
  const other = await aCase(db, person, { flow: 'area/other' })
  const post = (of: string, key: string, from: string, to: string, amount: number) =>
    db.transaction().execute(async (trx) => {
      const books = ledger(trx)
      for (const account of [from, to]) await books.open(account, 'asset', { overdraft: true })
      await books.post({
        key,
        kind: 'payment',
        caseId: of,
        lines: [
          { account: from, amount: -amount },
          { account: to, amount },
        ],
      })
    })
  await post(caseId, 'invoice', 'income', 'receivable', 150_000)
  await post(caseId, 'payment', 'receivable', 'bank', 150_000)
  await post(caseId, 'refund', 'bank', 'refund', 50_000)
  await post(other, 'other', 'receivable', 'bank', 1)

  const rows = await listStudentPayments(db, { student, flows: ['area/booking'], limit: 10 })
  expect(rows).toMatchObject([
    { caseId, number: 'FOM/2025/0001', received: null, paid: 50_000, state: 'paid' },
    { caseId, received: 150_000, paid: null, state: 'received' },
  ])
  const flows = ['area/booking']
  const today = rows[0]!.day
  const count = async (asked: object) => (await listStudentPayments(db, { flows, limit: 10, ...asked })).length
  expect(await count({ from: today, until: today })).toBe(2)
  expect(await count({ until: dayBefore(today) })).toBe(0)
  expect(await count({ student: randomUUID() })).toBe(0)
  expect(await count({ reference: 'rb-2026' })).toBe(2)
  expect(await count({ reference: 'RB-2027' })).toBe(0)
  expect(await count({ reference: '%' })).toBe(0)
  // A payee who is a student is found by their number; one with the same number of another kind is not.
  await sql`insert into register_unique (register, field, value, item_id)
    values ('platform/student', '/reg_no', 'fom/2025/0001', ${student}), ('platform/student', '/nic', '199012300456', ${student})`.execute(
    db,
  )
  // The flow's own member: the test fails without it, or with a pointer to another field.
  const { paysWith } = library.flows.get(VOUCHER)!.manifest
  if (typeof paysWith !== 'object') throw new Error('vouchers do not say who is paid')
  const voucherTo = async (data: object, key: string) => {
    const payee = await anItem(db, 'area/payee', { data })
    const voucher = await aCase(db, await anAccount(db), { flow: VOUCHER })
    await sql`insert into register_item_version (item_id, version, status, data)
      values (${payee}, 1, 'Active', ${JSON.stringify(data)}::jsonb)`.execute(db)
    // What the payee became afterwards concerns nobody's statement.
    await sql`update register_item set data = '{"kind": "student", "registration_no": "OTHER"}' where id = ${payee}`.execute(
      db,
    )
    await sql`insert into case_item (case_id, item_id, item_version, path) values (${voucher}, ${payee}, 1, '/payee')`.execute(
      db,
    )
    await post(voucher, key, 'bank', 'spent', 70_000)
    return voucher
  }
  const byNumber = await voucherTo({ kind: 'student', registration_no: ' FOM/２０２５/0001 ' }, 'v1')
  const byNic = await voucherTo({ kind: 'student', registration_no: '901230456V' }, 'v2')
  await voucherTo({ kind: 'employee', registration_no: '901230456V' }, 'v3')
  await post(byNic, 'v2-void', 'spent', 'bank', 70_000)
  const payees = [{ flow: VOUCHER, ...paysWith }]
  expect(await listStudentPayments(db, { student, flows: [], payees, limit: 10 })).toMatchObject([
    { caseId: byNic, paid: -70_000, state: 'cancelled' },
    { caseId: byNic, paid: 70_000, state: 'paid' },
    { caseId: byNumber, paid: 70_000, state: 'paid' },
  ])
  // The newest ones, when there are more than asked for.
  expect(await listStudentPayments(db, { flows, limit: 1 })).toEqual([rows[0]])
})
