import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const PARTICULARS = '/api/registers/students/particulars'
const RESULTS = '/api/registers/scholarships/results'

let database: TestDatabase
let own: TestApp
let student: Caller
let other: Caller
let entries: Record<'student' | 'other', string>
let ma: Caller
let elsewhere: Caller
let hod: Caller
let about: { gender: string; district: string }

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  const faculty = await anItem(db, 'platform/faculty')
  const department = await anItem(db, 'platform/department', { data: { faculty } })
  const far = await anItem(db, 'platform/department')
  const aStudent = () => anItem(db, 'platform/student', { status: 'active', data: { faculty, department } })
  entries = { student: await aStudent(), other: await aStudent() }
  const called = async (username: string, record: string) => {
    const caller = await own.person(username, { role: 'Undergraduate Student' })
    await db.updateTable('account').set({ record_id: record }).where('id', '=', caller.id).execute()
    return caller
  }
  student = await called('student', entries.student)
  other = await called('other', entries.other)
  ma = await own.person('ma', { role: 'MA', scope: { kind: 'department', id: department } })
  hod = await own.person('hod', { role: 'HOD', scope: { kind: 'department', id: department } })
  elsewhere = await own.person('elsewhere', { role: 'MA', scope: { kind: 'department', id: far } })
  about = { gender: await anItem(db, 'platform/gender'), district: await anItem(db, 'platform/district') }
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const particulars = (more: object = {}) => ({
  certificate_name: 'SELVI RAJARATNAM',
  date_of_birth: '2003-04-05',
  permanent_address: '12 Temple Road, Kandy',
  guardian_name: 'K. Rajaratnam',
  guardian_relationship: 'Father',
  guardian_phone: '0771234567',
  ...about,
  ...more,
})

const mine = async (who: Caller, register: string): Promise<any[]> =>
  (await who.send('GET', `${register}/items?mine=true`)).json().items

test('students enter their particulars once, change them, and read no others', async () => {
  expect((await student.send('GET', PARTICULARS)).json()).toMatchObject({ writesOwn: true, settable: [] })
  expect(await mine(student, PARTICULARS)).toEqual([])
  const made = await student.send('POST', `${PARTICULARS}/items`, { data: particulars() })
  expect(made.statusCode).toBe(201)
  const { id, version } = made.json()
  expect(made.json()).toMatchObject({ data: { student: entries.student, guardian_phone: '0771234567' } })

  const again = await student.send('POST', `${PARTICULARS}/items`, { data: particulars() })
  expect(again.json().errors).toMatchObject([{ field: '/student', code: 'platform.value-taken' }])
  const changed = await student.send(
    'PUT',
    `${PARTICULARS}/items/${id}`,
    { data: particulars({ disabilities: 'Uses a wheelchair' }) },
    { 'if-match': `"${version}"` },
  )
  expect(changed.json()).toMatchObject({ data: { student: entries.student, disabilities: 'Uses a wheelchair' } })

  expect((await other.send('GET', `${PARTICULARS}/items/${id}`)).statusCode).toBe(404)
  expect(await mine(other, PARTICULARS)).toEqual([])
  expect((await mine(student, PARTICULARS)).map((one) => one.id)).toEqual([id])
})

test('nobody enters particulars of another student, gives them away, or sets their status', async () => {
  const forOther = await student.send('POST', `${PARTICULARS}/items`, { data: particulars({ student: entries.other }) })
  expect(forOther.statusCode).toBe(404)
  const [{ id, version }] = await mine(student, PARTICULARS)
  const match = { 'if-match': `"${version}"` }
  const given = await student.send(
    'PUT',
    `${PARTICULARS}/items/${id}`,
    { data: particulars({ student: entries.other }) },
    match,
  )
  expect(given.statusCode).toBe(404)
  const off = await student.send('POST', `${PARTICULARS}/items/${id}/status`, { status: 'Inactive' }, match)
  expect(off.statusCode).toBe(404)
  const byOther = await other.send('PUT', `${PARTICULARS}/items/${id}`, { data: particulars() }, match)
  expect(byOther.statusCode).toBe(404)
  expect((await ma.send('POST', `${PARTICULARS}/items`, { data: particulars() })).statusCode).toBe(403)
})

test('staff read particulars of their own units, and only those who need it what is sensitive', async () => {
  const [{ id }] = await mine(student, PARTICULARS)
  const read = async (who: Caller) => (await who.send('GET', `${PARTICULARS}/items/${id}`)).json()
  expect(await read(ma)).toMatchObject({ data: { guardian_phone: '0771234567' }, mayChange: false })
  const seen = (await read(hod)).data
  expect(seen).toMatchObject({ certificate_name: 'SELVI RAJARATNAM' })
  expect(seen).not.toHaveProperty('disabilities')
  expect((await elsewhere.send('GET', `${PARTICULARS}/items/${id}`)).statusCode).toBe(404)
  expect((await elsewhere.send('GET', `${PARTICULARS}/items`)).json().items).toEqual([])
})

test('Examinations enter results; a student reads their own alone, and an office those of its own students', async () => {
  const [exams, affairs] = await Promise.all(
    ['Exam MA', 'SSW MA'].map((role) => own.person(role.toLowerCase().replace(' ', '-'), { role })),
  )
  const enters = async (who: Caller, of: string, gpa: number) =>
    (await who.send('POST', `${RESULTS}/items`, { data: { year: '2025', student: of, gpa } })).statusCode
  expect(await enters(ma, entries.student, 3.9)).toBe(403)
  // They find the students for their entries.
  expect((await exams!.send('GET', '/api/registers/platform/student/items')).json().items).not.toEqual([])
  expect(await enters(exams!, entries.student, 3.4)).toBe(201)
  expect(await enters(exams!, entries.other, 2.1)).toBe(201)
  const read = async (who: Caller) =>
    (await who.send('GET', `${RESULTS}/items`))
      .json()
      .items.map(({ data }: any) => data.gpa)
      .toSorted()
  for (const who of [affairs!, ma, hod]) expect(await read(who)).toEqual([2.1, 3.4])
  expect(await read(elsewhere)).toEqual([])
  expect((await mine(student, RESULTS)).map(({ data }) => data.gpa)).toEqual([3.4])
  const all = (await student.send('GET', `${RESULTS}/items`)).json()
  expect(all.items.map(({ data }: any) => data.gpa)).toEqual([3.4])
  const entered = await student.send('POST', `${RESULTS}/items`, { data: { year: '2026', gpa: 4 } })
  expect(entered.statusCode).toBe(404)
  expect((await student.send('GET', RESULTS)).json()).toMatchObject({ writesOwn: false, mayCreate: false })
})

test('what a student downloads of themselves has these entries', async () => {
  const data = (await student.send('GET', '/api/me/data')).json()
  expect(data.entries.map((one: any) => one.register).toSorted()).toEqual([
    'scholarships/results',
    'students/particulars',
  ])
})
