import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../platform/kit/axe.ts'
import { day } from '../platform/kit/days.ts'
import { NARROW, openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, send } from '../platform/kit/people.ts'
import { OPEN, aNic, aTest, anAddress, mailed } from './application.ts'
import { aReference } from '../platform/kit/payments.ts'
import { aPdf } from '../platform/kit/uploads.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const PASSWORD = 'Prakriya2026'
const SLIP = { name: 'slip.pdf', mimeType: 'application/pdf', buffer: aPdf() }

/** Fills in the form up to the account. */
async function fills(page: Page, nic: string): Promise<void> {
  await page.getByLabel('Full name').fill('Kumari Perera')
  await page.getByLabel('NIC', { exact: true }).fill(nic)
  await page.getByLabel('Mobile number').fill('0771231231')
  await page.getByLabel('A/L index number').fill('3012499')
  await page.getByRole('button', { name: 'Add a degree program' }).click()
  const first = page.getByRole('group', { name: 'Degree program 1' })
  await first.getByLabel('Degree program', { exact: true }).selectOption('BPA in Western Music')
  await first.getByLabel('Music subject').selectOption('Western Music')
  await first.getByLabel('Grade').selectOption('B')
  for (const [at, subject] of ['Sinhala', 'Geography'].entries()) {
    await page.getByRole('button', { name: 'Add a subject' }).click()
    const row = page.getByRole('group', { name: `A/L subject ${at + 1}` })
    await row.getByLabel('Subject name').fill(subject)
    await row.getByLabel('Grade').selectOption('S')
  }
  await page.getByLabel('General English grade').selectOption('C')
  await page.getByLabel('Common general test marks').fill('61')
}

test('on a phone, a visitor applies, confirms the address, pays, and finds card and exam links', async () => {
  const exam = await aTest()
  const address = anAddress()
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  await phone.opens('/public/home')
  await page.getByRole('link', { name: 'Register for an aptitude test' }).click()
  const entry = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: exam.title }) })
  await expectAccessible(page)
  await looks(phone, 'aptitude-registration')
  await entry.getByRole('link', { name: 'Apply' }).click()
  await page.getByRole('heading', { level: 1, name: exam.title }).waitFor()

  await page.getByRole('button', { name: 'Create account and send' }).click()
  await reads(page, 'Please Enter a valid name')
  await reads(page, 'Please enter valid Index Number')
  await fills(page, aNic())
  expect(await page.getByLabel('Confirm password').count()).toBe(0)
  await page.getByLabel('I declare').check()
  await page.getByLabel('Email', { exact: true }).fill(address)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await reads(page, 'Valid Email')
  await page.getByLabel('Confirm password').fill(`${PASSWORD}!`)
  await page.getByRole('button', { name: 'Create account and send' }).click()
  await reads(page, 'Password Mismatch')
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await expectAccessible(page)
  await looks(phone, 'aptitude-form')
  await page.getByRole('button', { name: 'Create account and send' }).click()
  await page.getByRole('heading', { name: 'Account Created Successfully!' }).waitFor()
  await page.getByRole('button', { name: /^Send the email again in/ }).waitFor()
  await looks(phone, 'aptitude-sent')
  const text = (await page.locator('main').textContent()) ?? ''
  const reference = /APT-\d{4}-\d{6}/.exec(text)?.[0] ?? ''

  await page.getByRole('link', { name: 'Go to my application' }).click()
  await reads(page, 'Submitted')
  const link = new URL(await mailed(address, /https?:\S+confirm-email\?token=\S+/))
  await phone.goes(`${link.pathname}${link.search}`)
  await page.getByRole('button', { name: /^Confirm/ }).click()
  const applicant = await as(address)
  const { items } = await applicant.get('/api/cases?mine=true')
  const application = { id: items[0].id, reference }
  await expectCase(application).toBe('Pending Payment')

  await phone.goes('/aptitude_test/applicant/paymentinfo')
  await reads(page, 'Bank of Ceylon, account 7701122')
  await reads(page, /cash deposit machines are not allowed/)
  await looks(phone, 'aptitude-payment')
  await page.getByRole('link', { name: 'Answer' }).click()
  await page.locator('input[type=file]').setInputFiles(SLIP)
  await page.getByRole('button', { name: /^Remove/ }).waitFor()
  const paid = page.getByLabel('Paid on')
  await paid.fill(day(-1).split('-').toReversed().join('/'))
  await paid.press('Enter')
  await page.getByLabel('Bank reference').fill(aReference())
  await page.getByRole('button', { name: 'Send the slip' }).click()
  await (await as('ma.examinations')).decides(application, 'verify', { receipt_no: 'EX-2' })
  await expectCase(application).toBe('Admission Card Issued')

  await phone.goes('/aptitude_test/applicant/examlinks')
  await reads(page, 'No times and places are set yet.')
  await phone.goes('/aptitude_test/applicant/view')
  await reads(page, 'Admission card')
  await looks(phone, 'aptitude-admitted')
  expect(phone.troubles()).toEqual([])
}, 120_000)

test('the office keeps the tests, and nobody applies outside the window or for a test that is not there', async () => {
  const office = await visitors.arrives()
  await office.signsIn('ma.examinations', '/aptitutetest/all')
  await reads(office.page, 'Aptitude test 2025/2026')
  await looks(office, 'aptitude-tests')

  const visitor = await visitors.arrives({ width: NARROW, language: 'si' })
  const { items } = (await send('GET', OPEN)).body
  const closed = items.find(({ title }: any) => title === 'Aptitude test 2025/2026')
  await visitor.opens(`/aptitude_test_application_form?id=${closed.id}`)
  await visitor.page.waitForURL('**/aptitude_test_registration')
  await reads(visitor.page, 'ලියාපදිංචිය වසා ඇත')
  await visitor.opens('/aptitude_test_application_form?id=none')
  await reads(visitor.page, 'දෝෂයකි! දත්ත නැත')
  for (const one of [office, visitor]) expect(one.troubles()).toEqual([])
}, 60_000)
