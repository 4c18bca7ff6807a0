import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomUUID } from 'node:crypto'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import rules from '../../api/resource-reservation/resource-booking.rules.ts'
import { type Caller, type TestApp, testApp } from '../platform/kit/app.ts'
import { type TestDatabase, freshDatabase } from '../platform/kit/database.ts'
import { aCase, anItem } from '../platform/kit/rows.ts'

const flow = 'resource-reservation/resource-booking'
let database: TestDatabase
let own: TestApp
let nuwan: Caller, selvi: Caller
beforeAll(async () => {
  database = await freshDatabase()
  own = await testApp(database)
  nuwan = await own.person('nuwan', { role: 'Undergraduate Student' })
  selvi = await own.person('selvi', { role: 'Undergraduate Student' })
})
afterAll(async () => {
  await own.close()
  await database.drop()
})

/** A day without closures: 4 March 2031 is a Tuesday. */
const at = (time: string, day = 4) => `2031-03-0${day}T${time}:00+05:30`
const everyDay = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const open = everyDay.map((day) => ({ day, from: '08:00', until: '18:00' }))

function aResource(name: string, data: object = {}) {
  const resource = {
    name,
    resource_ref_id: name,
    resource_type: TYPE,
    internal_use: true,
    cost_applicable: false,
    ...data,
  }
  return anItem(database.db, 'resource-reservation/resource', { data: resource })
}
const TYPE = randomUUID()

