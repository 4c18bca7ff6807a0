import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aProgramme, anItem } from '../platform/kit/rows.ts'

const STUDENTS = '/api/registers/platform/student/items'
const LINKS = '/api/students/password-links'

let database: TestDatabase
let own: TestApp
let admin: Caller
let faculty: string
let intake: string
let students = 0
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  admin = await own.person('admin', { role: 'ADMIN' })
  faculty = await anItem(database.db, 'platform/faculty')
  intake = await anItem(database.db, 'intakes/intake')
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const aStudent = () => ({
  ...{ reg_no: `T/${(students += 1)}`, full_name: 'Test Student', nic: `20010000000${students}` },
  ...{ email: `t${students}@example.lk`, faculty, intake },
})

test.each([
  ['Bachelor', 'Undergraduate Student'],
  ['Bachelor Honours', 'Undergraduate Student'],
  ['Postgraduate Diploma', 'Post Graduate Student'],
  ['Master', 'Post Graduate Student'],
  ['MPhil', 'Post Graduate Student'],
  ['PhD', 'Post Graduate Student'],
])('a student of a %s without a batch gets the role %s', async (level, role) => {
  const data = { ...aStudent(), programme: await aProgramme(database.db, { level, faculty }) }
  const { id } = (await admin.send('POST', STUDENTS, { data })).json()
  expect((await admin.send('POST', LINKS, { items: [id] })).json()).toMatchObject({ sent: 1, skipped: [] })
  const { items: people } = (await admin.send('GET', `/api/people?search=${data.email}`)).json()
  const { grants } = (await admin.send('GET', `/api/people/${people[0].id}`)).json()
  expect(grants.map((grant: { role: string }) => grant.role)).toEqual([role])
})

test('whose level nobody knows gets no account, and the office is told why', async () => {
  const { body, statusCode } = await admin.send('POST', STUDENTS, { data: aStudent() })
  expect([statusCode, JSON.parse(body).errors]).toMatchObject([422, [{ field: '/programme' }]])
  // From before programmes were entries.
  const before = await anItem(database.db, 'platform/student', { status: 'active', data: aStudent() })
  const listed = (await admin.send('GET', `${LINKS}?limit=50`)).json()
  expect(listed.items.find(({ id }: { id: string }) => id === before)).toMatchObject({ link: 'no-programme' })
  expect((await admin.send('POST', LINKS, { items: [before] })).json()).toMatchObject({
    sent: 0,
    skipped: [{ id: before, reason: 'no-programme' }],
  })
  expect(await database.db.selectFrom('account').select('id').where('record_id', '=', before).execute()).toEqual([])
})
