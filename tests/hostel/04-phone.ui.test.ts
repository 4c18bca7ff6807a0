import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { hostelApplication } from '../../processes/hostel/hostel-application.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { PIXEL } from '../platform/kit/uploads.ts'
import { anIntake, divisionOf, type Entry } from './application.ts'

let visitors: Visitors
let intake: Entry
beforeAll(async () => {
  ;[visitors, intake] = await Promise.all([openBrowser(), anIntake()])
})
afterAll(() => visitors?.close())

const fits = ({ page }: Visitor) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
const newest = async (who: Person) =>
  (await who.get(`/api/cases?mine=true&flow=${hostelApplication.flow}&limit=1`)).items[0]

test('on a phone, a student reads the notice, applies with a photo of the pay slip, and sees who has it', async () => {
  const student = await as('student.selvi')
  const { title } = await divisionOf('Nallur')
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  await phone.signsIn('student.selvi', '/welfare/hostel/application-notice')
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
  const photo = { name: 'slip.png', mimeType: 'image/png', buffer: PIXEL }
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
  const of = await newest(student)
  await expectCase(of).toBe('submitted')
  expect(phone.troubles()).toEqual([])
})
