import { afterAll, beforeAll, expect, test } from '@jest/globals'
import sharp from 'sharp'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'
import { PDF, uploadsTo } from '../platform/kit/uploads.ts'

const PARTICULARS = '/api/registers/students/particulars/items'
const ACCOUNTS = '/api/registers/platform/student-account/items'
const ADMISSIONS = '/api/registers/students/admission/items'
const STUDENTS = '/api/registers/platform/student/items'

let database: TestDatabase
let own: TestApp
let entry: string
let [student, other, ma, elsewhere, hod, welfare]: Caller[] = []
let bank: { bank: string; branch: string }
let about: { gender: string; district: string }

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  const { db } = database
  const faculty = await anItem(db, 'platform/faculty')
  const department = await anItem(db, 'platform/department', { data: { faculty } })
  const far = await anItem(db, 'platform/department')
  const aStudent = (nic: string) =>
    anItem(db, 'platform/student', {
      status: 'active',
      data: { faculty, department, nic, mobile_no: '0712004411', reg_no: `FOM/2026/${nic}` },
    })
  const called = async (username: string, record: string) => {
    const caller = await own.person(username, { role: 'Undergraduate Student' })
    await db.updateTable('account').set({ record_id: record }).where('id', '=', caller.id).execute()
    return caller
  }
  entry = await aStudent('200680123456')
  student = await called('student', entry)
  other = await called('other', await aStudent('200680123457'))
  const at = (id: string) => ({ scope: { kind: 'department', id } })
  ma = await own.person('ma', { role: 'MA', ...at(department) })
  hod = await own.person('hod', { role: 'HOD', ...at(department) })
  elsewhere = await own.person('elsewhere', { role: 'MA', ...at(far) })
  welfare = await own.person('welfare', { role: 'SSW MA' })
  const one = await anItem(db, 'vouchers/bank')
  bank = { bank: one, branch: await anItem(db, 'vouchers/branch', { data: { bank: one } }) }
  about = { gender: await anItem(db, 'platform/gender'), district: await anItem(db, 'platform/district') }
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const opened = async (who: Caller, file: string) => (await who.send('GET', `/api/files/${file}`)).statusCode

test('the photo of a student is seen by those who see the particulars, and by nobody else', async () => {
  const picture = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#1f6f78' } })
    .png()
    .toBuffer()
  const photo = await uploadsTo(student!, 'photo.png', picture)
  expect(await opened(ma!, photo)).toBe(404)
  const data = {
    certificate_name: 'SACHINI WICKRAMASINGHE',
    photo,
    date_of_birth: '2006-06-28',
    permanent_address: '4 Lake Road, Colombo 8',
    guardian_name: 'S. Wickramasinghe',
    guardian_relationship: 'Father',
    guardian_phone: '0771234567',
    ...about,
  }
  const made = await student!.send('POST', PARTICULARS, { data })
  expect([made.statusCode, made.json().errors]).toEqual([201, undefined])
  expect(await Promise.all([ma!, hod!, elsewhere!, other!].map((who) => opened(who, photo)))).toEqual([
    200, 200, 404, 404,
  ])
  const { id, version } = made.json()
  const without = { ...data, photo: undefined }
  await student!.send('PUT', `${PARTICULARS}/${id}`, { data: without }, { 'if-match': `"${version}"` })
  expect(await opened(ma!, photo)).toBe(404)
  // What the entry had before can be put back, also by somebody who did not send the file; another file cannot.
  const root = await own.person('root', { role: 'ADMIN' })
  const back = await root.send(
    'PUT',
    `${PARTICULARS}/${id}`,
    { data: { ...data, student: entry } },
    { 'if-match': '"2"' },
  )
  expect([back.statusCode, back.json().errors]).toEqual([200, undefined])
  const theirs = await uploadsTo(other!, 'photo.png', picture)
  // Naming it in a text first makes it no file of the entry.
  const named = { ...data, student: entry, disabilities: theirs }
  await root.send('PUT', `${PARTICULARS}/${id}`, { data: named }, { 'if-match': '"3"' })
  const strange = { ...data, student: entry, photo: theirs }
  const refused = await root.send('PUT', `${PARTICULARS}/${id}`, { data: strange }, { 'if-match': '"4"' })
  expect(refused.json().errors).toMatchObject([{ field: '/photo', code: 'platform.file-unknown' }])
})

