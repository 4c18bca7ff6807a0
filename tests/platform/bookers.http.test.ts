import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import type { Caller } from './kit/app.ts'
import { FLOW } from './fixtures/two-desks.ts'
import { type GuestWorld, aGuest, guestWorld } from './kit/guests.ts'
import { aProgramme, anItem } from './kit/rows.ts'

const NIC = '198512345678'
const STUDENT_NIC = '200212345678'
let world: GuestWorld
let [lecturer, other, office]: Caller[] = []
beforeAll(async () => {
  world = await guestWorld()
  const { own, db, library } = world
  const create = (register: string, data: JsonObject) =>
    db.transaction().execute(async (trx) => (await registers(trx, library).create(register, data, null)).id)
  const designation = await create('platform/designation', { designation: 'Lecturer', code: 'L', kind: 'academic' })
  const entry = await create('platform/employee', {
    ...{ employee_id: 'E77', full_name: 'Nimal Silva', nic: NIC, email: 'nimal@example.lk' },
    ...{ contact_no: '0771231231', designation, kind: 'academic' },
  })
  // As left by an import of an older list.
  await anItem(db, 'platform/student', {
    status: 'active',
    data: {
      ...{ reg_no: 'S/1', full_name: 'Selvi', nic: STUDENT_NIC, email: 'selvi@example.lk' },
      mobile_no: '77-123-1232',
      programme: await aProgramme(db),
    },
  })
  lecturer = await own.person('nimal')
  await db.updateTable('account').set({ record_id: entry }).where('id', '=', lecturer.id).execute()
  other = await own.person('other', { role: 'Lecturer' })
  office = await own.person('office', { role: 'HOD', scope: { kind: 'department', id: world.department } })
})
afterAll(() => world?.close())
beforeEach(() => world.database.owner.pool.query('truncate app.throttle'))

const find = (who: Caller, query: string) => who.send('GET', `/api/bookers?${query}`)

/** What is returned about the lecturer. */
const nimal = () => ({
  name: 'Nimal Silva',
  email: 'nimal@example.lk',
  contact_no: '0771231231',
  designation: 'Lecturer',
  reg_no: null,
  employee_id: 'E77',
  associated_as: 'Academic Employee',
  accountId: lecturer!.id,
})

test('people see their own details, and people who book for others see them too; everybody else gets the same answer as for nobody', async () => {
  expect((await find(lecturer!, `nic=${NIC}`)).json()).toEqual(nimal())
  expect((await find(office!, 'employee_id=e77')).json()).toEqual(nimal())
  const nobody = await Promise.all([
    find(other!, `nic=${NIC}`),
    find(other!, 'nic=200000000000'),
    find(office!, 'nic=200000000000'),
  ])
  // No error either: browsers would log one for most people who fill in the form.
  for (const { statusCode, body } of nobody) expect({ statusCode, body }).toEqual({ statusCode: 204, body: '' })
  expect((await world.own.send('GET', `/api/bookers?nic=${NIC}`)).statusCode).toBe(401)
  expect((await find(office!, '')).json().errors[0].field).toBe('query/nic')

  const reads = await world.db
    .selectFrom('audit_entry')
    .select(['actor', 'acted_as'])
    .where('action', '=', 'register-item.sensitive-read')
    .execute()
  expect(reads).toEqual([{ actor: office!.id, acted_as: 'group:ResourceReservationViews' }])
})

test('signed-in people get the form fields of their own register entry, which counts as no reading; without one, nothing', async () => {
  const me = (who: Caller) => who.send('GET', '/api/bookers/me')
  const reads = () =>
    world.db.selectFrom('audit_entry').select('id').where('action', '=', 'register-item.sensitive-read').execute()
  const before = await reads()
  expect((await me(lecturer!)).json()).toEqual({
    entry: {
      ...nimal(),
      nic: NIC,
      salutation: null,
    },
  })
  expect((await me(other!)).json()).toEqual({ entry: null })
  expect((await world.own.send('GET', '/api/bookers/me')).statusCode).toBe(401)
  expect(await reads()).toEqual(before)
})

test('a contact number has no dashes and starts with 0', async () => {
  expect((await find(office!, `nic=${STUDENT_NIC}`)).json()).toMatchObject({
    contact_no: '0771231232',
    reg_no: 'S/1',
    employee_id: null,
    associated_as: 'Undergraduate Student',
    accountId: null,
  })
})

test('staff create the account of a person they book for, who is notified; others cannot', async () => {
  const guest = aGuest()
  const make = (who: Caller, body: object) => who.send('POST', '/api/bookers', body)
  expect((await make(other!, guest)).statusCode).toBe(403)
  expect((await make(office!, { ...guest, full_name: 'R2' })).json().errors[0].field).toBe('/full_name')
  const made = await make(office!, guest)
  expect(made.statusCode).toBe(201)
  const { accountId } = made.json()
  const again = await make(office!, guest)
  expect([again.statusCode, again.json()]).toEqual([200, { accountId }])
  const taken = await make(office!, aGuest({ email: guest.email }))
  expect([taken.statusCode, taken.json().errors[0].message]).toEqual([409, 'This Email is Already Taken!'])
  const { rows } = await world.database.pool.query(
    `select payload from graphile_worker._private_jobs where payload::text like '%' || $1 || '%'`,
    [accountId],
  )
  expect(rows).toEqual([{ payload: { accounts: [accountId] } }])

  const booked = await office!.send('POST', '/api/cases', { flow: FLOW, data: world.aRequest(), for: { accountId } })
  expect([booked.statusCode, booked.json().requester.id, booked.json().sentBy.id]).toEqual([201, accountId, office!.id])
})
