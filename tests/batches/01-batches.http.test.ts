import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aProgramme, anItem } from '../platform/kit/rows.ts'

const BATCHES = '/api/registers/batches/batch/items'
const ADVERTISEMENTS = '/api/registers/batches/advertisement/items'
const STUDENTS = '/api/registers/platform/student/items'

let database: TestDatabase
let own: TestApp
let ma: Caller
let elsewhere: Caller
let admin: Caller
let faculty: string
let intake: string
let later: string
let programme: string
let farProgramme: string

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  faculty = await anItem(db, 'platform/faculty')
  const far = await anItem(db, 'platform/faculty')
  intake = await anItem(db, 'intakes/intake', { data: { name: '2025/2026' } })
  later = await anItem(db, 'intakes/intake', { data: { name: '2026/2027' } })
  programme = await anItem(db, 'setup/degree-program', { data: { faculty } })
  farProgramme = await anItem(db, 'setup/degree-program', { data: { faculty: far } })
  ma = await own.person('ma', { role: 'MA', scope: { kind: 'faculty', id: faculty } })
  elsewhere = await own.person('elsewhere', { role: 'MA', scope: { kind: 'faculty', id: far } })
  admin = await own.person('admin', { role: 'ADMIN' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const adds = (who: Caller, path: string, data: object) => who.send('POST', path, { data })
/** A batch of a Master's degree, made once. */
async function aPostgraduateBatch(): Promise<string> {
  const there = (await ma.send('GET', `${BATCHES}?search=MPA`)).json().items[0]
  if (there) return there.id
  const master = await aProgramme(database.db, { level: 'Master', faculty })
  return (await adds(ma, BATCHES, aBatch('MPA 2025', { programme: master }))).json().id
}

const aBatch = (name: string, more: object = {}) => ({ name, intake, programme, year: 1, ...more })

test('a batch belongs to the units of its program: an MA elsewhere neither sees nor changes it', async () => {
  const adviser = await anItem(database.db, 'platform/employee')
  const made = await adds(ma, BATCHES, aBatch('Music 2025', { advisers: [{ employee: adviser }] }))
  expect(made.statusCode).toBe(201)
  const { id, version } = made.json()
  expect((await elsewhere.send('GET', `${BATCHES}/${id}`)).statusCode).toBe(404)
  expect((await elsewhere.send('GET', BATCHES)).json().items).toEqual([])
  const match = { 'if-match': `"${version}"` }
  const changed = await elsewhere.send(
    'PUT',
    `${BATCHES}/${id}`,
    { data: aBatch('Mine', { programme: farProgramme }) },
    match,
  )
  expect(changed.json().errors).toMatchObject([{ field: '/programme', code: 'platform.belongs-elsewhere' }])
  expect((await ma.send('GET', `${BATCHES}/${id}`)).json()).toMatchObject({ title: 'Music 2025', version })
  const created = (await adds(elsewhere, BATCHES, aBatch('Theirs', { intake: later }))).json()
  expect(created.errors).toMatchObject([{ field: '/programme', code: 'platform.belongs-elsewhere' }])
  const second = (await adds(ma, BATCHES, aBatch('Music again'))).json()
  expect(second.errors).toMatchObject([{ field: '/programme', code: 'platform.value-taken' }])
})

test('the students of a batch are those who name it, and are of its intake', async () => {
  const batch = (await adds(ma, BATCHES, aBatch('Music 2026', { intake: later }))).json().id
  const student = (intakeOf: string, n: number) => ({
    reg_no: `FOM/26/${n}`,
    full_name: `Student ${n}`,
    nic: `20001234567${n}`,
    email: `s${n}@students.prakriya.example`,
    faculty,
    programme,
    intake: intakeOf,
    batch,
  })
  const other = (await adds(admin, STUDENTS, student(intake, 1))).json()
  expect(other.errors).toMatchObject([{ field: '/batch', code: 'platform.item-not-within' }])
  const { id } = (await adds(admin, STUDENTS, student(later, 2))).json()
  const listed = (await ma.send('GET', `${STUDENTS}?filter.batch=${batch}`)).json()
  expect(listed.items.map((one: { id: string }) => one.id)).toEqual([id])
})

test('an advertisement is of a postgraduate batch, which the form offers and the database wants', async () => {
  const undergraduate = (await ma.send('GET', BATCHES)).json().items[0].id
  const batch = await aPostgraduateBatch()
  const offered = (await ma.send('GET', `${BATCHES}?selection=postgraduate&inUse=true`)).json()
  expect(offered.items.map(({ id }: { id: string }) => id)).toEqual([batch])
  expect((await ma.send('GET', `${BATCHES}?selection=foreign`)).json().code).toBe('platform.filter-unknown')
  const advertisement = { title: 'Wrong', batch: undergraduate, text: 'Apply now.', closing_on: '2026-12-31' }
  const refused = (await adds(ma, ADVERTISEMENTS, advertisement)).json()
  expect(refused.errors).toMatchObject([{ field: '/batch', code: 'batches.not-postgraduate' }])
  const { id } = (await adds(ma, ADVERTISEMENTS, { ...advertisement, title: 'Right', batch })).json()
  // By these, pages offer the advertisement of a batch, or do not.
  const among = async (one: string) => (await ma.send('GET', `${BATCHES}/${one}`)).json().selections
  expect([await among(batch), await among(undergraduate)]).toEqual([['postgraduate'], []])
  const moved = `update app.register_reference set target_id = $2 where item_id = $1 and path = '/batch'`
  await expect(database.owner.pool.query(moved, [id, undergraduate])).rejects.toThrow('may not name')
})

test('everybody signed in reads an advertisement, and only the MA of its program writes it', async () => {
  const batch = await aPostgraduateBatch()
  const advertisement = { title: 'MPA 2026', batch, text: 'Apply now.', closing_on: '2026-12-31' }
  const made = await adds(ma, ADVERTISEMENTS, advertisement)
  expect(made.statusCode).toBe(201)
  const reader = await own.person('lecturer', { role: 'Lecturer' })
  const read = await reader.send('GET', `${ADVERTISEMENTS}/${made.json().id}`)
  expect(read.json()).toMatchObject({ status: 'Published', data: advertisement, mayChange: false })
  const refused = (await adds(elsewhere, ADVERTISEMENTS, { ...advertisement, title: 'Ours' })).json()
  expect(refused.errors).toMatchObject([{ field: '/batch', code: 'platform.belongs-elsewhere' }])
})

test('an adviser sees the students of the batch and nobody else, without NIC and telephone; a student sees the advisers', async () => {
  const { db } = database
  const employed = async (username: string, role: string) => {
    const entry = await anItem(db, 'platform/employee')
    const caller = await own.person(username, { role })
    await db.updateTable('account').set({ record_id: entry }).where('id', '=', caller.id).execute()
    return { entry, caller }
  }
  const [adviser, colleague] = [await employed('adviser', 'Lecturer'), await employed('colleague', 'Lecturer')]
  const [year, advised] = [await anItem(db, 'intakes/intake'), await aProgramme(db, { level: 'Degree', faculty })]
  const curriculum = await anItem(db, 'setup/curriculum', { status: 'Approved', data: { program: advised } })
  const more = { intake: year, programme: advised, curriculum, advisers: [{ employee: adviser.entry }] }
  const made = await adds(ma, BATCHES, aBatch('Advised', more))
  expect([made.statusCode, made.json().errors]).toEqual([201, undefined])
  const batch = made.json().id
  const aStudent = (of: string) =>
    anItem(db, 'platform/student', {
      status: 'active',
      data: { batch: of, faculty, nic: '200680120001', mobile_no: '0712004411' },
    })
  const theirs = await aStudent(batch)
  const others = await aStudent(await anItem(db, 'batches/batch', { data: { programme, intake } }))

  expect((await adviser.caller.send('GET', `${STUDENTS}/${others}`)).statusCode).toBe(404)
  expect((await colleague.caller.send('GET', `${STUDENTS}/${theirs}`)).statusCode).toBe(404)
  expect((await colleague.caller.send('GET', STUDENTS)).statusCode).toBe(404)
  const listed = async (who: Caller) =>
    (await who.send('GET', `${STUDENTS}?entrusted=true`)).json().items.map(({ id }: { id: string }) => id)
  expect(await listed(colleague.caller)).toEqual([])
  expect(await listed(ma)).toEqual([])
  expect(await listed(adviser.caller)).toEqual([theirs])
  const seen = (await adviser.caller.send('GET', `${STUDENTS}/${theirs}`)).json()
  expect(seen).toMatchObject({ id: theirs, mayChange: false })
  expect(seen.data).not.toHaveProperty('nic')
  expect(seen.data).not.toHaveProperty('mobile_no')

  // The student learns who advises them, though they see neither the register of batches nor that of employees.
  const student = await own.person('nimal', { role: 'Undergraduate Student' })
  await db.updateTable('account').set({ record_id: theirs }).where('id', '=', student.id).execute()
  const { tells } = (await student.send('GET', `${STUDENTS}/${theirs}`)).json()
  expect(tells).toMatchObject([
    { title: 'batches.batch.curriculum', entries: [{ id: curriculum, sees: true }] },
    { title: 'batches.batch.advisers', entries: [{ id: adviser.entry, sees: false }] },
  ])
})
