import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { vehicleReservation } from '../../processes/vehicles/vehicle-reservation.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { PIXEL } from '../platform/kit/uploads.ts'
import { aLicensedVehicle, cancels } from '../platform/kit/vehicles.ts'

const { flow: FLOW, desks } = vehicleReservation
let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const fits = ({ page }: Visitor) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

const entry = async (register: string, search: string) =>
  (await (await as('transport.head')).get(`/api/registers/vehicles/${register}/items?search=${search}`)).items[0]

/** A trip to Ratmalana that waits for vehicle and driver. */
async function recommended(on: string): Promise<Case> {
  const [lecturer, head, assistant, registrar] = await Promise.all([
    as('lecturer.perera'),
    as('hod.western-music'),
    as('transport.ma'),
    as('registrar'),
  ])
  const trip = await lecturer.submit(FLOW, {
    ...{ cost_centre: (await entry('cost-centre', 'CC-WM')).id, purpose: 'Rehearsal', passengers: 6 },
    ...{ from: `${on}T08:00:00+05:30`, until: `${on}T12:00:00+05:30`, contact: '0714420931' },
    ...{ from_place: 'Colombo 07', to_place: 'Ratmalana', outside: 'no', kilometres: 30 },
  })
  await head.decides(trip, 'approve')
  await assistant.decides(trip, 'recommend')
  await registrar.decides(trip, 'approve')
  return trip
}

/** A trip to Ratmalana with the van and its driver. */
async function assigned(): Promise<{ trip: Case; meter: number; crew: string; away: number }> {
  const transport = await as('transport.head')
  const [van, crew] = [await entry('vehicle', 'PK-9024'), (await entry('crew', 'Sunil')).id]
  // Meters only grow, so a trip of another run on the same product is a day later.
  const { count } = await transport.get(`/api/registers/vehicles/chart/items?filter.vehicle=${van.id}`)
  const away = 24 + count.value
  const trip = await recommended(day(away))
  await transport.decides(trip, 'assign', { vehicle: van.id, driver: crew }, desks.assign)
  await expectCase(trip).toBe('reserved_vehicle')
  return { trip, crew, meter: (await entry('vehicle', 'PK-9024')).data.meter, away }
}