test('a student enters the own bank account, and somebody else certifies it', async () => {
  const passbook = await uploadsTo(student!, 'passbook.pdf', PDF)
  const account = (number: string) => ({
    account_name: 'S. Wickramasinghe',
    account_number: number,
    passbook,
    ...bank,
  })
  const made = await student!.send('POST', ACCOUNTS, { data: account('8000 1234') })
  expect(made.json()).toMatchObject({ status: 'To Certify', data: { student: entry } })
  const { id } = made.json()
  const status = (who: Caller, version: number, wanted: string) =>
    who.send('POST', `${ACCOUNTS}/${id}/status`, { status: wanted }, { 'if-match': `"${version}"` })
  expect((await status(student!, 1, 'Certified')).statusCode).toBe(404)
  expect((await status(other!, 1, 'Certified')).statusCode).toBe(404)
  expect((await other!.send('GET', `${ACCOUNTS}/${id}`)).statusCode).toBe(404)
  expect((await ma!.send('GET', `${ACCOUNTS}/${id}`)).statusCode).toBe(404)
  expect(await Promise.all([welfare!, ma!, other!].map((who) => opened(who, passbook)))).toEqual([200, 404, 404])
  expect(await opened(student!, passbook)).toBe(200)
  const noted = await database.db
    .selectFrom('audit_entry as e')
    .innerJoin('audit_payload as p', 'p.entry_id', 'e.id')
    .select(['e.actor', 'p.payload'])
    .where('e.action', '=', 'register-item.sensitive-read')
    .where('e.object', '=', `platform/student-account:${id}`)
    .execute()
  expect(noted).toEqual([{ actor: welfare!.id, payload: { fields: ['/passbook'], version: 1 } }])
  expect((await status(welfare!, 1, 'Certified')).json()).toMatchObject({ status: 'Certified' })
  const changed = await student!.send('PUT', `${ACCOUNTS}/${id}`, { data: account('8000 9999') }, { 'if-match': '"2"' })
  expect(changed.json()).toMatchObject({ status: 'To Certify', data: { student: entry } })
  expect((await status(welfare!, 3, 'Certified')).json()).toMatchObject({ status: 'Certified' })
  const another = { ...account('8000 9999'), passbook: await uploadsTo(student!, 'another.pdf', PDF) }
  const exchanged = await student!.send('PUT', `${ACCOUNTS}/${id}`, { data: another }, { 'if-match': '"4"' })
  expect(exchanged.json()).toMatchObject({ status: 'To Certify' })
})

test('a Management Assistant enters the admission of own students only; student and head read it', async () => {
  const data = {
    student: entry,
    al_index_no: '2604471',
    al_year: '2024',
    stream: 'Arts',
    z_score: 1.1876,
    aptitude_mark: 80,
    admitted_on: '2026-03-02',
  }
  expect((await elsewhere!.send('POST', ADMISSIONS, { data })).json().errors).toMatchObject([
    { field: '/student', code: 'platform.belongs-elsewhere' },
  ])
  expect((await hod!.send('POST', ADMISSIONS, { data })).statusCode).toBe(403)
  const wrong = await ma!.send('POST', ADMISSIONS, { data: { ...data, al_index_no: '26044' } })
  expect(wrong.json().errors).toMatchObject([{ field: '/al_index_no' }])
  // Postgraduates are admitted by a degree, and have no A/L to enter.
  const byDegree = await ma!.send('POST', ADMISSIONS, {
    data: { ...data, stream: 'First degree', awarded_by: 'The university' },
  })
  expect(
    byDegree
      .json()
      .errors.map(({ field }: any) => field)
      .toSorted(),
  ).toEqual(['/al_index_no', '/first_degree', '/z_score'])
  const { id } = (await ma!.send('POST', ADMISSIONS, { data })).json()
  const read = async (who: Caller) => (await who.send('GET', `${ADMISSIONS}/${id}`)).json()
  expect((await read(student!)).data).toMatchObject({ al_index_no: '2604471', z_score: 1.1876 })
  expect((await read(hod!)).data).toEqual({
    student: entry,
    al_year: '2024',
    stream: 'Arts',
    admitted_on: '2026-03-02',
  })
  expect((await read(elsewhere!)).code).toBe('platform.not-found')
  expect((await student!.send('POST', ADMISSIONS, { data })).statusCode).toBe(404)
})

test('the admissions of new students are imported, each index number once in a year of the examination', async () => {
  const identities = ['200780123451', '200780123452']
  for (const nic of identities)
    await anItem(database.db, 'platform/student', { status: 'unregistered', data: { nic, reg_no: `NEW/${nic}` } })
  const lines = (...all: [number, string, string][]) => [
    'student,nic,al_index_no,al_year,stream,admitted_on',
    ...all.map(([at, number, year]) => `NEW/${identities[at]},${identities[at]},${number},${year},Arts,2026-03-02`),
  ]
  // The file to fill in names those who have none yet, also before they are registered, by what the import reads.
  const template = async () => {
    const { body } = await welfare!.send('GET', ADMISSIONS.replace('items', 'template.csv'))
    return body.trim().split(/\r?\n/)
  }
  const [head, ...named] = await template()
  expect(head).toMatch(/student,nic,al_index_no/)
  const filled = named.filter((line) => line.startsWith('NEW/')).map((line) => line.split(',')[0])
  expect(filled.toSorted()).toEqual(identities.map((nic) => `NEW/${nic}`))
  const imports = async (...all: [number, string, string][]) =>
    (
      await welfare!.send('POST', ADMISSIONS.replace('items', 'imports'), {
        csv: lines(...all).join('\n'),
        commit: true,
      })
    ).json()
  expect(await imports([0, '2700001', '2024'])).toMatchObject({ errors: [], added: 1 })
  expect((await imports([1, '2700001', '2024'])).errors).toMatchObject([{ column: 'al_index_no' }])
  expect((await imports([1, '2700002', '2099'])).errors).toMatchObject([{ column: 'al_year' }])
  expect(await imports([1, '2700001', '2023'])).toMatchObject({ errors: [] })
  expect((await template()).filter((line) => line.startsWith('NEW/'))).toEqual([])
  const swapped = [lines()[0], `NEW/${identities[0]},${identities[1]},2700009,2024,Arts,2026-03-02`].join('\n')
  const wrong = await welfare!.send('POST', ADMISSIONS.replace('items', 'imports'), { csv: swapped, commit: false })
  expect(wrong.json().errors.map(({ code }: { code: string }) => code)).toContain('platform.import.not-of-entry')
})

