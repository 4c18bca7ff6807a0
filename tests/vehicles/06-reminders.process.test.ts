import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import { vehicleLicence } from '../../processes/vehicles/vehicle-licence.generated.ts'
import { vehicleReservation } from '../../processes/vehicles/vehicle-reservation.generated.ts'
import { clock, idle } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { aLicensedVehicle, cancels } from '../platform/kit/vehicles.ts'

const { flow: FLOW, desks } = vehicleReservation
const CODE = randomUUID().slice(0, 6).toUpperCase()

let lecturer: Person, head: Person, assistant: Person, registrar: Person, transport: Person
beforeAll(async () => {
  ;[lecturer, head, assistant, registrar, transport] = await Promise.all([
    as('lecturer.perera'),
    as('hod.western-music'),
    as('transport.ma'),
    as('registrar'),
    as('transport.head'),
  ])
})

const items = (register: string) => `/api/registers/vehicles/${register}/items`
const adds = async (register: string, data: object): Promise<string> =>
  (await transport.ok('POST', items(register), { data })).id
const found = async (register: string, search: string): Promise<string> =>
  (await transport.get(`${items(register)}?search=${search}`)).items[0].id

/** A vehicle of this file, which no other test sends anywhere. */
const aVehicle = (number: string, more: object = {}) =>
  adds('vehicle', {
    ...{ registration_no: `WP ${CODE}-${number}`, model: 'Toyota HiAce', kind: 'van', ownership: 'own' },
    ...{ seats: 10, fuel: 'diesel', meter: 4600, ...more },
  })
const aDriver = (name: string, licence_until = day(300)) =>
  adds('crew', {
    ...{ name: `${name} ${CODE}`, duty: 'driver', contact_no: '0714420000' },
    ...{ licence_no: `${CODE}-${name}`, licence_class: 'D', licence_until },
  })

/** Enters a licence or an insurance, which somebody else checks; returns its entry. */
async function licensed(vehicle: string, kind: string, last: string): Promise<string> {
  const number = `${CODE}-${kind}`
  const document = await uploads(assistant, `${kind}.pdf`)
  const data = { vehicle, kind, number, from: day(-300), until: last, cost: 100_000, document }
  const of = await assistant.submit(vehicleLicence.flow, data)
  await transport.decides(of, 'valid')
  await expectCase(of).toBe('Active')
  return found('licence', number)
}

/** A trip that waits for vehicle and driver. */
async function recommended(from: string, back: string): Promise<Case> {
  const trip = await lecturer.submit(FLOW, {
    ...{ cost_centre: await found('cost-centre', 'CC-WM'), purpose: 'Rehearsal', passengers: 6, from, until: back },
    ...{ from_place: 'Colombo 07', to_place: 'Ratmalana', outside: 'no', kilometres: 30, contact: '0714420931' },
  })
  await head.decides(trip, 'approve')
  await assistant.decides(trip, 'recommend')
  await registrar.decides(trip, 'approve')
  return trip
}

/** Who was told that an entry ends, and of what. */
const toldOf = async (entry: string): Promise<string[]> => {
  const mails = await asOwner<{ template: string; who: string }>(
    `select m.template, a.username as who from app.mail m join app.account a on a.id = m.recipient_id
     where m.once like 'expiry:' || $1 || ':%' order by m.template, a.username`,
    [entry],
  )
  return mails.map(({ template, who }) => `${template.replace('vehicles.mail.', '')} ${who}`)
}

