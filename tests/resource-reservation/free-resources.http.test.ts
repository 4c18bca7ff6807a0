import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { anItem } from '../platform/kit/rows.ts'

const RESOURCE = 'resource-reservation/resource'
const TYPE = randomUUID()
let database: TestDatabase
let own: TestApp
let head: Caller, student: Caller
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  head = await own.person('head', { role: 'HOD', scope: { kind: 'department', id: randomUUID() } })
  student = await own.person('nuwan', { role: 'Undergraduate Student' })
})
afterAll(async () => {
  await own?.close()
  await database?.drop()
})

const aResource = (data: object = {}, status = 'Active') =>
  anItem(database.db, RESOURCE, {
    status,
    data: { resource_ref_id: 'R', resource_type: TYPE, internal_use: true, cost_applicable: false, ...data },
  })

/** 4 March 2031 is a Tuesday. */
const at = (time: string) => `2031-03-04T${time}:00+05:30`
const ask = (who: Caller, from: string, until: string, more: Record<string, string> = {}) =>
  who.send(
    'GET',
    `/api/resource-reservation/available?${new URLSearchParams({ from: at(from), until: at(until), ...more })}`,
  )

test('staff see for every resource whether it may be booked then: by its hours, closures, parts and buffers', async () => {
  const morning = [{ day: 'tuesday', from: '08:00', until: '12:00' }]
  const blackouts = [{ from: at('06:00'), until: at('20:00'), reason: 'Painted' }]
  const [free, late, painted, whole] = await Promise.all([
    aResource(),
    aResource({ opening_hours: morning }),
    aResource({ blackouts }),
    aResource(),
  ])
  const part = await aResource({ parent: whole, buffer_after: 60 })
  await Promise.all([
    aResource({}, 'Inactive'),
    aResource({ internal_use: false }),
    aResource({ resource_type: undefined }),
  ])
  const held = {
    flow: 'resource-reservation/resource-booking',
    data: { resource: part, from: at('11:00'), until: at('13:00') },
  }
  expect((await student.send('POST', '/api/holds', held)).statusCode).toBe(201)

  const told = async (from: string, until: string) => {
    const { items, more } = (await ask(head, from, until, { type: TYPE })).json()
    expect(more).toBe(false)
    return Object.fromEntries(
      (items as { id: string; refused: { message: string } | null; taken: object[] }[]).map((one) => [
        one.id,
        [one.refused?.message ?? 'free', one.taken.length],
      ]),
    )
  }
  expect(await told('13:30', '14:30')).toEqual({
    [free]: ['free', 0],
    [late]: ['Outside the opening hours; open on 04/03/2031: 08:00–12:00', 0],
    [painted]: ['Closed 04/03/2031 06:00–20:00: Painted', 0],
    [whole]: [`A part of it, ${part}, is already reserved`, 1],
    [part]: ['Already reserved', 1],
  })
  expect(await told('14:00', '15:00')).toMatchObject({ [whole]: ['free', 0], [part]: ['free', 0] })
  expect((await ask(head, '15:00', '14:00')).json()).toMatchObject({ errors: [{ code: 'platform.span-empty' }] })
  expect((await ask(student, '14:00', '15:00')).statusCode).toBe(403)
})

test('an amenity gets its id from the register and keeps it', async () => {
  const admin = await own.person('admin', { role: 'ADMIN' })
  const department = await anItem(database.db, 'platform/department')
  const type = await anItem(database.db, 'resource-reservation/resource-type')
  const chairs = { type: 'Chairs', quantity: 10, amount: 0 }
  const data = {
    ...{ name: 'Hall', resource_ref_id: 'H', resource_type: type, department, internal_use: true },
    ...{ cost_applicable: false, amenities: [chairs] },
  }
  const path = `/api/registers/${RESOURCE}/items`
  const made = (await admin.send('POST', path, { data })).json()
  const [first] = made.data.amenities
  expect(first).toEqual({ ...chairs, id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  const amenities = [{ ...chairs, type: 'Tables' }, first]
  const changed = await admin.send(
    'PUT',
    `${path}/${made.id}`,
    { data: { ...made.data, amenities } },
    { 'if-match': `"${made.version}"` },
  )
  expect(changed.json().data.amenities[1]).toEqual(first)
  expect(changed.json().data.amenities[0].id).not.toBe(first.id)
})
