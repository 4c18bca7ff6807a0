import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hostelApplication } from '../../processes/hostel/hostel-application.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { aPicture } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'
import { type Entry, aReceipt, anIntake, checked, divisionOf, ends, staysOf } from './application.ts'

let visitors: Visitors
let intake: Entry
beforeAll(async () => {
  ;[visitors, intake] = await Promise.all([openBrowser(), anIntake({ from: 3020, until: 3300 })])
})
afterAll(() => visitors?.close())

const fits = ({ page }: Visitor) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
const { desks } = hostelApplication
const newest = async (who: Person) =>
  (await who.get(`/api/cases?mine=true&flow=${hostelApplication.flow}&limit=1`)).items[0]

test('on a phone, a student reads the notice, applies with a photo of the pay slip, and sees who has it', async () => {
  const student = await as('student.sanduni')
  const { title } = await divisionOf('Nallur')
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  await phone.signsIn('student.sanduni', '/welfare/hostel/application-notice')
  await page.getByRole('link', { name: intake.title }).click()
  await reads(page, 'Be quiet.')
  expect(await fits(phone)).toBe(true)
  await page.getByRole('link', { name: 'Apply' }).click()
  const chooses = async (label: string, typed: string) => {
    await page.getByRole('combobox', { name: label }).fill(typed)
    await page.locator('.ant-select-item-option:visible', { hasText: typed }).first().click()
  }
  await page.getByRole('radio', { name: 'Women' }).check()
  await chooses('District', 'Jaffna')
  await chooses('Divisional secretariat', title)
  await page.getByRole('textbox', { name: 'Home address' }).fill('12 Temple Road, Nallur')
  await page.getByRole('textbox', { name: 'Family income a year' }).fill('250000')
  await page.getByRole('radio', { name: 'No', exact: true }).check()
  const photo = { name: 'slip.png', mimeType: 'image/png', buffer: aPicture() }
  await page.locator('input[type=file]').first().setInputFiles(photo)
  await page.getByRole('checkbox', { name: /^I declare that this is true/ }).check()
  await expectAccessible(page)
  expect(await fits(phone)).toBe(true)
  await phone.picture('hostel-apply')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/cases\//)
  await reads(page, 'Check the application')
  await phone.picture('hostel-case')
  expect(await fits(phone)).toBe(true)
  const of: Case = await newest(student)
  await expectCase(of).toBe('submitted')

  // From the room that is offered to the key.
  const [ma, assistant, ar] = await Promise.all([as('ma.welfare'), as('assistant.welfare'), as('head.welfare')])
  await ma.decides(of, 'checked', checked, desks.check)
  await ar.decides(of, 'approve', {}, desks.approve)
  await expectCase(of).toBe('approved')
  await ends(intake)
  await clock.passes('P1D', of)
  await assistant.task(of, desks.allocate)
  const office = await visitors.arrives({ width: NARROW })
  await office.signsIn('assistant.welfare', `/welfare/hostel/allocation?search=${encodeURIComponent(of.reference)}`)
  await office.page.getByRole('checkbox', { name: new RegExp(`^Select .*${intake.title}`) }).check()
  expect(await fits(office)).toBe(true)
  await expectAccessible(office.page)
  await office.picture('hostel-allocation')
  await office.page.getByRole('button', { name: 'Give a room' }).click()
  await office.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Give a room/ })
    .click()
  await expectCase(of).toBe('offered')
  const { id: register } = await student.task(of, desks.register)
  await phone.opens(`/tasks/${register}`)
  await page
    .getByRole('button', { name: 'Register…' })
    .or(page.getByRole('button', { name: 'Register', exact: true }))
    .click()
  await page.getByRole('textbox', { name: 'Guardian', exact: true }).fill('A. Silva')
  await page.getByRole('textbox', { name: 'Telephone of the guardian' }).fill('0771234567')
  await page.locator('input[type=file]').first().setInputFiles(photo)
  await page.getByRole('textbox', { name: 'Paid on' }).fill(day(0).split('-').toReversed().join('/'))
  await page.keyboard.press('Tab')
  await page.getByRole('textbox', { name: 'Amount paid' }).fill('9000')
  await page.getByRole('textbox', { name: 'Reference of the bank' }).fill(aReference())
  await page.getByRole('checkbox', { name: /^I have read the rules/ }).check()
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('hostel-register')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await ma.decides(of, 'confirm', { receipt_no: aReceipt(), key_no: 'K-9' }, desks.confirm)
  await expectCase(of).toBe('resident')
  await phone.opens('/welfare/hostel/student-hostel')
  const [stay] = await staysOf(of)
  const { title: room } = await ma.get(`/api/registers/hostel/room/items/${stay!.data['room']}`)
  await reads(page, room)
  expect(await fits(phone)).toBe(true)
  await phone.picture('hostel-room')
  expect(phone.troubles()).toEqual([])
})
