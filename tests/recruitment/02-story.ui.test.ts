import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { entersAt, tabsTo } from '../platform/kit/keyboard.ts'
import { NARROW, type Visitor, type Visitors, openBrowser, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { confirms } from '../platform/kit/mailed.ts'
import { as, type Case, PASSWORD } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { fillsInSteps } from './record-steps.ts'
import { APPLICATION, aVacancy, desks, isInterviewed } from './vacancy.ts'

const FILE = {
  name: 'cv.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n'),
}

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const press = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const heading = ({ page }: Visitor, name: string) => page.getByRole('heading', { name }).first().waitFor()

async function chooses(page: Page, vacancy: string): Promise<void> {
  await page.getByLabel('Vacancy', { exact: true }).click()
  await page.keyboard.type(vacancy)
  await page.getByTitle(vacancy).last().click()
}

/** Chooses another language in the menu of the account. */
async function speaks(page: Page, language: string): Promise<void> {
  await page.getByRole('button', { name: /Kumari Perera/ }).click()
  await page.getByRole('menuitem', { name: language }).click()
}

test('a visitor applies from the public page on a phone, and reads the letter of appointment', async () => {
  const [chosen, other] = [await aVacancy(), await aVacancy({ fee: 50_000, bank_account: 'Demonstration Bank' })]
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.opens('/public/home')
  await page.getByRole('link', { name: 'Job vacancies' }).click()
  await page.getByLabel('Words in the notice').fill(chosen.title)
  await page.keyboard.press('Enter')
  await heading(visitor, chosen.title)
  for (const shown of ['Accompanist', 'Faculty of Music', 'A degree in the subject', 'Stage experience'])
    await reads(page, shown)
  expect(await page.getByRole('heading', { name: other.title }).count()).toBe(0)
  await looks(visitor, 'vacancies')
  await press(visitor, 'Apply')
  await reads(page, 'Please Select at least One Vacancy to Continue')
  await page.getByRole('checkbox', { name: `Select ${chosen.title}` }).check()
  await press(visitor, 'Apply for 1 vacancy')
  await reads(page, 'Do you have an account?')
  await looks(visitor, 'vacancy-account')
  await press(visitor, 'Create new Account')
  const email = `vacancy.${Date.now()}@example.lk`
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('First Name').fill('Kumari')
  await page.getByLabel('Full Name').fill('Kumari Perera')
  await page.getByLabel('NIC').fill('199981234567')
  await page.getByLabel('Mobile No').fill('0771231231')
  await press(visitor, 'Create Account')
  await reads(page, 'Account Created Successfully!')
  expect(await page.getByRole('button', { name: /^Send the email again in \d+ s$/ }).isDisabled()).toBe(true)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await press(visitor, 'Save password')
  await reads(page, /^CONGRATULATIONS/)
  await looks(visitor, 'vacancy-congratulations')
  await press(visitor, 'Ok')
  await page.getByLabel('Password').fill(PASSWORD)
  await press(visitor, 'Sign in')

  await heading(visitor, 'You selected')
  await looks(visitor, 'vacancy-selected')
  const selected = page.getByRole('region', { name: 'You selected' })
  expect(await selected.getByRole('listitem').count()).toBe(1)
  await selected.getByRole('link', { name: 'Apply', exact: true }).click()
  await heading(visitor, 'Job application')
  await reads(page, chosen.title)
  // Only one of them has a fee.
  const slip = page.getByText('Slip of the application fee')
  await chooses(page, other.title)
  await slip.waitFor()
  await chooses(page, chosen.title)
  await slip.waitFor({ state: 'detached' })
  await press(visitor, 'Add a document')
  await page.getByLabel('Title').fill('Curriculum vitae')
  await page.locator('input[type=file]').first().setInputFiles(FILE)
  await page.getByText('cv.pdf').first().waitFor()
  await page.getByRole('checkbox', { name: /^What I have written is true/ }).check()
  await looks(visitor, 'vacancy-application')
  visitor.expects(422, '/api/cases')
  await press(visitor, 'Send')
  await reads(page, /Your record is not complete/)
  await reads(page, 'Confirm your address')
  await speaks(page, 'සිංහල')
  await page.getByRole('link', { name: 'මූලික තොරතුරු' }).click()
  await fillsInSteps(visitor)
  await speaks(page, 'English')
  await page.getByRole('link', { name: 'Go on' }).click()
  await selected.getByRole('link', { name: 'Apply', exact: true }).click()
  visitor.expects(403, '/api/cases')
  await press(visitor, 'Send')
  await reads(page, /^Confirm your email address first/)
  await confirms(email)
  await press(visitor, 'Send')
  await reads(page, 'Submitted')

  const application: Case = await until('HR sees the application', async () => {
    const { items } = await (await as('hr.ma')).get(`/api/cases?flow=${APPLICATION}&search=${chosen.title}`)
    return items[0]
  })
  // The selection was kept with the account, so it is offered on other devices, too.
  const { items } = await (
    await as('hr.ma')
  ).get(`/api/registers/platform/temporary-employee/items?search=${encodeURIComponent(email)}`)
  expect(items[0].data.request_ids).toEqual([chosen.case.id])
  await clock.passes('P21D', application)
  await isInterviewed(application)
  const appointed = { appointed_as: 'Accompanist, Grade III', report_on: day(40) }
  await (await as('registrar')).decides(application, 'select', appointed, desks.recordResult)
  await (await as('vc')).decides(application, 'approve', {}, desks.approveResult)
  await expectCase(application).toBe('Selected')

  await visitor.goes('/hr/recruitments/my_applications')
  await reads(page, 'Selected')
  await looks(visitor, 'vacancy-my-applications')
  await visitor.goes(`/cases/${application.id}`)
  await reads(page, 'Letter of appointment')
  await looks(visitor, 'vacancy-letter')
  expect(visitor.troubles()).toEqual([])
}, 180_000)