const ask = async (data: object, headers: Record<string, string> = {}, who: Pick<Caller, 'send'> = own) => {
  const answer = await who.send('POST', '/api/public/availability', { flow, data }, headers)
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const hold = (who: Caller, data: object) => who.send('POST', '/api/holds', { flow, data })

test('a resource without desks is free for known members, not for people who claim to be', async () => {
  const data = { name: 'Room', resource_ref_id: 'R', internal_use: true, reservation_required: false }
  const resource = await anItem(database.db, 'resource-reservation/resource', { data })
  const wanted = { resource, from: at('09:00'), until: at('10:00'), association_to_uni: 'current' }
  const approvalNeeded = (roles: string[]) =>
    database.db.transaction().execute(async (trx) => {
      const requester = { id: randomUUID(), roles, confirmed: true, formerMember: false, guest: false }
      const items = new Map([['/resource', { status: 'Active', data }]])
      const { variables } = await rules.derive!({ data: wanted, items, now: new Date(), requester, trx })
      return variables['approvalNeeded']
    })
  expect(await approvalNeeded(['Undergraduate Student'])).toBe(false)
  expect(await approvalNeeded(['Temporary Employee'])).toBe(true)
  expect(await approvalNeeded([])).toBe(true)
})

test('a rule of the resource refuses with one sentence, the same when checking and holding, and offers free times', async () => {
  const hall = await aResource('Hall', { opening_hours: open, seating_capacity: 100 })
  const gallery = await aResource('Gallery', { seating_capacity: 90 })
  const late = { resource: hall, from: at('17:00'), until: at('19:00') }
  const span = (from: string, until: string) => ({
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
  })
  const same = { id: hall, title: 'Hall' }
  expect(await ask(late)).toEqual({
    free: false,
    field: '/from',
    code: 'resource-reservation.closed-then',
    message: 'That is outside the opening hours; open on 04/03/2031: 08:00–18:00. Nearest free:',
    alternatives: [
      { resource: same, ...span(at('16:00'), at('18:00')) },
      { resource: same, ...span(at('14:00'), at('16:00')) },
      { resource: same, ...span(at('12:00'), at('14:00')) },
      { resource: { id: gallery, title: gallery }, from: late.from, until: late.until },
    ],
  })
  const refused = await hold(nuwan, late)
  expect([refused.statusCode, refused.json().errors]).toEqual([
    422,
    [
      {
        field: '/from',
        code: 'resource-reservation.closed-then',
        message: `That is outside the opening hours; open on 04/03/2031: 08:00–18:00. Nearest free: 04/03/2031 16:00–18:00; 04/03/2031 14:00–16:00; 04/03/2031 12:00–14:00; ${gallery}, 04/03/2031 17:00–19:00`,
      },
    ],
  ])
})

test('the sentence is in the requested language', async () => {
  const hall = await aResource('Small hall', { length_max_hours: 2 })
  const long = { resource: hall, from: at('09:00'), until: at('12:00') }
  expect((await ask(long, { 'accept-language': 'si' })).message).toContain('උපරිම වශයෙන් පැය 2 ක්')
  expect((await ask(long, { 'accept-language': 'ta' })).message).toContain('அதிகபட்சம் 2 மணிநேரம்')
})

test('a taken slot is reported in the words of the source, with other times; one’s own hold does not count', async () => {
  const hall = await aResource('Studio', { buffer_after: 30 })
  const slot = { resource: hall, from: at('09:00'), until: at('11:00') }
  expect(await ask(slot)).toEqual({ free: true })
  expect((await hold(nuwan, slot)).statusCode).toBe(201)
  expect(await ask(slot, {}, nuwan)).toEqual({ free: true })
  expect(await ask(slot, {}, selvi)).toMatchObject({
    free: false,
    code: 'resource-reservation.slot-taken',
    message:
      'Time slot you selected is already reserved. Please check the reservation calendar for available time slots',
  })
  const next = { ...slot, from: at('11:00'), until: at('12:00') }
  expect((await hold(selvi, next)).json().code).toBe('resource-reservation.slot-taken')
  const { alternatives } = await ask(next, {}, selvi)
  expect(alternatives[0]).toMatchObject({ from: new Date(at('11:30')).toISOString() })
})

test('the number of upcoming bookings is limited, and no part or lent thing is taken twice', async () => {
  const desks = await aResource('Rooms', { quota_per_person: 1 })
  const caseId = await aCase(database.db, nuwan.id, { flow })
  const claim = {
    item: desks,
    booked: { from: at('09:00'), until: at('10:00') },
    holder: nuwan.id,
    caseId,
    path: '/resource',
  }
  await database.db.transaction().execute((trx) => allocations(trx).claim(claim))
  const another = { resource: desks, from: at('12:00'), until: at('13:00') }
  expect((await hold(nuwan, another)).json().errors[0].code).toBe('resource-reservation.quota-reached')
  expect((await hold(selvi, another)).statusCode).toBe(201)

  const corner = await aResource('Corner', { parent: desks })
  const whole = { resource: desks, from: at('15:00'), until: at('16:00') }
  expect((await hold(selvi, { ...whole, resource: corner })).statusCode).toBe(201)
  expect(await ask(whole)).toMatchObject({ code: 'resource-reservation.part-taken' })
  const taro = await own.person('taro', { role: 'Undergraduate Student' })
  expect((await hold(taro, whole)).json()).toMatchObject({ status: 409, code: 'resource-reservation.part-taken' })

  const microphones = await anItem(database.db, 'resource-reservation/movable-item', { data: { quantity: 4 } })
  const amenities = [{ id: 'mic', type: 'Microphone', quantity: 4, amount: 0, movable_item: microphones }]
  const [one, two] = [await aResource('One', { amenities }), await aResource('Two', { amenities })]
  const wanting = (resource: string, required_quantity: number) => ({
    ...{ resource, from: at('09:00', 6), until: at('10:00', 6) },
    resource_booking_items: [{ resource_item_id: 'mic', required_quantity }],
  })
  const third = await own.person('third', { role: 'Undergraduate Student' })
  expect((await hold(third, wanting(one, 3))).statusCode).toBe(201)
  expect(await ask(wanting(two, 2))).toMatchObject({ code: 'resource-reservation.item-not-available' })
  expect((await hold(taro, wanting(two, 2))).json()).toMatchObject({ code: 'resource-reservation.item-not-available' })
  expect((await hold(taro, wanting(two, 1))).statusCode).toBe(201)
})

test('a part is closed when its whole is, also as an alternative', async () => {
  const type = randomUUID()
  const house = await aResource('House', { opening_hours: open })
  const floor = await aResource('Floor', { parent: house })
  const room = await aResource('Room', { parent: floor.toUpperCase(), resource_type: type })
  const shed = await aResource('Shed', { resource_type: type })
  const late = { resource: room, from: at('17:00'), until: at('19:00') }
  expect((await hold(nuwan, late)).json().errors[0].code).toBe('resource-reservation.closed-then')
  expect((await ask(late)).alternatives).toMatchObject([
    { from: new Date(at('16:00')).toISOString() },
    {},
    {},
    { resource: { id: shed } },
  ])
  const closed = { ...late, resource: shed, from: at('17:00', 5), until: at('19:00', 5) }
  await database.db.updateTable('register_item').set({ status: 'Under Maintenance' }).where('id', '=', shed).execute()
  const { alternatives } = await ask(closed)
  expect(alternatives.map(({ resource }: { resource: { id: string } }) => resource.id)).not.toContain(room)
})

test('the times of several resources come in one answer, without hidden ones', async () => {
  const [left, right] = [await aResource('Left'), await aResource('Right')]
  for (const [who, resource] of [
    [await own.person('l', { role: 'Undergraduate Student' }), left],
    [await own.person('r', { role: 'Undergraduate Student' }), right],
  ] as const)
    expect((await hold(who, { resource, from: at('09:00'), until: at('10:00') })).statusCode).toBe(201)
  const span = 'from=2031-03-01T00:00:00Z&until=2031-03-30T00:00:00Z'
  const answer = await own.send('GET', `/api/public/allocations?items=${left},${right}&${span}`)
  expect(
    answer
      .json()
      .items.map(({ item }: { item: string }) => item)
      .toSorted(),
  ).toEqual([left, right].toSorted())
  const hidden = await aResource('Hidden', { internal_use: false })
  expect((await own.send('GET', `/api/public/allocations?items=${left},${hidden}&${span}`)).statusCode).toBe(404)
})

test('a resource cannot be part of itself, nor fewer things exist than are lent', async () => {
  const admin = await own.person('admin', { role: 'ADMIN' })
  const faculty = await anItem(database.db, 'platform/faculty')
  const microphones = await anItem(database.db, 'resource-reservation/movable-item')
  const path = `/api/registers/resource-reservation/movable-item/items/${microphones}`
  const put = (quantity: number, version: number) =>
    admin.send('PUT', path, { data: { name: 'Mic', quantity, amount: 0, faculty } }, { 'if-match': `"${version}"` })
  expect((await put(3, 1)).statusCode).toBe(200)
  await database.db.transaction().execute((trx) =>
    allocations(trx).hold({
      ...{ item: faculty, booked: { from: at('09:00'), until: at('10:00') }, holder: admin.id },
      lent: [{ item: microphones, quantity: 3 }],
    }),
  )
  const refused = await put(2, 2)
  expect([refused.statusCode, refused.json().errors]).toMatchObject([
    422,
    [{ field: '/quantity', code: 'platform.item-quantity-lent' }],
  ])
})
