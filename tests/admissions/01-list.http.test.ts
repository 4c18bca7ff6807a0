import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const ADMISSIONS = '/api/registers/admissions/admission'
const NIC = '200512345678'
const HEADER = 'number,name_with_initials,nic,email,intake,faculty,programme,selected_by,z_score,rank,answer_by'

let database: TestDatabase
let own: TestApp
let office: Caller
let music: string, visual: string, intake: string
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  music = await anItem(db, 'platform/faculty', { data: { name: 'Faculty of Music', code: 'FOM' } })
  visual = await anItem(db, 'platform/faculty', { data: { name: 'Faculty of Visual Arts', code: 'FVA' } })
  intake = await anItem(db, 'intakes/intake', { data: { name: '2025/2026' } })
  office = await own.person('office', { role: 'Exam MA' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const aLine = (number: string, faculty: string, { nic = NIC, by = 'Z-score,1.8125,' } = {}) =>
  `${number},K. Perera,${nic},${number}@example.lk,${intake},${faculty},BPA,${by},2027-01-15`
const imports = async (lines: string[], commit = true, by = office) =>
  by.send('POST', `${ADMISSIONS}/imports`, { csv: [HEADER, ...lines].join('\n'), commit })
const listed = async (by: Caller) => (await by.send('GET', `${ADMISSIONS}/items`)).json().items

test('a file with a second admission of one person, or without the result that selected them, adds nothing', async () => {
  const answer = await imports([
    aLine('A1', music),
    aLine('A2', visual),
    aLine('A3', music, { nic: '200512345679', by: 'Z-score,,' }),
    aLine('A4', music, { nic: '200512345680', by: 'Aptitude test,,' }),
  ])
  const errors = answer.json().errors.map((one: any) => [one.line, one.column])
  expect([answer.json().added, errors]).toEqual([
    0,
    [
      [3, 'nic'],
      [4, 'z_score'],
      [5, 'rank'],
    ],
  ])
})

test('a file sets no status that only an offer may set', async () => {
  const csv = [`${HEADER},status`, `${aLine('C1', music)},Accepted`].join('\n')
  const { added, errors } = (await office.send('POST', `${ADMISSIONS}/imports`, { csv, commit: true })).json()
  expect([added, errors.map((one: any) => [one.line, one.column])]).toEqual([0, [[2, 'status']]])
})

test('Examinations imports the list and notes an answer; each faculty sees its own, and nobody else any', async () => {
  const lines = [aLine('B1', music), aLine('B2', visual, { nic: '200512345679', by: 'Aptitude test,,4' })]
  expect((await imports(lines, false)).json()).toMatchObject({ rows: 2, errors: [], added: 0 })
  expect((await imports(lines)).json()).toMatchObject({ added: 2, errors: [] })
  const all = await listed(office)
  expect(all.map((one: any) => [one.data.number, one.status]).toSorted()).toEqual([
    ['B1', 'Selected'],
    ['B2', 'Selected'],
  ])
  expect(JSON.stringify(all)).not.toContain(NIC)

  const dean = await own.person('dean', { role: 'Dean', scope: { kind: 'faculty', id: music } })
  expect((await listed(dean)).map((one: any) => one.data.number)).toEqual(['B1'])
  const { id } = all.find((one: any) => one.data.number === 'B1')
  const other = all.find((one: any) => one.data.number === 'B2')
  expect((await dean.send('GET', `${ADMISSIONS}/items/${id}`)).body).not.toContain(NIC)
  expect((await dean.send('GET', `${ADMISSIONS}/items/${other.id}`)).statusCode).toBe(404)
  expect((await imports(lines, true, dean)).statusCode).toBe(403)
  const student = await own.person('student', { role: 'Undergraduate Student' })
  expect((await student.send('GET', `${ADMISSIONS}/items`)).statusCode).toBe(404)

  const single = await office.send('GET', `${ADMISSIONS}/items/${id}`)
  expect(single.json().data.nic).toBe(NIC)
  const reads = await database.db
    .selectFrom('audit_entry')
    .select('object')
    .where('action', '=', 'register-item.sensitive-read')
    .where('actor', '=', office.id)
    .execute()
  expect(reads).toEqual([{ object: `admissions/admission:${id}` }])
})

test('the old and the new number of one identity card are one person', async () => {
  const [old, long] = ['891234567V', '198912304567']
  const both = await imports([aLine('C1', music, { nic: old }), aLine('C2', music, { nic: long })])
  expect(both.json().errors.map((one: any) => [one.line, one.column])).toEqual([[3, 'nic']])
  expect((await imports([aLine('C1', music, { nic: old })])).json()).toMatchObject({ added: 1 })
  expect((await imports([aLine('C2', music, { nic: long })])).json()).toMatchObject({ added: 0 })
  const { id } = (await listed(office)).find((one: any) => one.data.number === 'C1')
  const found = await office.send('GET', `${ADMISSIONS}/items?search=${long}&whole=true`)
  expect(found.json().items.map((one: any) => one.data.number)).toEqual(['C1'])
  const short = sql`update register_unique set value = ${`${old.toLowerCase()}\n${intake}`} where item_id = ${id} and field = '/nic'`
  await expect(short.execute(database.db)).rejects.toThrow('register_unique_long_nic')
})
