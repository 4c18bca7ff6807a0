import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { type Caller, type TestApp, testApp } from './kit/app.ts'
import { type TestDatabase, freshDatabase } from './kit/database.ts'
import { anItem } from './kit/rows.ts'

const items = '/api/registers/platform/faculty/items'
let database: TestDatabase
let own: TestApp
let admin: Caller
let lecturer: Caller
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  admin = await own.person('admin', { role: 'ADMIN' })
  lecturer = await own.person('lecturer', { role: 'Lecturer' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

const aFaculty = () => ({ name: `Faculty ${randomUUID()}`, code: `F${randomUUID().slice(0, 4).toUpperCase()}` })

test('a register that does not exist is not found', async () => {
  for (const url of [
    '/api/registers/platform/nothing',
    '/api/registers/platform/nothing/items',
    '/api/public/registers/a/b/items',
  ])
    expect((await admin.send('GET', url)).json().code).toBe('platform.not-found')
})

test('who may see but not change is told so', async () => {
  const answer = await lecturer.send('POST', items, { data: aFaculty() })
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'platform.not-allowed'])
})

test('wrong fields are named with what is wrong with them', async () => {
  const answer = await admin.send('POST', items, { data: { name: '', colour: 'red' } })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({ code: 'platform.form-invalid', title: 'Please correct the marked fields' })
  expect(answer.json().errors).toEqual(
    expect.arrayContaining([
      { field: '/name', code: 'platform.field-required', message: 'This field is required' },
      { field: '/colour', code: 'platform.check-additionalProperties', message: 'There is no such field' },
    ]),
  )
})

test('an item is made, read, changed on the version one knows, and deactivated', async () => {
  const data = aFaculty()
  const made = await admin.send('POST', items, { data })
  expect([made.statusCode, made.headers['etag']]).toEqual([201, '"1"'])
  const url = made.headers['location'] as string
  expect(made.json()).toMatchObject({ version: 1, status: 'Active', title: data.name, data, mayChange: true })

  const read = await lecturer.send('GET', url)
  expect(read.json()).toMatchObject({ data, mayChange: false })
  expect((await lecturer.send('GET', url, undefined, { 'if-none-match': '"1"' })).statusCode).toBe(304)

  const changed = { ...data, name: `${data.name} and Arts` }
  expect((await admin.send('PUT', url, { data: changed })).json().code).toBe('platform.version-wanted')
  expect((await admin.send('PUT', url, { data: changed }, { 'if-match': 'one' })).statusCode).toBe(400)
  expect((await admin.send('PUT', url, { data: changed }, { 'if-match': '"1"' })).json()).toMatchObject({
    version: 2,
    data: changed,
  })
  const late = await admin.send('PUT', url, { data }, { 'if-match': '"1"' })
  expect([late.statusCode, late.json().code]).toEqual([412, 'platform.changed-meanwhile'])

  expect((await lecturer.send('POST', `${url}/status`, { status: 'Inactive' })).statusCode).toBe(403)
  expect((await admin.send('POST', `${url}/status`, { status: 'Gone' })).json().errors[0].field).toBe('/status')
  expect((await admin.send('POST', `${url}/status`, { status: 'Inactive' })).json()).toMatchObject({
    version: 3,
    status: 'Inactive',
  })
})

test('of two changes on one version at once one is refused', async () => {
  const made = await admin.send('POST', items, { data: aFaculty() })
  const change = () =>
    admin.send('PUT', made.headers['location'] as string, { data: aFaculty() }, { 'if-match': '"1"' })
  const answers = await Promise.all([change(), change(), change()])
  expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([200, 412, 412])
})

test('the head of a department changes what belongs to it and nothing else', async () => {
  const [music, painting] = [
    await anItem(database.db, 'platform/department'),
    await anItem(database.db, 'platform/department'),
  ]
  const head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: music } })
  const hall = await anItem(database.db, 'resource-reservation/resource', {
    data: { name: 'Hall', department: painting },
  })
  const answer = await head.send(
    'PUT',
    `/api/registers/resource-reservation/resource/items/${hall}`,
    { data: {} },
    { 'if-match': '"1"' },
  )
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'platform.not-allowed'])
  const mine = await head.send('POST', '/api/registers/resource-reservation/resource/items', {
    data: { department: music },
  })
  expect(mine.statusCode).toBe(422) // allowed, but not yet a whole resource
})

test('visitors see the public fields of public items, page by page', async () => {
  for (let n = 0; n < 3; n++)
    await anItem(database.db, 'resource-reservation/resource', {
      data: { name: `Open ${n}`, internal_use: true, contact_no: '0112345678' },
    })
  const closed = await anItem(database.db, 'resource-reservation/resource', {
    data: { name: 'Closed', internal_use: false },
  })
  const list = '/api/public/registers/resource-reservation/resource/items'
  const first = (await own.send('GET', `${list}?search=open&limit=2`)).json()
  expect([first.items.length, first.count]).toEqual([2, { value: 3, more: false }])
  expect(first.items[0].data).toEqual({ name: expect.stringMatching('Open'), internal_use: true })
  const second = (await own.send('GET', `${list}?search=open&limit=2&cursor=${first.next}`)).json()
  expect([second.items.length, second.next]).toEqual([1, null])
  expect((await own.send('GET', `${list}/${closed}`)).statusCode).toBe(404)
  expect((await own.send('GET', `${list}/${first.items[0].id}`)).json().data).not.toHaveProperty('contact_no')
  const filtered = await own.send('GET', `${list}?filter.contact_no=0112345678`)
  expect([filtered.statusCode, filtered.json().code]).toEqual([400, 'platform.filter-unknown'])
})

test('holidays are public, in order and within the days asked for', async () => {
  for (const [date, name] of [
    ['2027-05-01', 'May Day'],
    ['2027-02-04', 'Independence Day'],
    ['2026-12-25', 'Christmas'],
  ] as const)
    await anItem(database.db, 'platform/holiday', { data: { date, name, kind: 'Public' } })
  const answer = await own.send('GET', '/api/public/holidays?from=2027-01-01&until=2027-05-01')
  expect(answer.json().items.map((one: { name: string }) => one.name)).toEqual(['Independence Day', 'May Day'])
})
