import { beforeAll, expect, test } from '@jest/globals'
import { vehicleReservation } from '../../processes/vehicles/vehicle-reservation.generated.ts'
import { clock, idle } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner, whileLocked } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { PIXEL, uploads } from '../platform/kit/uploads.ts'
import { until } from '../platform/kit/poll.ts'

const { flow: FLOW, desks } = vehicleReservation

let lecturer: Person, head: Person, assistant: Person, registrar: Person, vc: Person, transport: Person
let driver: Person, other: Person
beforeAll(async () => {
  ;[lecturer, head, assistant, registrar, vc, transport, driver, other] = await Promise.all([
    as('lecturer.perera'),
    as('hod.western-music'),
    as('transport.ma'),
    as('registrar'),
    as('vc'),
    as('transport.head'),
    as('driver.sunil'),
    as('driver.rizwan'),
  ])
})

async function entry(register: string, search: string): Promise<string> {
  const { items } = await transport.get(`/api/registers/vehicles/${register}/items?search=${search}`)
  return items[0].id
}

/** Days from which the trips count, so that this file can run again on the same product. */
const LATER = Math.floor(Math.random() * 80)
const at = (days: number, hour: string) => `${day(days + LATER)}T${hour}:00+05:30`

async function aTrip(from: string, back: string, more: object = {}) {
  return {
    cost_centre: await entry('cost-centre', 'CC-WM'),
    purpose: 'Rehearsal',
    from,
    until: back,
    from_place: 'Colombo 07',
    to_place: 'Ratmalana',
    outside: 'no',
    kilometres: 30,
    passengers: 6,
    contact: '0714420931',
    ...more,
  }
}

/** A usual trip that waits for vehicle and driver. */
async function recommended(from: string, back: string, more: object = {}): Promise<Case> {
  const trip = await lecturer.submit(FLOW, await aTrip(from, back, more))
  await head.decides(trip, 'approve')
  await assistant.decides(trip, 'recommend')
  await registrar.decides(trip, 'approve')
  return trip
}

async function van(): Promise<{ vehicle: string; driver: string }> {
  return { vehicle: await entry('vehicle', 'PH-4471'), driver: await entry('crew', 'Sunil') }
}

/** Asks for a cancellation as soon as the case waits for it. */
function cancels(of: Case, reason: string): Promise<unknown> {
  return until(`the cancellation of ${of.reference}`, async () => {
    const { status } = await lecturer.send('POST', `/api/cases/${of.id}/acts/cancel`, { data: { reason } })
    return status < 300
  })
}

async function meterOf(number: string): Promise<number> {
  const { items } = await transport.get(`/api/registers/vehicles/vehicle/items?search=${number}`)
  return items[0].data.meter
}

async function tripOf(of: Case): Promise<any> {
  const { items } = await transport.get(`/api/registers/vehicles/trip/items?search=${of.reference}`)
  return items[0]
}

/** Lets a trip be today, and says when its vehicle left and was back: just now, later than all charts before. */
async function driven(of: Case): Promise<{ left_at: string; back_at: string }> {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const { id } = await tripOf(of)
  const times = `update app.register_item set data = data || jsonb_build_object('from', $2::text, 'until', $3::text) where id = $1`
  await asOwner(times, [id, ago(60), ago(-60)])
  return { left_at: ago(0.05), back_at: ago(0) }
}

test('a trip gets a free vehicle and driver, is driven, charted and signed', async () => {
  await expect(lecturer.submit(FLOW, await aTrip(`${day(0)}T00:10:00+05:30`, at(30, '09:00')))).rejects.toThrow('/from')
  const [trip, same] = [
    await recommended(at(40, '08:00'), at(40, '12:00')),
    await recommended(at(40, '12:15'), at(40, '13:00')),
  ]
  await expectCase(trip).toBe('recommended_by_registrar')
  const picked = await van()
  const assign = (of: Case, more: object) => transport.decides(of, 'assign', more, desks.assign)
  await expect(assign(trip, { ...picked, vehicle: await entry('vehicle', 'LK-1182') })).rejects.toThrow('/vehicle')
  await expect(assign(trip, { ...picked, vehicle: await entry('vehicle', 'CAB-7781') })).rejects.toThrow(
    'Seats left: 4',
  )
  await expect(assign(trip, { ...picked, driver: await entry('crew', 'Premasiri') })).rejects.toThrow('do not drive')
  await assign(trip, picked)
  await expectCase(trip).toBe('reserved_vehicle')
  await expectMail(lecturer).about('vehicles.mail.reserved', trip)
  expect(await tripOf(trip)).toMatchObject({ status: 'Planned', data: { vehicle: picked.vehicle, passengers: 6 } })

  const { id: open } = await transport.task(same, desks.assign)
  const whyNot = (await transport.get(`/api/tasks/${open}`)).unavailable
  expect(whyNot).toContainEqual(
    expect.objectContaining({
      field: '/vehicle',
      item: picked.vehicle,
      why: expect.stringContaining('another trip'),
      suits: false,
    }),
  )
  // Half an hour is kept free before and after each trip.
  await expect(assign(same, picked)).rejects.toThrow('vehicle has another trip')
  const rosa = await entry('vehicle', 'ND-5517')
  await expect(assign(same, { ...picked, vehicle: rosa })).rejects.toThrow('driver has another trip')
  await assign(same, { vehicle: rosa, driver: await entry('crew', 'Rizwan') })
  await expectCase(same).toBe('reserved_vehicle')

  await clock.passes(`P${41 + LATER}D`, trip)
  const meter = await meterOf('PH-4471')
  const chart = { meter_out: meter + 10, meter_in: meter + 42, ...(await driven(trip)) }
  // It is offered to the driver of the trip, and to the office; to no other driver.
  const { id: task } = await driver.task(trip, desks.keepChart)
  expect((await assistant.task(trip, desks.keepChart)).id).toBe(task)
  const [waits] = (await lecturer.get(`/api/cases/${trip.id}`)).waitsWith
  expect(waits.principals.toSorted()).toEqual(['Transport Head', 'Transport MA', 'the driver of the trip'])
  expect((await driver.get(`/api/tasks/${task}/why`)).role).toBe('the driver of the trip')
  const strange = await other.send('POST', `/api/tasks/${task}/complete`, { data: { outcome: 'made', ...chart } })
  expect(strange.status).toBe(404)
  await expect(driver.decides(trip, 'made', { ...chart, meter_out: meter - 1 }, desks.keepChart)).rejects.toThrow(
    `showed ${meter}`,
  )
  const [early, late, tomorrow] = [day(-2), day(2), day(1)].map((on) => `${on}T08:00:00+05:30`)
  const keeps = (times: object) => driver.decides(trip, 'made', { ...chart, ...times }, desks.keepChart)
  await expect(keeps({ left_at: early })).rejects.toThrow('vehicles.left-at-another-time')
  await expect(keeps({ left_at: tomorrow, back_at: late })).rejects.toThrow('x-not-future')
  await expect(keeps({ back_at: tomorrow })).rejects.toThrow('platform.check-x-not-future')
  await expect(keeps({ left_at: chart.back_at, back_at: chart.left_at })).rejects.toThrow('/back_at')
  await driver.decides(trip, 'made', { ...chart, fuel_litres: 12 }, desks.keepChart)
  await expectMail(lecturer).about('vehicles.mail.sign', trip)
  await lecturer.decides(trip, 'sign', {}, desks.sign)
  await expectEnded(trip)
  expect(await tripOf(trip)).toMatchObject({ status: 'Made' })
  const { facts } = await lecturer.get(`/api/cases/${trip.id}`)
  expect(facts).toMatchObject({ kilometresDriven: 32 })
  expect(await meterOf('PH-4471')).toBe(meter + 42)

  // Who drove reads the chart, other drivers do not.
  const [kept] = (await transport.get(`/api/registers/vehicles/chart/items?search=${trip.reference}`)).items
  for (const wrong of [{ back_at: early }, { meter_in: meter + 10 }]) {
    const written = asOwner(`update app.register_item set data = data || $2 where id = $1`, [kept.id, wrong])
    await expect(written).rejects.toThrow('item_within_bounds')
  }
  const reads = async (by: Person) => [
    (await by.send('GET', `/api/registers/vehicles/chart/items/${kept.id}`)).status,
    (await by.get('/api/registers/vehicles/chart/items?limit=100')).items.some(({ id }: any) => id === kept.id),
  ]
  expect([await reads(transport), await reads(driver), await reads(other)]).toEqual([
    [200, true],
    [200, true],
    [404, false],
  ])
})

