import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Kysely } from 'kysely'
import { up } from '../../api/platform/kernel/db/migrations/0078-years-of-intakes.ts'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const INTAKES = '/api/registers/intakes/intake/items'
const YEARS = 'year-renewals/academic-year'

let database: TestDatabase
let own: TestApp
let affairs: Caller
let year: string
let formerYear: string

beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  affairs = await own.person('affairs', { role: 'SA' })
  const days = (n: number) => ({ name: String(n), starts_on: `${n}-01-05`, ends_on: `${n}-12-18` })
  year = await anItem(database.db, YEARS, { data: days(2027) })
  formerYear = await anItem(database.db, YEARS, { data: days(2026), status: 'Inactive' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

let made = 0
const anIntake = (more: object = {}) => ({
  ...{ name: `I ${(made += 1)}`, academic_year: year, starts_on: '2027-01-05' },
  ...{ registration_from: '2026-12-07', registration_until: '2026-12-18' },
  ...more,
})
const added = async (data: object): Promise<any> => (await affairs.send('POST', INTAKES, { data })).json()
const without = (name: string) => ({ [name]: undefined })
const REQUIRED = 'platform.field-required'

/** What is wrong, the field with its error, or nothing. */
const REFUSALS: [string, object, [string, string][]][] = [
  ['no name', without('name'), [['/name', REQUIRED]]],
  ['an empty name', { name: '' }, [['/name', REQUIRED]]],
  ['a long name', { name: 'x'.repeat(21) }, [['/name', 'platform.check-maxLength']]],
  ['no academic year', without('academic_year'), [['/academic_year', REQUIRED]]],
  ['words for the year', { academic_year: '2027' }, [['/academic_year', REQUIRED]]],
  ['no first day', without('starts_on'), [['/starts_on', REQUIRED]]],
  ['a day that there is not', { starts_on: '2027-02-30' }, [['/starts_on', 'platform.check-format']]],
  ['registration without its end', without('registration_until'), [['/registration_until', REQUIRED]]],
  ['registration without its beginning', without('registration_from'), [['/registration_from', REQUIRED]]],
  [
    'registration that ends before it begins',
    { registration_until: '2026-12-06' },
    [['/registration_until', 'platform.check-x-not-before']],
  ],
  ['a long note', { note: 'x'.repeat(2001) }, [['/note', 'platform.check-maxLength']]],
  ['a field of nobody', { level: 'First' }, [['/level', 'platform.check-additionalProperties']]],
]

test.each(REFUSALS)('an intake with %s is neither created nor changed so', async (_, wrong, expected) => {
  const wrongAt = ({ errors }: any) => (errors ?? []).map(({ field, code }: any) => [field, code])
  expect(wrongAt(await added(anIntake(wrong)))).toEqual(expected)
  const there = await added(anIntake())
  const put = async (data: object) =>
    (await affairs.send('PUT', `${INTAKES}/${there.id}`, { data }, { 'if-match': `"${there.version}"` })).json()
  expect(wrongAt(await put({ ...there.data, ...wrong }))).toEqual(expected)
  const now = (await affairs.send('GET', `${INTAKES}/${there.id}`)).json()
  expect(now).toMatchObject({ version: there.version, data: there.data })
  // The same day is right.
  const right = await put({ ...there.data, registration_until: '2026-12-07' })
  expect(right).toMatchObject({ version: there.version + 1, data: { registration_until: '2026-12-07' } })
})

test('a name is of one intake, an academic year is one of its register, which may be over', async () => {
  const { data } = await added(anIntake())
  const again = await added(anIntake({ name: ` ${data.name.toLowerCase()} ` }))
  expect(again.errors).toMatchObject([{ field: '/name', code: 'platform.value-taken' }])
  const elsewhere = await anItem(database.db, 'platform/faculty')
  const none = await added(anIntake({ academic_year: elsewhere }))
  expect(none.errors).toMatchObject([{ field: '/academic_year', code: 'platform.item-unknown' }])
  const former = await added(anIntake({ academic_year: formerYear }))
  expect(former.status).toBe('Active')
  const listed = (await affairs.send('GET', `${INTAKES}?filter.academic_year=${formerYear}`)).json()
  expect(listed.items.map(({ id }: any) => id)).toEqual([former.id])
  expect(listed.titles[formerYear]).toBe(formerYear)
})

test('only administrators, student affairs and the IT unit write intakes, each on the version they read', async () => {
  const faculty = await anItem(database.db, 'platform/faculty')
  for (const role of ['MA', 'SSW MA', 'Registrar', 'Lecturer', 'Undergraduate Student']) {
    const grant = role === 'MA' ? { role, scope: { kind: 'faculty', id: faculty } } : { role }
    const person = await own.person(`no ${role}`.toLowerCase().replaceAll(' ', '.'), grant)
    const { statusCode } = await person.send('POST', INTAKES, { data: anIntake() })
    expect([role, statusCode]).toEqual([role, 403])
  }
  const { id, version, data } = await added(anIntake())
  const head = await own.person('head', { role: 'SSW AR' })
  const change = (note: string) =>
    head.send('PUT', `${INTAKES}/${id}`, { data: { ...data, note } }, { 'if-match': `"${version}"` })
  expect((await change('First')).statusCode).toBe(200)
  expect((await change('Second')).json()).toMatchObject({ status: 412 })
  expect((await affairs.send('POST', `${INTAKES}/${id}/status`, { status: 'Closed' })).json().status).toBe(422)
  expect((await affairs.send('GET', `${INTAKES}/${id}`)).json()).toMatchObject({ data: { note: 'First' } })
})

test('the database keeps no registration that ends before it begins', async () => {
  const { id } = await added(anIntake())
  const ends = (on: string) =>
    database.owner.pool.query(
      `update app.register_item set data = data || jsonb_build_object('registration_until', $2::text) where id = $1`,
      [id, on],
    )
  await expect(ends('2026-12-06')).rejects.toThrow('item_within_bounds')
  await ends('2026-12-07')
})

test('intakes of before get the academic year they begin in, if the register has one, and say so in a version', async () => {
  const older = (starts_on: string) => anItem(database.db, 'intakes/intake', { data: { name: starts_on, starts_on } })
  const [within, before] = [await older('2027-02-01'), await older('2021-02-01')]
  for (const each of [within, before])
    await database.db
      .insertInto('register_item_version')
      .values({ item_id: each, version: 1, status: 'Active', data: '{}' })
      .execute()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a migration knows no tables
  await up(database.owner.db as unknown as Kysely<unknown>)
  const read = async (id: string) => (await affairs.send('GET', `${INTAKES}/${id}`)).json()
  expect(await read(within)).toMatchObject({ version: 2, data: { academic_year: year } })
  const first = await read(before)
  expect(first).toMatchObject({ version: 1, data: { starts_on: '2021-02-01' } })
  expect(first.data).not.toHaveProperty('academic_year')
  const { rows } = await database.pool.query(
    `select v.data ->> 'academic_year' as year, r.target_id as target from register_item_version v
       join register_reference r on r.item_id = v.item_id and r.path = '/academic_year'
       where v.item_id = $1 and v.version = 2`,
    [within],
  )
  expect(rows).toEqual([{ year, target: year }])
  // Such an intake also keeps its days in order.
  const days = { registration_from: '2021-01-09', registration_until: '2021-01-08' }
  const written = database.owner.pool.query(`update app.register_item set data = data || $2 where id = $1`, [
    before,
    days,
  ])
  await expect(written).rejects.toThrow('item_within_bounds')
})
