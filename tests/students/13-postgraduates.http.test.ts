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
  const written = { ...aStudent(), programme_before: 'Music' }
  const before = await anItem(database.db, 'platform/student', { status: 'active', data: written })
  const listed = (await admin.send('GET', `${LINKS}?limit=50`)).json()
  expect(listed.items.find(({ id }: { id: string }) => id === before)).toMatchObject({ link: 'no-programme' })
  expect((await admin.send('POST', LINKS, { items: [before] })).json()).toMatchObject({
    sent: 0,
    skipped: [{ id: before, reason: 'no-programme' }],
  })
  expect(await database.db.selectFrom('account').select('id').where('record_id', '=', before).execute()).toEqual([])
  // Once a programme is chosen, what was written before is gone.
  const chosen = await changes(STUDENTS, before, { programme: await aProgramme(database.db, { faculty }) })
  expect([chosen.statusCode, chosen.json().data.programme_before]).toEqual([200, undefined])
})

/** Changes fields of an entry, and leaves the others as they are. */
async function changes(path: string, id: string, more: object) {
  const { data, version } = (await admin.send('GET', `${path}/${id}`)).json()
  return admin.send('PUT', `${path}/${id}`, { data: { ...data, ...more } }, { 'if-match': `"${version}"` })
}

test('a student with an account moves to no programme of another stage, and a programme stays what its students follow', async () => {
  const { db, owner } = database
  const [programme, other] = [await aProgramme(db, { faculty }), await aProgramme(db, { faculty })]
  const master = await aProgramme(db, { level: 'Master', faculty })
  const { id } = (await admin.send('POST', STUDENTS, { data: { ...aStudent(), programme } })).json()
  // Without an account there is no role yet.
  expect((await changes(STUDENTS, id, { programme: master })).statusCode).toBe(200)
  expect((await changes(STUDENTS, id, { programme })).statusCode).toBe(200)
  await admin.send('POST', LINKS, { items: [id] })
  const refused = (await changes(STUDENTS, id, { programme: master })).json()
  expect(refused.errors).toMatchObject([{ field: '/programme', code: 'platform.item-role-stays' }])
  const moved = `update app.register_item set data = data || jsonb_build_object('programme', $2::text) where id = $1`
  await expect(owner.pool.query(moved, [id, master])).rejects.toThrow('the role of another stage')
  expect((await changes(STUDENTS, id, { programme: other })).statusCode).toBe(200)

  const PROGRAMMES = '/api/registers/setup/degree-program/items'
  const fields = { name: 'Kept', code: 'KEPT', medium: await anItem(db, 'platform/language') }
  const far = await anItem(db, 'platform/faculty')
  for (const change of [{ faculty: far }, { degree: await anItem(db, 'setup/degree') }]) {
    const [field] = Object.keys(change)
    const { errors } = (await changes(PROGRAMMES, other, { ...fields, ...change })).json()
    expect(errors).toMatchObject([{ field: `/${field}`, code: 'platform.item-frozen' }])
    const changed = `update app.register_item set data = data || $2::jsonb where id = $1`
    await expect(owner.pool.query(changed, [other, JSON.stringify(change)])).rejects.toThrow('is frozen')
  }
  expect((await changes(PROGRAMMES, other, fields)).statusCode).toBe(200)
})