test('the transport office is told before services, licences, driving licences and hires end, by date and by kilometres', async () => {
  const own = await aVehicle('1001')
  const insurance = await licensed(own, 'insurance', day(10))
  const licence = await licensed(own, 'revenue-licence', day(200))
  const serves = (ago: number, meter: number) =>
    adds('service', { vehicle: own, serviced_on: day(-ago), meter, garage: 'University garage', cost: 100_000 })
  const [replaced, service] = [await serves(178, 900), await serves(176, 1000)]
  const driver = await aDriver('Nimal', day(25))
  const [agreement] = (await transport.get('/api/registers/agreements/agreement/items?selection=vehicle-hire')).items
  const hired = await aVehicle('1002', {
    ...{ ownership: 'hired', owner: agreement.data.party, agreement: agreement.id, hired_until: day(20), rate: 9000 },
  })
  await clock.strikes('expiring-entries')
  await idle('expiring-entries')
  const both = (mail: string) => [`${mail} transport.head`, `${mail} transport.ma`]
  expect(await toldOf(service)).toEqual(both('service-due'))
  expect(await toldOf(replaced)).toEqual([])
  expect(await toldOf(insurance)).toEqual(both('licence-ending'))
  expect(await toldOf(licence)).toEqual([])
  expect(await toldOf(driver)).toEqual(both('driving-licence-ending'))
  expect(await toldOf(hired)).toEqual(both('hire-ending'))

  // 500 km before the service the chart of a trip says so, once.
  const drives = async (on: number, meter_out: number, meter_in: number): Promise<Case> => {
    const trip = await recommended(`${day(on)}T08:00:00+05:30`, `${day(on)}T12:00:00+05:30`)
    await transport.decides(trip, 'assign', { vehicle: own, driver }, desks.assign)
    await expectCase(trip).toBe('reserved_vehicle')
    await clock.passes(`P${on + 1}D`, trip)
    await assistant.task(trip, desks.keepChart)
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    const moves = `update app.register_item set data = data || jsonb_build_object('from', $2::text, 'until', $3::text)
      where register = 'vehicles/trip' and data ->> 'case_reference' = $1`
    await asOwner(moves, [trip.reference, ago(60), ago(-60)])
    const chart = { meter_out, meter_in, left_at: ago(0.05), back_at: ago(0) }
    await assistant.decides(trip, 'made', chart, desks.keepChart)
    await lecturer.decides(trip, 'sign', {}, desks.sign)
    await expectEnded(trip)
    return trip
  }
  const near = await drives(5, 4610, 5550)
  const { body } = await expectMail(assistant).about('vehicles.mail.service-due-by-meter', near)
  expect(body).toMatch(/5,?550 km.*6,?000/)
  const further = await drives(6, 5550, 5600)
  const byMeter = await asOwner(
    `select from app.mail where case_id = any($1) and template = 'vehicles.mail.service-due-by-meter'`,
    [[near.id, further.id]],
  )
  expect(byMeter).toHaveLength(2)
})

test('a helper who has another trip, or rests after a long one, goes on no other, for the database too', async () => {
  const on = (hour: string) => `${day(14)}T${hour}:00+05:30`
  const helper = await adds('crew', { name: `Kumara ${CODE}`, duty: 'helper', contact_no: '0714420001' })
  const [first, second] = [await aDriver('First'), await aDriver('Second')]
  const [{ id: van }, { id: rosa }] = await Promise.all([aLicensedVehicle(), aLicensedVehicle()])
  const [long, beside, late] = [
    await recommended(on('06:00'), on('15:00')),
    await recommended(on('10:00'), on('11:00')),
    await recommended(on('20:00'), on('21:00')),
  ]
  await transport.decides(long, 'assign', { vehicle: van, driver: first, helper }, desks.assign)
  await expectCase(long).toBe('reserved_vehicle')
  const goesToo = (of: Case) => transport.decides(of, 'assign', { vehicle: rosa, driver: second, helper }, desks.assign)
  await expect(goesToo(beside)).rejects.toThrow('This helper has another trip, or rests, in that time')
  await expect(goesToo(late)).rejects.toThrow('This helper has another trip, or rests, in that time')
  const { crew } = await transport.get(`/api/vehicles/free?from=${when(on('20:00'))}&until=${when(on('21:00'))}`)
  expect(crew.find(({ id }: { id: string }) => id === helper)).toMatchObject({ duty: 'helper', why: 'taken' })
  const claims = `insert into app.allocation (id, item_id, during, booked, state, holder_id, case_id, path, purpose)
    select gen_random_uuid(), $2, tstzrange($3, $4), tstzrange($3, $4), 'claimed', requester_id, id, '/helper', 'booking'
    from app.flow_case where id = $1`
  await expect(asOwner(claims, [late.id, helper, on('20:00'), on('21:00')])).rejects.toThrow('allocation_no_overlap')
  // Another helper does, and so does this one the next day.
  const other = await adds('crew', { name: `Lal ${CODE}`, duty: 'helper', contact_no: '0714420002' })
  await transport.decides(late, 'assign', { vehicle: rosa, driver: second, helper: other }, desks.assign)
  await expectCase(late).toBe('reserved_vehicle')
  await lecturer.withdraws(beside)
  for (const trip of [long, late]) {
    await cancels(lecturer, trip, 'Ill')
    await transport.decides(trip, 'accept')
    await expectEnded(trip)
  }
})

const when = (time: string) => encodeURIComponent(time)