test('a decision that is taken back frees vehicle and driver again', async () => {
  const [first, second] = [
    await recommended(at(50, '08:00'), at(50, '12:00')),
    await recommended(at(50, '09:00'), at(50, '11:00')),
  ]
  const picked = await van()
  const { id } = await transport.task(first, desks.assign)
  const notBefore = new Date(Date.now() + 30_000).toISOString()
  await transport.ok('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'assign', ...picked }, notBefore })
  await expect(transport.decides(second, 'assign', picked)).rejects.toThrow('vehicle has another trip')
  await transport.ok('POST', `/api/tasks/${id}/undo`)
  await transport.decides(second, 'assign', picked)
  await expectCase(second).toBe('reserved_vehicle')
  await expect(transport.decides(first, 'assign', picked)).rejects.toThrow('vehicle has another trip')
})

test('a trip that leaves the province needs the Vice Chancellor, and waits while no vehicle is free', async () => {
  const far = await lecturer.submit(FLOW, await aTrip(at(60, '05:00'), at(62, '20:00'), { outside: 'yes' }))
  await head.decides(far, 'approve')
  await expect(assistant.decides(far, 'recommend')).rejects.toThrow('special trip')
  await assistant.decides(far, 'wait', { reason: 'Both buses are away' })
  await expectCase(far).toBe('Waiting_for_recommendation')
  await assistant.decides(far, 'special', {}, desks.waitForVehicle)
  await registrar.decides(far, 'approve', {}, desks.approveSpecialByRegistrar)
  await vc.decides(far, 'approve')
  await expectCase(far).toBe('approved_by_vc')
  await transport.decides(far, 'none-free', { reason: 'The bus broke down' })
  await expectCase(far).toBe('Waiting_for_recommendation')
  await lecturer.withdraws(far)
  await expectEnded(far)
  await expectCase(far).toBe('cancel')
})

test('others go along while there is room, and lead the trip once its first reservation is cancelled', async () => {
  const [first, second, third] = [
    await recommended(at(70, '08:00'), at(70, '12:00'), { passengers: 6 }),
    await recommended(at(70, '08:30'), at(70, '12:00'), { passengers: 5, purpose: 'Concert' }),
    await recommended(at(70, '09:00'), at(70, '11:00'), { passengers: 4 }),
  ]
  const picked = await van()
  await transport.decides(first, 'assign', picked)
  const { id: trip } = await until('the trip', () => tripOf(first))
  await transport.decides(second, 'join', { trip })
  await expectCase(second).toBe('reserved_vehicle')
  await expect(transport.decides(third, 'join', { trip })).rejects.toThrow('Seats left: 1')

  await cancels(first, 'Postponed')
  await expectCase(first).toBe('request_cancelation')
  await transport.decides(first, 'reject', { reason: 'Others travel too' })
  await expectCase(first).toBe('rejected_cancelation')
  await cancels(first, 'Postponed')
  await transport.decides(first, 'accept')
  await expectEnded(first)
  await expectCase(first).toBe('accepted_cancelation')
  const led = { passengers: 5, riders: [], purpose: 'Concert', from: at(70, '08:30') }
  expect(await tripOf(second)).toMatchObject({ id: trip, status: 'Planned', data: led })
  await expectMail(lecturer).about('vehicles.mail.leads-trip', second)
  expect((await lecturer.get(`/api/cases/${second.id}`)).facts.takenAlong).toBeNull()
  await expect(transport.decides(third, 'assign', picked)).rejects.toThrow('vehicle has another trip')
  await cancels(second, 'Postponed as well')
  await transport.decides(second, 'accept')
  await expectEnded(second)
  await transport.decides(third, 'assign', picked)
  await expectCase(third).toBe('reserved_vehicle')
})

test('a trip is handed over only to one that has not begun, and one that is not made is told to those who go along', async () => {
  const [first, second, longer, third] = await Promise.all([
    recommended(at(90, '08:00'), at(90, '12:00'), { passengers: 2 }),
    recommended(at(90, '08:30'), at(90, '12:00'), { passengers: 2 }),
    recommended(at(90, '11:30'), at(90, '18:00'), { passengers: 2 }),
    recommended(at(90, '09:00'), at(90, '11:00'), { passengers: 2 }),
  ])
  const picked = await van()
  await transport.decides(first, 'assign', picked)
  const { id: trip } = await until('the trip', () => tripOf(first))
  await expect(transport.decides(longer, 'join', { trip })).rejects.toThrow('/trip')
  await transport.decides(second, 'join', { trip })
  await expectCase(second).toBe('reserved_vehicle')
  await transport.decides(third, 'join', { trip })
  await expectCase(third).toBe('reserved_vehicle')
  // The second has ended already, so the third leads the trip.
  await clock.passes(`P${91 + LATER}D`, second)
  await expectEnded(second)
  await expectCase(second).toBe('reserved_vehicle')
  await cancels(first, 'Postponed')
  await transport.decides(first, 'accept')
  await expectEnded(first)
  expect(await tripOf(third)).toMatchObject({ id: trip, status: 'Planned' })
  await cancels(third, 'Postponed as well')
  await transport.decides(third, 'accept')
  await expectEnded(third)
  await expectMail(lecturer).about('vehicles.mail.trip-gone', second)
  await expectMail(driver).about('vehicles.mail.crew-trip-cancelled', third)

  const [leader, early, late] = await Promise.all([
    recommended(at(91, '08:00'), at(91, '12:00'), { passengers: 2 }),
    recommended(at(91, '09:00'), at(91, '12:00'), { passengers: 2 }),
    recommended(at(91, '10:00'), at(91, '12:00'), { passengers: 2 }),
  ])
  await transport.decides(leader, 'assign', picked)
  const { id: joined } = await until('the trip', () => tripOf(leader))
  for (const rider of [early, late]) {
    await transport.decides(rider, 'join', { trip: joined })
    await expectCase(rider).toBe('reserved_vehicle')
  }
  // Whose cancellation waits for a decision learns it at once too.
  await cancels(late, 'Postponed')
  await transport.task(late, desks.decideCancellation)
  await clock.passes(`P${92 + LATER}D`, leader)
  await driver.decides(leader, 'not-made', { reason: 'The van broke down' }, desks.keepChart)
  await expectEnded(leader)
  for (const rider of [early, late]) {
    await expectEnded(rider)
    await expectCase(rider).toBe('cancel')
    await expectMail(lecturer).about('vehicles.mail.trip-gone', rider)
    const { items } = await lecturer.get('/api/mailbox')
    const told = items.filter((mail: any) => mail.template === 'vehicles.mail.trip-gone' && mail.caseId === rider.id)
    expect(told).toHaveLength(1)
  }
})

test('a chart that is entered cannot be said to be of a trip that was not made', async () => {
  const trip = await recommended(at(95, '08:00'), at(95, '12:00'))
  await transport.decides(trip, 'assign', await van())
  await expectCase(trip).toBe('reserved_vehicle')
  await clock.passes(`P${96 + LATER}D`, trip)
  const meter = await meterOf('PH-4471')
  const times = await driven(trip)
  const made = (more: object) => driver.decides(trip, 'made', { ...times, ...more }, desks.keepChart)
  await expect(made({ meter_out: meter, meter_in: meter + 90_000 })).rejects.toThrow('/meter_in')
  await made({ meter_out: meter, meter_in: meter + 900, fuel_litres: 10 })
  await lecturer.decides(trip, 'differs', { reason: 'It was 90 km' }, desks.sign)
  await expect(driver.decides(trip, 'not-made', { reason: 'Not made after all' }, desks.keepChart)).rejects.toThrow(
    '/outcome',
  )
  await expect(made({ meter_out: meter - 5, meter_in: meter + 90 })).rejects.toThrow('/meter_out')
  await made({ meter_out: meter, meter_in: meter + 90 })
  await lecturer.decides(trip, 'sign', {}, desks.sign)
  await expectEnded(trip)
  expect(await meterOf('PH-4471')).toBe(meter + 90)
  const { items } = await transport.get(`/api/registers/vehicles/chart/items?search=${trip.reference}`)
  expect(items[0].data).toMatchObject({ meter_in: meter + 90 })
  expect(items[0].data).not.toHaveProperty('fuel_litres')
})

test('the office keeps the chart of a driver without an account, and that is no incident', async () => {
  const trip = await recommended(at(98, '08:00'), at(98, '12:00'))
  await transport.decides(trip, 'assign', { ...(await van()), driver: await entry('crew', 'Selvam') })
  await expectCase(trip).toBe('reserved_vehicle')
  await clock.passes(`P${99 + LATER}D`, trip)
  await assistant.task(trip, desks.keepChart)
  const [waits] = (await lecturer.get(`/api/cases/${trip.id}`)).waitsWith
  expect(waits.principals.toSorted()).toEqual(['Transport Head', 'Transport MA'])
  expect(await asOwner(`select message from app.incident where case_id = $1`, [trip.id])).toEqual([])
  await assistant.decides(trip, 'not-made', { reason: 'The van broke down' }, desks.keepChart)
  await expectEnded(trip)
})

test('what a reservation has claimed is free again once it is withdrawn', async () => {
  const picked = await van()
  const [trip, second] = await Promise.all([
    recommended(at(97, '08:00'), at(97, '12:00')),
    recommended(at(97, '08:00'), at(97, '12:00')),
  ])
  // As if the step behind the desk had not run yet.
  await asOwner(
    `insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path)
     select gen_random_uuid(), $2, tstzrange($3, $4), tstzrange($3, $4), 'claimed', requester_id, id, '/vehicle'
     from app.flow_case where id = $1`,
    [trip.id, picked.vehicle, at(97, '08:00'), at(97, '12:00')],
  )
  await expect(transport.decides(second, 'assign', picked)).rejects.toThrow('vehicle has another trip')
  await lecturer.withdraws(trip)
  await expectEnded(trip)
  await transport.decides(second, 'assign', picked)
  await expectCase(second).toBe('reserved_vehicle')
})

test("a head's own request goes on to transport and the Registrar", async () => {
  const trip = await head.submit(FLOW, await aTrip(at(100, '08:00'), at(100, '12:00')))
  await assistant.decides(trip, 'recommend')
  await registrar.decides(trip, 'approve')
  await transport.decides(trip, 'assign', await van())
  await expectCase(trip).toBe('reserved_vehicle')
})

test('after the assignment the transport head changes vehicle and driver, and everybody concerned is told', async () => {
  const [trip, rider, same] = await Promise.all([
    recommended(at(37, '08:00'), at(37, '12:00'), { passengers: 4 }),
    recommended(at(37, '09:00'), at(37, '11:00'), { passengers: 3 }),
    recommended(at(37, '08:00'), at(37, '12:00')),
  ])
  const [picked, rizwan, premasiri] = await Promise.all([van(), entry('crew', 'Rizwan'), entry('crew', 'Premasiri')])
  const [rosa, car, bus] = await Promise.all(['ND-5517', 'CAB-7781', 'NB-8120'].map((name) => entry('vehicle', name)))
  await transport.decides(trip, 'assign', picked)
  await expectMail(driver).about('vehicles.mail.crew-assigned', trip)
  const { id: planned } = await until('the trip', () => tripOf(trip))
  await transport.decides(rider, 'join', { trip: planned })
  await transport.decides(same, 'assign', { vehicle: rosa, driver: rizwan })
  await expectCase(rider).toBe('reserved_vehicle')
  await expectCase(same).toBe('reserved_vehicle')

  const reason = 'The van broke down'
  const changes = (by: Person, of: Case, data: object) =>
    by.send('POST', `/api/cases/${of.id}/acts/reassign`, { data: { ...picked, reason, ...data } })
  const fieldsOf = ({ body }: any) => body.errors?.map(({ field, code }: any) => `${field} ${code}`)
  expect((await changes(lecturer, trip, { vehicle: bus })).status).toBe(403)
  expect(fieldsOf(await changes(transport, trip, {}))).toEqual(['/vehicle vehicles.nothing-changed'])
  // The passengers of those who go along count.
  expect(fieldsOf(await changes(transport, trip, { vehicle: car }))).toEqual(['/vehicle vehicles.too-few-seats'])
  expect(fieldsOf(await changes(transport, trip, { vehicle: rosa }))).toEqual(['/vehicle vehicles.vehicle-taken'])
  expect(fieldsOf(await changes(transport, trip, { driver: rizwan }))).toEqual(['/driver vehicles.driver-taken'])
  expect((await changes(transport, rider, { vehicle: bus })).status).toBe(409)
  expect(await tripOf(trip)).toMatchObject({ data: picked })

  // Before they choose, they see what they cannot choose, and why; what the trip has is none of it.
  const { acts } = await transport.get(`/api/cases/${trip.id}`)
  const { unavailable } = acts.find(({ name }: any) => name === 'reassign')
  const barred = (item?: string) => unavailable.filter((one: any) => one.item === item).map((one: any) => one.field)
  expect([rosa, car, rizwan, premasiri].map(barred)).toEqual([
    ['/vehicle'],
    ['/vehicle'],
    ['/driver', '/helper'],
    ['/driver'],
  ])
  expect([picked.vehicle, picked.driver, bus].map(barred)).toEqual([[], [], []])
  expect((await lecturer.get(`/api/cases/${trip.id}`)).acts.map(({ name }: any) => name)).toEqual(['cancel'])

  // The other trip lets its driver go, so that this one can have both.
  const swap = { driver: await entry('crew', 'Sunil'), vehicle: rosa }
  expect(fieldsOf(await changes(transport, same, swap))).toEqual(['/driver vehicles.driver-taken'])
  await cancels(same, 'Postponed')
  await transport.decides(same, 'accept')
  await expectEnded(same)
  const becomes = { vehicle: rosa, driver: rizwan, helper: premasiri }
  expect((await changes(transport, trip, becomes)).status).toBe(200)
  await until('the other vehicle', async () => (await tripOf(trip)).data.vehicle === rosa)
  expect(await tripOf(trip)).toMatchObject({ id: planned, status: 'Planned', data: becomes })
  const told = { vehicle: expect.stringContaining('ND-5517'), driver: 'Mohamed Rizwan', helper: 'K. Premasiri' }
  for (const one of [trip, rider]) {
    const { body } = await expectMail(lecturer).about('vehicles.mail.trip-changed', one)
    expect(body).toMatch(/ND-5517.*Mohamed Rizwan.*Premasiri/)
    expect(body).toContain(reason)
    expect((await lecturer.get(`/api/cases/${one.id}`)).facts).toMatchObject(told)
  }
  await expectMail(driver).about('vehicles.mail.crew-released', trip)
  await expectMail(other).about('vehicles.mail.crew-assigned', trip)
  // Van and driver are free, the others are taken.
  const next = await recommended(at(37, '08:00'), at(37, '12:00'))
  await expect(transport.decides(next, 'assign', { vehicle: rosa, driver: picked.driver })).rejects.toThrow('/vehicle')
  await transport.decides(next, 'assign', picked)
  await expectCase(next).toBe('reserved_vehicle')

  // Once the trip has begun it can still be changed, until its chart is entered.
  await clock.passes(`P${38 + LATER}D`, trip)
  await other.task(trip, desks.keepChart)
  expect((await changes(transport, trip, { ...becomes, vehicle: bus })).status).toBe(200)
  await until('the bus', async () => (await tripOf(trip)).data.vehicle === bus)
  // Who stays on the trip is told of the other vehicle.
  expect((await expectMail(other).about('vehicles.mail.crew-trip-changed', trip)).body).toContain('NB-8120')
  const meter = await meterOf('NB-8120')
  const chart = { meter_out: meter, meter_in: meter + 40, ...(await driven(trip)) }
  // The chart is offered to who drives now, and to the office; the driver before reads the trip, and writes nothing.
  const { id: task } = await until('the chart of the other driver', () => other.task(trip, desks.keepChart))
  const { status } = await driver.send('POST', `/api/tasks/${task}/complete`, { data: { outcome: 'made', ...chart } })
  expect(status).toBe(404)
  expect((await transport.task(trip, desks.keepChart)).id).toBe(task)
  await other.decides(trip, 'made', chart, desks.keepChart)
  await lecturer.task(trip, desks.sign)
  expect((await changes(transport, trip, becomes)).status).toBe(409)
  expect(await meterOf('NB-8120')).toBe(meter + 40)
})

test('who takes over a trip has its driver rest as long as was reserved, and the driver learns the other times', async () => {
  const [first, second, evening] = await Promise.all([
    recommended(at(45, '06:00'), at(45, '18:00'), { passengers: 2 }),
    recommended(at(45, '09:00'), at(45, '11:00'), { passengers: 2 }),
    recommended(at(45, '19:00'), at(45, '20:00')),
  ])
  const [picked, rizwan, rosa] = await Promise.all([van(), entry('crew', 'Rizwan'), entry('vehicle', 'ND-5517')])
  await transport.decides(first, 'assign', picked)
  const { id: trip } = await until('the trip', () => tripOf(first))
  await transport.decides(second, 'join', { trip })
  await expectCase(second).toBe('reserved_vehicle')
  await cancels(first, 'Postponed')
  await transport.decides(first, 'accept')
  await expectEnded(first)
  await expectMail(driver).about('vehicles.mail.crew-trip-changed', second)
  const data = { ...picked, driver: rizwan, reason: 'Sunil is ill' }
  await transport.ok('POST', `/api/cases/${second.id}/acts/reassign`, { data })
  await until('the other driver', async () => (await tripOf(second)).data.driver === rizwan)
  await expect(transport.decides(evening, 'assign', { vehicle: rosa, driver: rizwan })).rejects.toThrow(
    'driver has another trip',
  )
})

test('a change comes to nothing if more people go along meanwhile, and waits with the chart for each other', async () => {
  const trip = await recommended(at(47, '08:00'), at(47, '12:00'))
  const [{ vehicle: replacement, driver: sunil }, rizwan, rosa] = await Promise.all([
    van(),
    entry('crew', 'Rizwan'),
    entry('vehicle', 'ND-5517'),
  ])
  const picked = { vehicle: rosa, driver: sunil }
  await transport.decides(trip, 'assign', picked)
  await expectCase(trip).toBe('reserved_vehicle')
  const planned = await tripOf(trip)
  const changes = (more: object) =>
    transport.send('POST', `/api/cases/${trip.id}/acts/reassign`, {
      data: { ...picked, reason: 'It broke down', ...more },
    })
  const carrying = `update app.register_item set data = data || jsonb_build_object('passengers', $2::integer) where id = $1`
  await until('the act', async () => {
    const { acts } = await transport.get(`/api/cases/${trip.id}`)
    return acts.some(({ name }: any) => name === 'reassign')
  })
  const status = await whileLocked(
    carrying,
    [planned.id, 90],
    async () => (await changes({ vehicle: replacement })).status,
  )
  expect(status).toBe(200)
  await expectMail(transport).about('vehicles.mail.not-changed', trip)
  expect(await tripOf(trip)).toMatchObject({ data: picked })
  await asOwner(carrying, [planned.id, 6])

  await clock.passes(`P${48 + LATER}D`, trip)
  const { id: task } = await driver.task(trip, desks.keepChart)
  const meter = await meterOf('ND-5517')
  const chart = { meter_out: meter, meter_in: meter + 1, ...(await driven(trip)) }
  const answer = { data: { outcome: 'made', ...chart } }
  // A chart that can still be taken back was written for the vehicle that the trip has.
  const notBefore = new Date(Date.now() + 50_000).toISOString()
  await driver.ok('POST', `/api/tasks/${task}/complete`, { ...answer, notBefore })
  expect((await changes({ driver: rizwan })).status).toBe(409)
  await driver.ok('POST', `/api/tasks/${task}/undo`)
  await driver.ok('POST', `/api/tasks/${task}/claim`)
  // As if the step behind a change had not run yet.
  const [move] = await asOwner<{ id: string }>(
    `insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path, purpose)
     select gen_random_uuid(), $2, tstzrange($3, $4), tstzrange($3, $4), 'claimed', requester_id, id, '/vehicle', 'move'
     from app.flow_case where id = $1 returning id`,
    [trip.id, replacement, at(47, '08:00'), at(47, '12:00')],
  )
  await expect(driver.ok('POST', `/api/tasks/${task}/complete`, answer)).rejects.toThrow('is being entered')
  await asOwner(`update app.allocation set state = 'released' where id = $1`, [move?.id])
  expect((await changes({ driver: rizwan })).status).toBe(200)
  await until('the other driver', async () => (await tripOf(trip)).data.driver === rizwan)
  // The task of the driver who does not go is free again.
  await other.decides(trip, 'not-made', { reason: 'It broke down as well' }, desks.keepChart)
  await expectEnded(trip)
})

test('who drives is asked for the chart, also if the driver changes at the moment when the trip begins', async () => {
  const trip = await recommended(at(46, '08:00'), at(46, '12:00'))
  const [picked, rizwan] = await Promise.all([van(), entry('crew', 'Rizwan')])
  await transport.decides(trip, 'assign', picked)
  await expectCase(trip).toBe('reserved_vehicle')
  const { id: planned } = await until('the trip', () => tripOf(trip))
  // As if the step behind a change had not run yet when the trip begins.
  const [move] = await asOwner<{ id: string }>(
    `insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path, purpose)
     select gen_random_uuid(), $2, tstzrange($3, $4), tstzrange($3, $4), 'claimed', requester_id, id, '/driver', 'move'
     from app.flow_case where id = $1 returning id`,
    [trip.id, rizwan, at(46, '08:00'), at(46, '12:00')],
  )
  await clock.passes(`P${47 + LATER}D`, trip)
  await until('it begins', async () => {
    const open = await asOwner<{ element: string }>(
      `select element from app.activity where case_id = $1 and element in ('serviceTask_beginTrip', 'userTask_keepChart')`,
      [trip.id],
    )
    return open.length > 0
  })
  const drives = `update app.register_item set data = data || jsonb_build_object('driver', $2::text) where id = $1`
  await asOwner(drives, [planned, rizwan])
  await asOwner(`update app.allocation set state = 'released' where id = $1`, [move?.id])
  await other.decides(trip, 'not-made', { reason: 'It broke down' }, desks.keepChart)
  await expectEnded(trip)
})

test('the page of a reservation whose trip is another one can still be read', async () => {
  const trip = await recommended(at(48, '08:00'), at(48, '12:00'))
  await transport.decides(trip, 'assign', await van())
  await expectCase(trip).toBe('reserved_vehicle')
  const led = `update app.register_item set data = data || jsonb_build_object('case_reference', $2::text) where id = $1`
  const { id } = await tripOf(trip)
  await asOwner(led, [id, 'VR-0000-000000'])
  expect((await transport.get(`/api/cases/${trip.id}`)).reference).toBe(trip.reference)
  await asOwner(led, [id, trip.reference])
})

test('of two services that are over, only the newest is said to end', async () => {
  const path = '/api/registers/vehicles/service/items'
  const vehicle = await entry('vehicle', 'LK-1182')
  const serviced = async (ago: number) => {
    const data = { vehicle, serviced_on: day(-ago), meter: 1000, work: 'Oil', garage: 'City Motors', cost: 100_000 }
    return (await assistant.ok('POST', path, { data })).id
  }
  const [former, present] = [await serviced(230), await serviced(200)]
  const endsOf = async (id: string) => (await transport.get(`${path}/${id}`)).ends
  expect([await endsOf(former), await endsOf(present)]).toEqual([undefined, true])
  const { items } = await transport.get(`${path}?limit=100&filter.vehicle=${vehicle}`)
  const ends = new Map(items.map((one: any) => [one.id, one.ends]))
  expect([ends.get(former), ends.get(present)]).toEqual([undefined, true])
})

test('the office finds what is free, what can be joined, and the day on the board', async () => {
  const trip = await recommended(at(80, '08:00'), at(80, '12:00'), { via: 'Galle' })
  await transport.decides(trip, 'assign', await van())
  await expectCase(trip).toBe('reserved_vehicle')
  const span = new URLSearchParams({ from: at(80, '12:15'), until: at(80, '13:00'), to: 'ratmalana' })
  expect((await lecturer.send('GET', `/api/vehicles/free?${span}`)).status).toBe(403)
  const { vehicles, crew, trips } = await transport.get(`/api/vehicles/free?${span}`)
  const why = (number: string) => vehicles.find((one: any) => one.number === number).why
  expect([why('WP PH-4471'), why('WP PJ-2093'), why('WP ND-5517')]).toEqual(['taken', 'not-licensed', null])
  expect(crew.find((one: any) => one.name === 'Sunil Rathnayake')).toMatchObject({ why: 'taken' })
  expect(trips).toEqual([])
  const long = new URLSearchParams({ from: at(79, '20:00'), until: at(80, '06:45') })
  const rest = await transport.get(`/api/vehicles/free?${long}`)
  expect(rest.vehicles.find((one: any) => one.number === 'WP PH-4471').why).toBeNull()
  expect(rest.crew.find((one: any) => one.name === 'Sunil Rathnayake').why).toBe('taken')
  // As at the desk: four hours before, and nine more, are too many for a day.
  const more = new URLSearchParams({ from: at(80, '13:00'), until: at(80, '22:00') })
  const evening = await transport.get(`/api/vehicles/free?${more}`)
  expect(evening.crew.find((one: any) => one.name === 'Sunil Rathnayake')).toMatchObject({
    ...{ why: 'out-too-long', rests: null },
  })
  const during = new URLSearchParams({ from: at(80, '09:00'), until: at(80, '10:00'), to: 'ratmalana' })
  const found = await transport.get(`/api/vehicles/free?${during}`)
  expect(found.trips).toMatchObject([{ reference: trip.reference, left: 6, sameWay: true }])
  // Where a trip begins is not where it goes; a stop is.
  const goes = async (to: string) => {
    const asked = new URLSearchParams({ from: at(80, '09:00'), until: at(80, '10:00'), to })
    return (await transport.get(`/api/vehicles/free?${asked}`)).trips[0].sameWay
  }
  expect([await goes('Colombo 07'), await goes('Colombo Fort'), await goes('galle'), await goes('Mount')]).toEqual([
    ...[false, false, true, false],
  ])
  const board = await driver.get(`/api/vehicles/board?day=${day(80 + LATER)}`)
  const noted = (number: string) => board.vehicles.find((one: any) => one.title.includes(number))
  expect(noted('PJ-2093')).toMatchObject({ licence: expect.any(String) })
  expect(board.vehicles.flatMap((one: any) => one.trips)).toMatchObject([{ reference: trip.reference, passengers: 6 }])

  // Who goes the same way within its time is offered it at the desk, if there is room.
  const marksOf = async (asked: Case) => {
    const { id } = await transport.task(asked, desks.assign)
    const { unavailable } = await transport.get(`/api/tasks/${id}`)
    return unavailable.filter(({ field }: any) => field === '/trip')
  }
  const along = await recommended(at(80, '09:00'), at(80, '11:00'))
  const [offered] = await marksOf(along)
  expect(offered).toMatchObject({ suits: true, why: 'goes the same way, free seats: 6' })
  await transport.decides(along, 'join', { trip: offered.item })
  await expectCase(along).toBe('reserved_vehicle')
  // The driver is told, and sees who is fetched; another driver does not.
  await expectMail(driver).about('vehicles.mail.crew-trip-changed', along)
  const pickUps = async (who: Person) =>
    (await who.get(`/api/registers/vehicles/trip/items/${offered.item}`)).data.pick_ups
  expect(await pickUps(driver)).toMatchObject([
    { case_reference: trip.reference, contact: '0714420931', from_place: 'Colombo 07', via: 'Galle' },
    { case_reference: along.reference, contact: '0714420931' },
  ])
  for (const who of [other, registrar])
    expect(await pickUps(who)).toEqual([expect.not.objectContaining({ contact: expect.anything() }), expect.anything()])
  const many = await recommended(at(80, '09:00'), at(80, '11:00'))
  expect(await marksOf(many)).toMatchObject([{ item: offered.item, suits: false }])
  await lecturer.withdraws(many)

  // The office sees what is not back in time, on any day.
  const lateOn = async (on: string) => (await transport.get(`/api/vehicles/board?day=${on}`)).late
  const isLate = (one: any) => one.case === trip.id
  expect((await lateOn(day(0))).some(isLate)).toBe(false)
  const moves = `update app.register_item set data = data || jsonb_build_object('from', $2::text, 'until', $3::text)
    where register = 'vehicles/trip' and data ->> 'case_reference' = $1`
  const { data: planned } = await tripOf(trip)
  try {
    await asOwner(moves, [trip.reference, `${day(-1)}T08:00:00+05:30`, `${day(-1)}T12:00:00+05:30`])
    expect((await lateOn(day(0))).some(isLate)).toBe(true)
    expect((await driver.get(`/api/vehicles/board?day=${day(0)}`)).late).toEqual([])
    const yesterday = await driver.get(`/api/vehicles/board?day=${day(-1)}`)
    expect(yesterday.vehicles.flatMap((one: any) => one.trips)).toContainEqual(
      expect.objectContaining({ reference: trip.reference, late: true }),
    )
  } finally {
    await asOwner(moves, [trip.reference, planned.from, planned.until])
  }
})

test('a trip whose vehicle or driver cannot go any more is on the board of the office, until it has others', async () => {
  const trip = await recommended(at(52, '08:00'), at(52, '12:00'))
  const [picked, rizwan, rosa] = await Promise.all([van(), entry('crew', 'Rizwan'), entry('vehicle', 'ND-5517')])
  await transport.decides(trip, 'assign', { ...picked, helper: await entry('crew', 'Premasiri') })
  await expectCase(trip).toBe('reserved_vehicle')
  const whyUnfit = async () => {
    const { unfit } = await transport.get(`/api/vehicles/board?day=${day(0)}`)
    return unfit.find((one: any) => one.case === trip.id)?.why.map(({ code }: any) => code)
  }
  const becomes = (register: string, id: string, status: string) =>
    transport.ok('POST', `/api/registers/vehicles/${register}/items/${id}/status`, { status })
  const changes = async (data: object) => {
    await transport.ok('POST', `/api/cases/${trip.id}/acts/reassign`, { data: { ...data, reason: 'It broke down' } })
    await until('the change', async () => {
      const { data: now } = await tripOf(trip)
      return Object.entries(data).every(([name, id]) => now[name] === id)
    })
  }
  const licence = `update app.register_item set data = data || jsonb_build_object('licence_until', $2::text) where id = $1`
  const [{ data: sunil }] = (await transport.get('/api/registers/vehicles/crew/items?search=Sunil')).items
  expect(await whyUnfit()).toBeUndefined()
  try {
    await becomes('vehicle', picked.vehicle, 'In Repair')
    await asOwner(licence, [picked.driver, day(1)])
    expect(await whyUnfit()).toEqual(['vehicles.unfit.vehicle-away', 'vehicles.driver-not-licensed'])
    expect((await driver.get(`/api/vehicles/board?day=${day(0)}`)).unfit).toEqual([])
    // Office and requester are told once, however often it is looked at.
    const told = async () => {
      await clock.strikes('unfit-trips')
      await idle('unfit-trips')
      return asOwner(`select id from app.mail where case_id = $1 and template like 'vehicles.mail.%trip-unfit'`, [
        trip.id,
      ])
    }
    const first = await told()
    await expectMail(transport).about('vehicles.mail.trip-unfit', trip)
    await expectMail(lecturer).about('vehicles.mail.own-trip-unfit', trip)
    expect((await told()).length).toBe(first.length)
    // It is back at the desk of the transport head, who assigns others there.
    const reason = 'It broke down'
    const sent = { vehicle: rosa, driver: rizwan, reason }
    const same = { ...picked, helper: await entry('crew', 'Premasiri'), reason }
    await expect(transport.decides(trip, 'replace', same, desks.replace)).rejects.toThrow('/vehicle')
    // As if the step behind a change from its page had not run yet: there is no other change beside it.
    const bus = await entry('vehicle', 'NB-8120')
    const [move] = await asOwner<{ id: string }>(
      `insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path, purpose)
       select gen_random_uuid(), $2, tstzrange($3, $4), tstzrange($3, $4), 'claimed', requester_id, id, '/vehicle', 'move'
       from app.flow_case where id = $1 returning id`,
      [trip.id, bus, at(52, '08:00'), at(52, '12:00')],
    )
    await expect(transport.decides(trip, 'replace', sent, desks.replace)).rejects.toThrow('is being entered')
    await asOwner(`update app.allocation set state = 'released' where id = $1`, [move?.id])
    await transport.decides(trip, 'replace', sent, desks.replace)
    await until('the other vehicle', async () => (await tripOf(trip)).data.driver === rizwan)
    expect(await tripOf(trip)).toMatchObject({ status: 'Planned', data: { vehicle: rosa, driver: rizwan } })
    expect(await whyUnfit()).toBeUndefined()
    await becomes('crew', rizwan, 'On Leave')
    expect(await whyUnfit()).toEqual(['vehicles.unfit.driver-away'])
    // It comes back for each further reason, and can be changed from its page as well.
    await told()
    const { length: before } = await told()
    await transport.decides(trip, 'stays', { reason: 'Back by then' }, desks.replace)
    expect(await told()).toHaveLength(before)
    // Also for the same one, once it was fit between.
    await becomes('crew', rizwan, 'Active')
    await told()
    await becomes('crew', rizwan, 'On Leave')
    // What a worker notes of the case at that moment is not lost.
    const notes = `update app.flow_case set facts = facts || '{"driverNumber": "0110000000"}' where id = $1`
    await whileLocked(notes, [trip.id], async () => {
      await clock.strikes('unfit-trips')
      const waits = `select from pg_locks where not granted`
      await until('the run that waits', async () => (await asOwner(waits)).length > 0)
    })
    expect((await told()).length).toBeGreaterThan(before)
    expect((await transport.get(`/api/cases/${trip.id}`)).facts).toMatchObject({ driverNumber: '0110000000' })
    await transport.decides(trip, 'stays', { reason: 'Back by then' }, desks.replace)
    await becomes('crew', rizwan, 'Active')
    await becomes('vehicle', rosa, 'Off the Road')
    await told()
    await transport.task(trip, desks.replace)
    await changes({ vehicle: bus, driver: rizwan })
  } finally {
    await becomes('vehicle', rosa, 'Active')
    await becomes('crew', rizwan, 'Active')
    await becomes('vehicle', picked.vehicle, 'Active')
    await asOwner(licence, [picked.driver, sunil.licence_until])
  }
  expect(await whyUnfit()).toBeUndefined()
  await cancels(trip, 'Postponed')
  await transport.decides(trip, 'accept')
  await expectEnded(trip)
})

test('who is back late rests from then on, and nobody drives several trips for more than 12 hours of a day', async () => {
  const [car, rizwan] = await Promise.all([entry('vehicle', 'CAB-7781'), entry('crew', 'Rizwan')])
  const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const few = { passengers: 3 }
  const [late, planned, next] = await Promise.all([
    recommended(soon(48 + 2 * LATER), soon(49 + 2 * LATER), few),
    recommended(soon(4), soon(5), few),
    recommended(soon(6), soon(7), few),
  ])
  const picked = { vehicle: car, driver: rizwan }
  for (const one of [late, planned]) await transport.decides(one, 'assign', picked)
  await expectCase(late).toBe('reserved_vehicle')
  await expectCase(planned).toBe('reserved_vehicle')
  await clock.passes('P10D', late)
  await other.task(late, desks.keepChart)
  const { id } = await until('the trip', () => tripOf(late))
  // It should have been back eight hours ago.
  const times = `update app.register_item set data = data || jsonb_build_object('from', $2::text, 'until', $3::text) where id = $1`
  await asOwner(times, [id, soon(-9), soon(-8)])
  const meter = await meterOf('CAB-7781')
  const [left, back] = [soon(-9), soon(-0.05)]
  const read = { meter_out: meter, meter_in: meter + 120, left_at: left, back_at: back }
  try {
    await other.decides(late, 'made', read, desks.keepChart)
    await lecturer.task(late, desks.sign)
    await expect(transport.decides(next, 'assign', picked)).rejects.toThrow(/Mohamed Rizwan rests until .*\d\d:\d\d/)
    const { unfit } = await transport.get(`/api/vehicles/board?day=${day(0)}`)
    const { why } = unfit.find((one: any) => one.case === planned.id)
    expect(why).toEqual([
      { code: 'platform.item-rests', values: { item: 'Mohamed Rizwan', until: expect.stringMatching(/T/) } },
    ])
    const rested = Date.parse(why[0].values.until)
    expect(rested - Date.parse(back)).toBe(10 * 3_600_000)
    const { crew } = await transport.get(`/api/vehicles/free?from=${soon(6)}&until=${soon(7)}`)
    const resting = crew.find((one: any) => one.name === 'Mohamed Rizwan')
    expect([resting.why, Date.parse(resting.rests)]).toEqual(['rests', rested])
    // Who is back from a shorter trip by then makes it, though what is kept free after it is cut.
    const isNamed = async (hour: number) => {
      const rests = `update app.item_rest set during = tstzrange($2, $3) where case_id = $1`
      await asOwner(rests, [late.id, soon(2), soon(hour + 0.5)])
      const { unfit: now } = await transport.get(`/api/vehicles/board?day=${day(0)}`)
      return now.some((one: any) => one.case === planned.id)
    }
    expect([await isNamed(3.9), await isNamed(4.1)]).toEqual([false, true])
    await asOwner(`update app.item_rest set during = tstzrange($2, $3) where case_id = $1`, [
      ...[late.id, left, new Date(rested).toISOString()],
    ])
    const claims = `insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path, purpose, most_a_day)
      select gen_random_uuid(), $2, tstzrange($3, $4), tstzrange($3, $4), 'claimed', requester_id, id, '/driver', 'booking', 12
      from app.flow_case where id = $1`
    await expect(asOwner(claims, [next.id, rizwan, soon(6), soon(7)])).rejects.toThrow('rests in this time')

    const [early, evening] = await Promise.all([
      recommended(at(59, '06:00'), at(59, '13:00'), few),
      recommended(at(59, '15:00'), at(59, '20:30'), few),
    ])
    const bus = { ...picked, vehicle: await entry('vehicle', 'NB-8120') }
    await transport.decides(early, 'assign', bus)
    await expectCase(early).toBe('reserved_vehicle')
    await expect(transport.decides(evening, 'assign', bus)).rejects.toThrow(
      /Rizwan would be out for more than 12 hours/,
    )
    await expect(asOwner(claims, [evening.id, rizwan, at(59, '15:00'), at(59, '20:30')])).rejects.toThrow(
      'too long on a day',
    )
    await transport.decides(evening, 'assign', await van())
    await expectCase(evening).toBe('reserved_vehicle')
    for (const one of [early, evening]) {
      await cancels(one, 'Postponed')
      await transport.decides(one, 'accept')
    }
  } finally {
    await asOwner(`delete from app.item_rest where case_id = $1`, [late.id])
  }
  await transport.decides(next, 'assign', picked)
  await expectCase(next).toBe('reserved_vehicle')
  for (const one of [planned, next]) {
    await cancels(one, 'Postponed')
    await transport.decides(one, 'accept')
    await expectEnded(one)
  }
})

test('costs per kilometre and fuel that stands out are reports of the office', async () => {
  // The Bursar does not read what a hired vehicle costs per kilometre, so neither do they read what follows from it.
  for (const stranger of [lecturer, await as('bursar')])
    expect((await stranger.send('GET', '/api/reports/vehicles/costs')).status).toBe(404)
  const costs = await transport.get(`/api/reports/vehicles/costs?filter.from=${day(-90)}&filter.until=${day(-2)}`)
  const hired = costs.rows.find((row: any) => row.vehicle.includes('PK-9024'))
  expect(hired).toMatchObject({ kilometres: 190, hire: 190 * 18500, perKm: 18500 })
  const vehicle = await entry('vehicle', 'ND-5517')
  const spent = async (register: string, on: string, statuses: readonly string[]) => {
    const path = `/api/registers/vehicles/${register}/items?filter.vehicle=${vehicle}&limit=100`
    const entries: { status: string; data: any }[] = (await transport.get(path)).items
    const counted = entries.filter(
      ({ status, data }) => statuses.includes(status) && data[on] >= day(-90) && data[on] <= day(-2),
    )
    return counted.reduce((sum, { data }) => sum + (data.cost ?? 0), 0)
  }
  const own = {
    fuel: await spent('fueling', 'filled_on', ['Entered']),
    services: await spent('service', 'serviced_on', ['Done']),
    maintenance: await spent('maintenance', 'reported_on', ['Approved']),
    licences: await spent('licence', 'from', ['Active', 'expired']),
  }
  expect(Object.values(own).filter((sum) => sum > 0).length).toBeGreaterThan(2)
  const total = Object.values(own).reduce((sum, one) => sum + one)
  const told = costs.rows.find((one: any) => one.vehicle.includes('ND-5517'))
  expect(told).toMatchObject({ ...own, total, perKm: Math.round(total / told.kilometres) })
  const { rows } = await transport.get('/api/reports/vehicles/consumption')
  const found = rows.filter((row: any) => row.vehicle.includes('PH-4471')).map((row: any) => row.finding)
  expect(found).toEqual(['vehicles.report.more', 'vehicles.report.as-usual'])
})

test('fuel is reckoned from full tank to full tank, and a kilometre costs what it cost when it was driven', async () => {
  const path = '/api/registers/vehicles/vehicle/items'
  const [agreement] = (await transport.get('/api/registers/agreements/agreement/items?search=GAD/VEH/2026/01')).items
  const number = `WP T-${Math.floor(Math.random() * 1e6)}`
  const data = {
    ...{ registration_no: number, model: 'Toyota KDH', kind: 'van', ownership: 'hired', seats: 10, fuel: 'diesel' },
    ...{ meter: 1000, norm: 10, owner: 'Perera Travels', hired_until: day(30), agreement: agreement.id, rate: 20_000 },
  }
  const { id: vehicle } = await transport.ok('POST', path, { data })
  const fills = (meter: number, litres: number, full: string) =>
    transport.ok('POST', '/api/registers/vehicles/fueling/items', {
      data: { vehicle, filled_on: day(0), meter, litres, full, cost: 100_000, receipt_no: `R-${Math.random()}` },
    })
  await fills(1000, 40, 'yes')
  await fills(1150, 10, 'no')
  await fills(1300, 20, 'yes')
  await fills(1400, 10, 'no')
  const { rows } = await transport.get(`/api/reports/vehicles/consumption?filter.vehicle=${vehicle}`)
  expect(rows.map(({ kilometres, litres, perLitre }: any) => [kilometres, litres, perLitre])).toEqual([
    [300, 30, '10.0'],
  ])

  const charts = `insert into app.register_item (id, register, title, status, data)
    values (gen_random_uuid(), 'vehicles/chart', $2, 'Entered', jsonb_build_object('vehicle', $1::text, 'route', $2::text,
      'left_at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'meter_out', $3::integer, 'meter_in', $3 + 100))
    returning id`
  const first = await asOwner<{ id: string }>(charts, [vehicle, 'Kandy', 1000])
  const found = await transport.get(`${path}/${vehicle}`)
  await transport.ok(
    'PUT',
    `${path}/${vehicle}`,
    { data: { ...data, rate: 30_000 } },
    { 'if-match': `"${found.version}"` },
  )
  const second = await asOwner<{ id: string }>(charts, [vehicle, 'Galle', 1100])
  try {
    const costs = await transport.get(`/api/reports/vehicles/costs?filter.from=${day(0)}&filter.until=${day(0)}`)
    const row = costs.rows.find((one: any) => one.vehicle.includes(number))
    expect(row).toMatchObject({ kilometres: 200, hire: 100 * 20_000 + 100 * 30_000 })
  } finally {
    await asOwner(`delete from app.register_item where id = any ($1)`, [[...first, ...second].map(({ id }) => id)])
    await transport.ok('POST', `${path}/${vehicle}/status`, { status: 'Disposed' })
  }
})

test('drivers enter the fuel and the accidents of their own trips, with photographs, and no others', async () => {
  const [vehicle, sunil, rizwan] = await Promise.all([
    entry('vehicle', 'PH-4471'),
    entry('crew', 'Sunil'),
    entry('crew', 'Rizwan'),
  ])
  const path = '/api/registers/vehicles/fueling/items'
  const meter = 1_000_000 + Math.floor(Math.random() * 900_000)
  const data = {
    ...{ vehicle, driver: sunil, filled_on: day(0), meter, litres: 20, full: 'yes', cost: 700_000 },
    receipt_no: `R-${Math.random()}`,
  }
  const refused = ({ status, body }: any) => [status, ...(body.errors ?? []).map(({ code }: any) => code)]
  // Nobody enters what another driver has filled.
  expect(refused(await driver.send('POST', path, { data: { ...data, driver: rizwan } }))).toEqual([
    422,
    'platform.item-does-not-fit',
  ])
  const { driver: _, ...nobodys } = data
  expect(refused(await driver.send('POST', path, { data: nobodys }))).toEqual([422, 'platform.field-required'])
  expect((await lecturer.send('POST', path, { data })).status).toBe(404)
  const made = await driver.ok('POST', path, { data })
  const changes = (by: Person, version: number) =>
    by.send(
      'PUT',
      `${path}/${made.id}`,
      { data: { ...made.data, station: 'Ratmalana' } },
      { 'if-match': `"${version}"` },
    )
  expect((await changes(other, made.version)).status).toBe(403)
  expect((await changes(driver, made.version)).status).toBe(200)
  await transport.ok('POST', `${path}/${made.id}/status`, { status: 'Cancelled' })

  const happened = new Date(Date.now() - 3_600_000).toISOString()
  const accident = {
    vehicle,
    driver: sunil,
    happened_at: happened,
    place: 'Ratmalana',
    what: 'A bus touched us',
    photos: [await uploads(driver, 'left.png', PIXEL), await uploads(driver, 'right.png', PIXEL)],
    sketch: await uploads(driver, 'sketch.pdf'),
    injured: 'no',
  }
  const told = await driver.ok('POST', '/api/registers/vehicles/accident/items', { data: accident })
  expect((await assistant.get(`/api/registers/vehicles/accident/items/${told.id}`)).data).toMatchObject(accident)
  expect(String(await assistant.bytes(`/api/files/${accident.sketch}`))).toContain('%PDF-')
  expect((await lecturer.send('GET', `/api/files/${accident.sketch}`)).status).toBe(404)
  await transport.ok('POST', `/api/registers/vehicles/accident/items/${told.id}/status`, { status: 'Settled' })
})

test('the Dean recommends what the faculty pays for', async () => {
  const dean = await as('dean.music')
  const trip = await lecturer.submit(
    FLOW,
    await aTrip(at(61, '08:00'), at(61, '12:00'), { cost_centre: await entry('cost-centre', 'CC-FM') }),
  )
  await dean.decides(trip, 'approve')
  await assistant.decides(trip, 'reject', { reason: 'No vehicle' })
  await expectCase(trip).toBe('rejected')
})

test('a vehicle is filled once at a reading of its meter', async () => {
  const path = '/api/registers/vehicles/fueling/items'
  const vehicle = await entry('vehicle', 'CAB-7781')
  const meter = 1_000_000 + Math.floor(Math.random() * 900_000)
  const fills = (more: object) => {
    const receipt_no = `R-${Math.random()}`
    const data = { vehicle, filled_on: day(0), meter, litres: 20, full: 'yes', cost: 700_000, receipt_no, ...more }
    return transport.send('POST', path, { data })
  }
  const { body } = await fills({})
  expect(await fills({})).toMatchObject({
    status: 422,
    body: { errors: [{ field: '/meter', code: 'vehicles.filled-at-this-meter' }] },
  })
  await transport.ok('POST', `${path}/${body.id}/status`, { status: 'Cancelled' })
  const { body: again, status } = await fills({})
  expect(status).toBe(201)
  await transport.ok('POST', `${path}/${again.id}/status`, { status: 'Cancelled' })
})

test('owner, rate and numbers of a vehicle are for the office, and fuel and charts are not changed by drivers', async () => {
  const seen = async (by: Person) =>
    (await by.get(`/api/registers/vehicles/vehicle/items/${await entry('vehicle', 'PK-9024')}`)).data
  expect(await seen(transport)).toHaveProperty('rate')
  expect(await seen(lecturer)).not.toHaveProperty('rate')
  expect(await seen(lecturer)).not.toHaveProperty('owner')
  const [agreement] = (await transport.get('/api/registers/agreements/agreement/items?search=GAD/VEH')).items
  expect(await seen(transport)).toMatchObject({ agreement: agreement.id, rate: 18500 })
  expect(await seen(lecturer)).not.toHaveProperty('agreement')
  const changes = async (by: Person, register: string, patch: object) => {
    const { items } = await transport.get(`/api/registers/vehicles/${register}/items?status=Entered`)
    const { id, version, data } = items[0]
    const path = `/api/registers/vehicles/${register}/items/${id}`
    const answer = await by.send('PUT', path, { data: { ...data, ...patch } }, { 'if-match': `"${version}"` })
    return answer.status
  }
  expect(await changes(driver, 'fueling', { station: 'Elsewhere' })).toBe(403)
  expect(await changes(transport, 'fueling', { station: 'Elsewhere' })).toBe(200)
  expect(await changes(transport, 'chart', { remarks: 'Changed' })).toBe(403)
})

test('a service is due every 5,000 km or 6 months, also of a vehicle that was never serviced', async () => {
  const path = '/api/registers/vehicles/vehicle/items'
  const enters = async (more: object = {}) => {
    const registration_no = `WP S-${Math.floor(Math.random() * 1e9)}`
    const data = { registration_no, model: 'Tata Xenon', kind: 'pickup', ownership: 'own', seats: 4, fuel: 'diesel' }
    return (await transport.ok('POST', path, { data: { ...data, meter: 1000, ...more } })).id as string
  }
  const drives = async (id: string, meter: number) => {
    const { version, data } = await transport.get(`${path}/${id}`)
    await transport.ok('PUT', `${path}/${id}`, { data: { ...data, meter } }, { 'if-match': `"${version}"` })
  }
  const due = async (id: string) => {
    const { vehicles } = await transport.get(`/api/vehicles/board?day=${day(0)}`)
    return vehicles.find((one: any) => one.id === id).service
  }
  const [fresh, old] = [await enters(), await enters({ registered_on: '2025-01-31' })]
  expect([await due(fresh), await due(old)]).toEqual([null, '2025-07-31'])
  await drives(fresh, 5499)
  expect(await due(fresh)).toBeNull()
  await drives(fresh, 5500)
  expect(await due(fresh)).toBe('6000')
  const serviced = { serviced_on: day(0), meter: 5600, work: 'Oil', garage: 'City Motors', cost: 100_000 }
  for (const vehicle of [fresh, old])
    await assistant.ok('POST', '/api/registers/vehicles/service/items', { data: { vehicle, ...serviced } })
  expect([await due(fresh), await due(old)]).toEqual([null, null])
  await drives(fresh, 10_100)
  expect(await due(fresh)).toBe('10600')
  for (const id of [fresh, old]) await transport.ok('POST', `${path}/${id}/status`, { status: 'Disposed' })
})

test('a hired vehicle names its agreement and what a kilometre costs', async () => {
  const data = {
    ...{
      registration_no: 'WP TEST-1',
      model: 'Toyota KDH',
      kind: 'van',
      ownership: 'hired',
      seats: 10,
      fuel: 'diesel',
    },
    ...{ meter: 1000, owner: 'Perera Travels', hired_until: day(100), agreement: 'GAD/VEH/2026/01', rate: 'high' },
  }
  const { status, body } = await transport.send('POST', '/api/registers/vehicles/vehicle/items', { data })
  expect(status).toBe(422)
  expect(body.errors.map(({ field }: any) => field)).toEqual(expect.arrayContaining(['/agreement', '/rate']))

  // It is an agreement about vehicles, and the hire ends with it, or with its next period.
  const agreement = async (search: string) =>
    (await transport.get(`/api/registers/agreements/agreement/items?search=${search}`)).items[0]
  const hired = { ...data, rate: 18_000, hired_until: day(50) }
  const refused = async (more: object) => {
    const path = '/api/registers/vehicles/vehicle/items'
    const answer = await transport.send('POST', path, { data: { ...hired, ...more } })
    return answer.body.errors?.map(({ field, code }: any) => `${field} ${code}`)
  }
  const [vans, lift] = await Promise.all([agreement('GAD/VEH/2026/01'), agreement('GAD/MNT/2024/03')])
  expect(await refused({ agreement: lift.id })).toEqual(['/agreement agreements.not-for-vehicles'])
  expect(await refused({ agreement: vans.id, hired_until: day(300) })).toEqual([
    '/hired_until platform.item-does-not-fit',
  ])
  const van3 = (await transport.get('/api/registers/vehicles/vehicle/items?search=PK-9024')).items[0]
  // Neither does the agreement end before the hire.
  const shorter = `update app.register_item set data = data || jsonb_build_object('until', $2::text) where id = $1`
  await expect(asOwner(shorter, [vans.id, day(5)])).rejects.toThrow('would not agree')
  const why = async () => {
    const [on, back] = [`${day(20)}T08:00:00+05:30`, `${day(20)}T12:00:00+05:30`].map(encodeURIComponent)
    const { vehicles } = await transport.get(`/api/vehicles/free?from=${on}&until=${back}`)
    return vehicles.find(({ id }: any) => id === van3.id).why
  }
  expect(await why()).toBeNull()
  const sets = `update app.register_item set status = $2 where id = $1`
  try {
    // One that is corrected is still in force.
    await asOwner(sets, [vans.id, 'Awaiting Approval'])
    expect(await why()).toBeNull()
    await asOwner(sets, [vans.id, 'Ended'])
    expect(await why()).toBe('hire-over')
    const trip = await recommended(`${day(20)}T08:00:00+05:30`, `${day(20)}T12:00:00+05:30`)
    const sunil = await entry('crew', 'Sunil')
    await expect(transport.decides(trip, 'assign', { vehicle: van3.id, driver: sunil })).rejects.toThrow(
      'The agreement of its hire is not in force',
    )
  } finally {
    await asOwner(sets, [vans.id, 'Active'])
  }
})

/** A payment voucher that a clerk has sent. */
async function aVoucher(): Promise<Case> {
  const [clerk, bursar, finance] = await Promise.all([as('ma.western-music'), as('bursar'), as('finance')])
  const [code, year] = [`V${Math.floor(Math.random() * 1e9)}`, new Date().getFullYear()]
  const makes = async (by: Person, register: string, data: object) =>
    (await by.ok('POST', `/api/registers/vouchers/${register}/items`, { data })).id
  const first = async (register: string, search: string) =>
    (await clerk.get(`/api/registers/${register}/items?search=${search}`)).items[0].id
  const vote = await makes(bursar, 'vote', { number: code, title: `Vote ${code}`, year, budget: 100_000_000 })
  return clerk.submit('vouchers/payment-voucher', {
    asked_for: 'department',
    department: await first('platform/department', 'Western'),
    section: await first('vouchers/section', 'Academic'),
    title: await first('vouchers/title', 'Goods'),
    payee: await makes(finance, 'payee', { code, name: `Garage ${code}`, kind: 'supplier' }),
    ...{ invoice_no: code, invoice_date: `${year}-01-15`, purpose: 'Tyres' },
    lines: [{ vote, description: 'Tyres', amount: 2_000_000 }],
  })
}

test('maintenance is approved with the quotations that its kind needs, and done only after that', async () => {
  const path = '/api/registers/vehicles/maintenance/items'
  const quotation = (supplier: string) => ({ supplier, amount: 2_000_000 })
  const about = { vehicle: await entry('vehicle', 'PK-9024'), kind: await entry('maintenance-kind', 'Tyres') }
  const data = { ...about, reported_on: day(0), fault: 'Two worn tyres', chosen: 'DSI', cost: 2_000_000 }
  const voucher = await aVoucher()
  const done = { done_on: day(0), voucher_no: voucher.reference }
  const malformed = await assistant.send('POST', path, { data: { ...data, quotations: 'DSI' } })
  expect([malformed.status, malformed.body.errors.map(({ field }: any) => field)]).toEqual([422, ['/quotations']])
  const two = { ...data, quotations: ['DSI', 'Tyre House'].map(quotation) }
  const codesOf = ({ body }: any) => body.errors?.map(({ field, code }: any) => `${field} ${code}`)
  expect(codesOf(await assistant.send('POST', path, { data: { ...two, ...done } }))).toEqual([
    '/done_on platform.not-certified-yet',
  ])
  const { id } = await assistant.ok('POST', path, { data: two })
  const approves = () => transport.send('POST', `${path}/${id}/status`, { status: 'Approved' })
  expect(codesOf(await approves())).toEqual(['/quotations platform.too-few-rows'])
  const puts = async (patch: object) => {
    const { version } = await assistant.get(`${path}/${id}`)
    return assistant.send('PUT', `${path}/${id}`, { data: patch }, { 'if-match': `"${version}"` })
  }
  // Who is chosen has quoted, and is the cheapest unless somebody says why not.
  const dear = { ...two, quotations: [quotation('DSI'), { supplier: 'Tyre House', amount: 1_900_000 }] }
  expect(codesOf(await puts({ ...two, chosen: 'Nobody' }))).toEqual(['/chosen vehicles.not-quoted'])
  expect(codesOf(await puts(dear))).toEqual(['/chosen vehicles.dearer-without-reason'])
  expect((await puts({ ...dear, why: 'Tyre House has none before March' })).status).toBe(200)
  const without = `update app.register_item set data = data - 'why' where id = $1`
  await expect(asOwner(without, [id])).rejects.toThrow('item_within_bounds')
  const three = { ...data, quotations: ['DSI', 'Tyre House', 'Lanka Tyres'].map(quotation) }
  expect((await puts(three)).status).toBe(200)
  expect(codesOf(await puts({ ...three, ...done }))).toEqual(['/done_on platform.not-certified-yet'])
  expect((await approves()).status).toBe(200)
  expect(codesOf(await puts({ ...three, ...done, voucher_no: 'PV-2019-999999' }))).toEqual([
    '/voucher_no vehicles.voucher-unknown',
  ])
  expect((await puts({ ...three, ...done })).status).toBe(200)
  expect(await transport.get(`${path}/${id}`)).toMatchObject({ status: 'Approved', data: done })
})