test('each office reads of a student what its work needs, and what is sensitive is in the audit trail', async () => {
  const read = async (who: Caller) => (await who.send('GET', `${STUDENTS}/${entry}`)).json()
  expect((await read(ma!)).data).toMatchObject({ mobile_no: '0712004411' })
  expect((await read(hod!)).data).not.toHaveProperty('mobile_no')
  expect((await read(welfare!)).data).not.toHaveProperty('nic')
  expect((await read(elsewhere!)).code).toBe('platform.not-found')
  const noted = await database.db
    .selectFrom('audit_entry')
    .select('actor')
    .where('action', '=', 'register-item.sensitive-read')
    .where('object', '=', `platform/student:${entry}`)
    .execute()
  expect(noted.map(({ actor }) => actor)).toEqual([ma!.id])
})

test('who reads the disabilities of a student is in the audit trail, with the right they read by', async () => {
  const { db } = database
  const another = await anItem(db, 'platform/student', {
    status: 'active',
    data: (await db.selectFrom('register_item').select('data').where('id', '=', entry).executeTakeFirstOrThrow()).data,
  })
  const id = await anItem(db, 'students/particulars', {
    data: { student: another, certificate_name: 'SACHINI', disabilities: 'Uses a wheelchair' },
  })
  const read = async (who: Caller) => (await who.send('GET', `${PARTICULARS}/${id}`)).json()
  const readers = async () => {
    const { rows } = await database.pool.query(
      `select e.actor, e.acted_as, p.payload -> 'fields' as fields
       from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
       where e.object = $1 and e.action = 'register-item.sensitive-read' order by e.at, e.id`,
      [`students/particulars:${id}`],
    )
    return rows
  }
  // Who may not read them is not shown them, and no reading is noted; neither is one by a list.
  expect((await read(hod!)).data).not.toHaveProperty('disabilities')
  expect((await read(elsewhere!)).status).toBe(404)
  expect((await ma!.send('GET', `${PARTICULARS}?search=SACHINI`)).body).not.toContain('wheelchair')
  expect(await readers()).toEqual([])
  expect((await read(ma!)).data).toMatchObject({ disabilities: 'Uses a wheelchair' })
  expect((await read(welfare!)).data).toMatchObject({ disabilities: 'Uses a wheelchair' })
  expect(await readers()).toEqual([
    { actor: ma!.id, acted_as: expect.stringMatching(/^MA@department:/), fields: ['/disabilities'] },
    { actor: welfare!.id, acted_as: 'SSW MA', fields: ['/disabilities'] },
  ])
})

test('a student changes the own telephone number, and nothing else of the entry', async () => {
  const read = async (who: Caller) => (await who.send('GET', `${STUDENTS}/${entry}`)).json()
  const changes = async (who: Caller, more: object) => {
    const { data, version } = await read(student!)
    return who.send('PUT', `${STUDENTS}/${entry}`, { data: { ...data, ...more } }, { 'if-match': `"${version}"` })
  }
  expect((await changes(other!, { mobile_no: '0770000001' })).statusCode).toBe(404)
  expect((await changes(hod!, { mobile_no: '0770000001' })).statusCode).toBe(403)
  expect(await read(student!)).toMatchObject({ mayChange: true, corrects: ['/mobile_no'] })
  expect((await changes(student!, { reg_no: 'MINE' })).json().errors).toMatchObject([
    { field: '/reg_no', code: 'platform.item-fixed' },
  ])
  expect((await changes(student!, { mobile_no: '12' })).json().errors).toMatchObject([{ field: '/mobile_no' }])
  expect((await changes(student!, { mobile_no: '0770000001' })).statusCode).toBe(200)
  expect((await read(student!)).data.mobile_no).toBe('0770000001')
  const [version] = await database.db
    .selectFrom('register_item_version')
    .select('changed_by')
    .where('item_id', '=', entry)
    .orderBy('version', 'desc')
    .limit(1)
    .execute()
  expect(version?.changed_by).toBe(student!.id)
})