test('on a phone, the transport head sees which vehicles cannot come and why, and sends another one', async () => {
  const { trip } = await assigned()
  const transport = await as('transport.head')
  const vehicles = '/api/registers/vehicles/vehicle/items'
  const { id: van } = (await transport.get(`${vehicles}?search=PK-9024`)).items[0]
  const becomes = (status: string) => transport.ok('POST', `${vehicles}/${van}/status`, { status })
  await becomes('In Repair')
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  // The board leads to the trip that its van cannot make.
  await phone.signsIn('transport.head', '/vehicle/board')
  const unfit = page.getByRole('region', { name: 'Trips that need another vehicle, driver or helper' })
  await unfit.getByText('The vehicle is in repair or off the road').first().waitFor()
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('board-unfit')
  // Somebody else has the board open meanwhile.
  const board = await visitors.arrives()
  await board.signsIn('transport.head', '/vehicle/board')
  const onBoard = board.page.getByRole('link', { name: trip.reference })
  await onBoard.waitFor()
  await unfit.getByRole('link', { name: trip.reference }).click()
  await page.getByRole('button', { name: 'Change vehicle or driver' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Sunil Rathnayake').first().waitFor()
  await dialog.getByRole('combobox', { name: 'Vehicle' }).fill('CAB')
  await reads(page, /CAB-7781.*Seats left: 4/)
  await phone.picture('reassign-vehicles')
  await dialog.getByRole('combobox', { name: 'Vehicle' }).fill('ND-5517')
  await page.locator('.ant-select-item-option:visible', { hasText: 'ND-5517' }).first().click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The van broke down')
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('reassign')
  await dialog.getByRole('button', { name: 'Change vehicle or driver' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await reads(page, /WP ND-5517/)
  await reads(page, 'The van broke down')
  await phone.picture('reassigned')
  await onBoard.waitFor({ state: 'detached' })
  await phone.opens('/vehicle/board')
  await page.getByRole('link', { name: /PK-9024/ }).waitFor()
  expect(await unfit.getByRole('link', { name: trip.reference }).count()).toBe(0)
  await becomes('Active')
  expect([phone, board].flatMap((one) => one.troubles())).toEqual([])
  await cancels(await as('lecturer.perera'), trip, 'Postponed')
  await transport.decides(trip, 'accept')
  await expectEnded(trip)
})

test('on their phones, the driver keeps the running chart, and who travelled signs it', async () => {
  const { trip, meter, crew, away } = await assigned()
  await clock.passes(`P${away + 1}D`, trip)
  // The trip was yesterday.
  const on = day(-1)
  const moves = `update app.register_item set data = data || jsonb_build_object('from', $2::text, 'until', $3::text)
    where register = 'vehicles/trip' and data ->> 'case_reference' = $1`
  await asOwner(moves, [trip.reference, `${on}T08:00:00+05:30`, `${on}T12:00:00+05:30`])
  const driver = await as('driver.sunil')
  const { id } = await driver.task(trip, desks.keepChart)
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  await phone.signsIn('driver.sunil', '/inbox')
  await page.locator(`a[href*="${id}"]`).first().click()
  const field = (name: string) => page.getByRole('textbox', { name }).or(page.getByRole('spinbutton', { name }))
  await page.getByRole('button', { name: 'The trip was made' }).click()
  await field('Meter when leaving (km)').fill(String(meter + 10))
  await field('Meter when back (km)').fill(String(meter + 42))
  await phone.picture('running-chart')
  await expectAccessible(page)
  expect(await fits(phone)).toBe(true)
  const times = ['08:00', '12:15']
  for (const [at, time] of times.entries()) {
    const date = page.getByRole('textbox', { name: 'Day' }).nth(at)
    await date.fill(on.split('-').toReversed().join('/'))
    await date.press('Enter')
    await page.getByRole('combobox', { name: 'Time' }).nth(at).selectOption(time)
  }
  await signs(phone)
  await page.getByRole('button', { name: 'The trip was made' }).click()

  // On the way back the tank was filled: the list of fillings leads to a new one.
  const lecturer = await as('lecturer.perera')
  const signing = await lecturer.task(trip, desks.sign)
  await fills(phone, meter + 42)
  const other = await visitors.arrives({ width: NARROW })
  // The requester reads who drives among the facts; the register of drivers is not theirs.
  other.expects(404, `/api/registers/vehicles/crew/items/${crew}`)
  await other.signsIn('lecturer.perera', `/tasks/${signing.id}`)
  await reads(other.page, '32')
  expect(await fits(other)).toBe(true)
  await other.picture('chart-signature')
  await other.page.getByRole('button', { name: 'It is right: sign' }).click()
  await expectEnded(trip)
  const office = await as('transport.ma')
  const [chart] = (await office.get(`/api/registers/vehicles/chart/items?search=${trip.reference}`)).items
  const drawn = await office.bytes(`/api/files/${chart.data.signature}`)
  expect(drawn.subarray(1, 4).toString()).toBe('PNG')
  expect([...phone.troubles(), ...other.troubles()]).toEqual([])
})

/** Who travelled signs on the phone of the driver: first by a name that is typed, then by hand. */
async function signs(phone: Visitor): Promise<void> {
  const { page } = phone
  await page.getByRole('button', { name: /\bSign$/ }).click()
  const dialog = page.getByRole('dialog')
  const use = dialog.getByRole('button', { name: 'Use this signature' })
  const area = dialog.getByRole('img', { name: 'Area to sign in' })
  /** Whether anything is drawn in a part of the area: from left to right and from top to bottom, as parts of one. */
  const inkIn = (left: number, right: number, top: number, bottom: number) =>
    area.evaluate(
      (of, part) => {
        const { width, height } = of as HTMLCanvasElement
        const [x, y] = [Math.round(width * part.left), Math.round(height * part.top)]
        const [across, down] = [Math.round(width * part.right) - x, Math.round(height * part.bottom) - y]
        const { data } = (of as HTMLCanvasElement).getContext('2d')!.getImageData(x, y, across, down)
        return data.filter((value, at) => at % 4 === 0 && value < 128).length > 20
      },
      { left, right, top, bottom },
    )
  const ink = () => inkIn(0, 1, 0, 1)
  await area.waitFor()
  expect([await use.isDisabled(), await ink()]).toEqual([true, false])
  const name = dialog.getByRole('textbox', { name: 'Or type the name' })
  await name.fill('N. Perera')
  expect([await use.isDisabled(), await ink()]).toEqual([false, true])
  await expectAccessible(page)
  await phone.picture('signature-typed')
  // Who turns the phone keeps the name.
  const portrait = page.viewportSize()!
  const wide = () => area.evaluate((of) => (of as HTMLCanvasElement).width)
  const turns = async (size: { width: number; height: number }) => {
    const before = await wide()
    await page.setViewportSize(size)
    await until('the area has another size', async () => (await wide()) !== before)
  }
  await turns({ width: 640, height: 360 })
  expect([await use.isDisabled(), await ink()]).toEqual([false, true])
  await turns(portrait)
  await dialog.getByRole('button', { name: 'Clear' }).click()
  expect([await use.isDisabled(), await ink()]).toEqual([true, false])
  // Straight over the name: it goes, and the line is drawn to its end.
  await name.fill('N. Perera')
  await area.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await area.boundingBox())!
  await page.mouse.move(x + width * 0.1, y + height * 0.8)
  await page.mouse.down()
  for (const [right, down] of [
    [0.2, 0.9],
    [0.4, 0.8],
    [0.6, 0.9],
    [0.9, 0.8],
  ] as const)
    await page.mouse.move(x + width * right, y + height * down, { steps: 4 })
  await page.mouse.up()
  expect(await name.inputValue()).toBe('')
  expect([await inkIn(0.3, 0.7, 0.35, 0.65), await inkIn(0.7, 0.95, 0.7, 1)]).toEqual([false, true])
  expect(await use.isDisabled()).toBe(false)
  // When the phone is turned, nothing of it is cut; turned back, it is as it was.
  await turns({ width: 640, height: 360 })
  expect(await inkIn(0.5, 0.8, 0.5, 1)).toBe(true)
  await turns(portrait)
  expect([await inkIn(0.7, 0.95, 0.7, 1), await fits(phone)]).toEqual([true, true])
  await phone.picture('signature-drawn')
  await use.click()
  await page.getByRole('button', { name: 'Remove the file signature.png' }).waitFor()
  expect(await fits(phone)).toBe(true)
  await phone.picture('running-chart-signed')
}

/** A driver who notes a filling of the van, from the list of fillings. */
async function fills(phone: Visitor, meter: number): Promise<void> {
  const { page } = phone
  await phone.goes('/vehicle/fueling')
  await page.getByRole('link', { name: /filling of fuel/i }).click()
  const field = (name: string) => page.getByRole('textbox', { name }).or(page.getByRole('spinbutton', { name }))
  await page.getByRole('combobox', { name: 'Vehicle' }).fill('PK-9024')
  await page.locator('.ant-select-item-option:visible', { hasText: 'PK-9024' }).first().click()
  await field('Filled on').fill(day(0).split('-').toReversed().join('/'))
  await page.keyboard.press('Tab')
  await field('Meter (km)').fill(String(meter))
  await field('Litres').fill('38')
  await page.getByRole('radio', { name: 'Yes' }).check()
  await field('Cost').fill('15200')
  const receipt = `F-${randomUUID().slice(0, 8)}`
  await field('Number of the fuel order or receipt').fill(receipt)
  await page.getByRole('combobox', { name: 'Driver' }).fill('Sunil')
  await page.locator('.ant-select-item-option:visible', { hasText: 'Sunil' }).first().click()
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('fueling')
  await page.getByRole('button', { name: 'Save' }).click()
  await reads(page, receipt)
  const { items } = await (await as('driver.sunil')).get(`/api/registers/vehicles/fueling/items?search=${receipt}`)
  expect(items).toEqual([expect.objectContaining({ status: 'Entered' })])
}

test('on phones, the transport head chooses who drives in what, and the driver reports an accident with its pictures', async () => {
  // A vehicle and a driver that no other test sends.
  const vehicle = await aLicensedVehicle()
  const transport = await as('transport.head')
  const code = randomUUID().slice(0, 8)
  const name = `Nimal ${code}`
  await transport.ok('POST', '/api/registers/vehicles/crew/items', {
    data: {
      ...{ name, duty: 'driver', contact_no: '0714420000' },
      ...{ licence_no: code, licence_class: 'D', licence_until: day(300) },
    },
  })
  const trip = await recommended(day(12))
  const { id } = await transport.task(trip, desks.assign)
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  await phone.signsIn('transport.head', '/vehicle/view_reservations/th')
  await page.locator(`a[href*="${id}"]`).first().click()
  await page.getByRole('button', { name: 'Assign vehicle and driver' }).click()
  await chooses(phone, 'Vehicle', vehicle.number)
  await chooses(phone, 'Driver', name)
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('assignment-desk')
  await page.getByRole('button', { name: 'Assign vehicle and driver' }).click()
  await expectCase(trip).toBe('reserved_vehicle')
  const [{ data }] = (await transport.get(`/api/registers/vehicles/trip/items?search=${trip.reference}`)).items
  expect(data.vehicle).toBe(vehicle.id)

  const other = await visitors.arrives({ width: NARROW })
  await other.signsIn('driver.sunil', '/vehicle/add_accident')
  await chooses(other, 'Vehicle', 'PK-9024')
  await chooses(other, 'Driver', 'Sunil')
  const field = (label: string) => other.page.getByRole('textbox', { name: label })
  await field('Day').fill(day(-1).split('-').toReversed().join('/'))
  await field('Day').press('Enter')
  await other.page.getByRole('combobox', { name: 'Time' }).selectOption('08:00')
  const place = `Galle Road ${code}`
  await field('Place').fill(place)
  await field('What happened').fill('A tuk-tuk turned without a sign')
  const picture = (file: string) => ({ name: file, mimeType: 'image/png', buffer: PIXEL })
  const files = other.page.locator('input[type=file]')
  await files.first().setInputFiles([picture('front.png'), picture('side.png')])
  await files.last().setInputFiles(picture('sketch.png'))
  for (const file of ['front.png', 'side.png', 'sketch.png'])
    await other.page.getByRole('button', { name: `Remove the file ${file}` }).waitFor()
  await other.page.getByRole('radio', { name: 'No' }).check()
  expect(await fits(other)).toBe(true)
  await expectAccessible(other.page)
  await other.picture('accident')
  await other.page.getByRole('button', { name: 'Save' }).click()
  await reads(other.page, 'Reported')
  const [accident] = (await transport.get(`/api/registers/vehicles/accident/items?search=${code}`)).items
  expect(accident.data).toMatchObject({ photos: [expect.any(String), expect.any(String)], sketch: expect.any(String) })
  expect([...phone.troubles(), ...other.troubles()]).toEqual([])
  await cancels(await as('lecturer.perera'), trip, 'Postponed')
  await transport.decides(trip, 'accept')
  await expectEnded(trip)
})

/** Types into a choice and picks what it offers first for it. */
async function chooses({ page }: Visitor, label: string, typed: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(typed)
  await page.locator('.ant-select-item-option:visible', { hasText: typed }).first().click()
}
