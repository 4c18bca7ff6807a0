import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const itemsOf = (register: string) => `/api/registers/setup/${register}/items`

let database: TestDatabase
let own: TestApp
let registrar: Caller
let ma: Caller
let dean: Caller
let faculty: string
let department: string
let otherFaculty: string
let elsewhere: string

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  faculty = await anItem(db, 'platform/faculty')
  department = await anItem(db, 'platform/department', { data: { faculty } })
  otherFaculty = await anItem(db, 'platform/faculty')
  elsewhere = await anItem(db, 'platform/department', { data: { faculty: otherFaculty } })
  registrar = await own.person('registrar', { role: 'Registrar' })
  ma = await own.person('ma', { role: 'MA', scope: { kind: 'faculty', id: faculty } })
  dean = await own.person('dean', { role: 'Dean', scope: { kind: 'faculty', id: faculty } })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

async function adds(who: Caller, register: string, data: object): Promise<any> {
  return (await who.send('POST', itemsOf(register), { data })).json()
}

/** A program of the department, of a degree of four years. */
async function aProgram(code: string, more: object = {}): Promise<any> {
  const named = { name: `Music ${code}`, code }
  const degree = await adds(registrar, 'degree', { ...named, level: 'Bachelor Honours', years: 4, credits: 120 })
  const medium = await anItem(database.db, 'platform/language')
  return adds(registrar, 'degree-program', { ...named, degree: degree.id, faculty, department, medium, ...more })
}

const aSubject = (who: Caller, code: string, more: object = {}) =>
  adds(who, 'subject', { code, name: `Theory ${code}`, faculty, department, credits: 3, ...more })

test('a program belongs to a department of its faculty', async () => {
  const refused = await aProgram('OUT', { department: elsewhere })
  expect(refused.errors).toMatchObject([{ field: '/department', code: 'platform.item-not-within' }])
  const made = await aProgram('IN')
  expect(made).toMatchObject({ title: 'Music IN', status: 'Active' })
  // The stage follows from the level, which stays while a program is of the degree.
  const degree = `${itemsOf('degree')}/${made.data.degree}`
  const { data, version } = (await registrar.send('GET', degree)).json()
  expect(data.stage).toBe('Undergraduate')
  const higher = { data: { ...data, level: 'Master', stage: 'Undergraduate' } }
  const { errors } = (await registrar.send('PUT', degree, higher, { 'if-match': `"${version}"` })).json()
  expect(errors).toMatchObject(['/level', '/stage'].map((field) => ({ field, code: 'platform.item-frozen' })))
})

test('a management assistant keeps the subjects of their own faculty alone', async () => {
  const first = await aSubject(ma, 'MUS1')
  const prerequisites = [{ subject: first.id }]
  expect(await aSubject(ma, 'MUS2', { prerequisites })).toMatchObject({ data: { prerequisites } })
  expect((await aSubject(ma, 'MUS3', { faculty: otherFaculty, department: elsewhere })).code).toBe(
    'platform.not-allowed',
  )
  expect((await aSubject(ma, 'mus1')).errors).toMatchObject([{ field: '/code', code: 'platform.value-taken' }])
  expect((await adds(ma, 'degree', {})).code).toBe('platform.not-allowed')
})

test('a curriculum counts once somebody else of its faculty has approved it', async () => {
  const from = await anItem(database.db, 'year-renewals/academic-year')
  const subject = await aSubject(ma, 'MUS4')
  const subjects = [
    { year: 1, semester: 1, subject: subject.id, kind: await anItem(database.db, 'course-management/course-type') },
  ]
  const draft = { name: 'Music 2026', program: (await aProgram('CUR')).id, version: 1, from, subjects }
  const drafted = await adds(ma, 'curriculum', draft)
  expect(drafted).toMatchObject({ status: 'Awaiting Approval' })
  const approves = async (who: Caller) =>
    (await who.send('POST', `${itemsOf('curriculum')}/${drafted.id}/status`, { status: 'Approved' })).json()
  expect((await approves(ma)).code).toBe('platform.certified-by-changer')
  expect((await approves(dean)).status).toBe('Approved')
  // A subject that is out of use may stay, also in another row.
  const outOfUse = { status: 'Inactive' }
  await ma.send('POST', `${itemsOf('subject')}/${subject.id}/status`, outOfUse)
  const moved = { ...draft, subjects: [{ ...subjects[0], subject: (await aSubject(ma, 'MUS5')).id }, ...subjects] }
  const changes = async (data: object, version: number) =>
    (await ma.send('PUT', `${itemsOf('curriculum')}/${drafted.id}`, { data }, { 'if-match': `"${version}"` })).json()
  expect(await changes(moved, 2)).toMatchObject({ status: 'Awaiting Approval', data: moved })
  // Another version of the same program has another number.
  const other = { ...draft, subjects: moved.subjects.slice(0, 1) }
  const again = await adds(ma, 'curriculum', { ...other, name: 'Music again' })
  expect(again.errors).toMatchObject([{ field: '/version', code: 'platform.value-taken' }])
  const foreign = await own.person('ma-elsewhere', { role: 'MA', scope: { kind: 'department', id: elsewhere } })
  const refused = await adds(foreign, 'curriculum', { ...other, name: 'Music elsewhere', version: 2 })
  expect(refused.errors).toMatchObject([{ field: '/program', code: 'platform.belongs-elsewhere' }])
})