test('a notice is for search engines, for print, and gone when the vacancy is', async () => {
  const { case: vacancy, title } = await aVacancy({ subject: 'Tabla', positions: 3 })
  const visitor = await visitors.arrives({ language: 'ta' })
  const { page } = visitor
  await visitor.opens(`/jobvacancy/${vacancy.id}`)
  await heading(visitor, title)
  const written = await page.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(written ?? '')).toMatchObject({
    '@type': 'JobPosting',
    title: 'Accompanist',
    identifier: { value: vacancy.reference },
    datePosted: day(0),
    validThrough: `${day(20)}T23:59:59+05:30`,
    totalJobOpenings: 3,
  })
  await looks(visitor, 'vacancy-notice')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button').count()).toBe(0)
  await page.emulateMedia({ media: 'screen' })
  expect(visitor.troubles()).toEqual([])
  await clock.passes('P21D', vacancy)
  await expectCase(vacancy).toBe('Closed')
  visitor.expects(404, `/api/public/registers/recruitment/vacancy/items/${vacancy.id}`)
  await visitor.opens(`/jobvacancy/${vacancy.id}`)
  await heading(visitor, 'இவ்வெற்றிடம் திறந்திருக்கவில்லை')
}, 120_000)

test('somebody selects a vacancy and asks to apply by keyboard alone', async () => {
  const { title } = await aVacancy()
  const visitor = await visitors.arrives({ language: 'si' })
  const { page } = visitor
  await visitor.opens(`/jobvacancy?search=${encodeURIComponent(title)}`)
  await heading(visitor, title)
  await tabsTo(page.getByRole('checkbox'))
  await page.keyboard.press('Space')
  expect(await page.getByRole('checkbox').isChecked()).toBe(true)
  await entersAt(page.getByRole('button', { name: 'පුරප්පාඩු 1කට ඉල්ලුම් කරන්න' }))
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(visitor.troubles()).toEqual([])
})
