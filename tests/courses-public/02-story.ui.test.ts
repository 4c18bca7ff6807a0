import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { day } from '../platform/kit/days.ts'
import { NARROW, openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { entersAt, typesInto } from '../platform/kit/keyboard.ts'
import { looks } from '../platform/kit/looks.ts'
import { mailed } from '../platform/kit/mailed.ts'
import { as } from '../platform/kit/people.ts'
import { aPdf } from '../platform/kit/uploads.ts'
import { wordsIn } from '../platform/kit/words.ts'
import { aNic, anAddress, anIntake, desks } from './application.ts'
import { aReference } from '../platform/kit/payments.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

/** Who applies reads Sinhala. */
const says = wordsIn('si')
const PASSWORD = 'Prakriya2026'

test('on a phone, in Sinhala and by keyboard alone, a visitor finds a course, applies, is led to the case once confirmed, pays, and has the letter', async () => {
  const { course } = await anIntake(3)
  const address = anAddress()
  const phone = await visitors.arrives({ width: NARROW, language: 'si' })
  const { page } = phone
  await phone.opens('/public/home')
  const field = (key: string) => page.getByLabel(says(`courses-public.field.${key}`), { exact: true })
  const button = (key: string, values = {}) => page.getByRole('button', { name: says(key, values), exact: true })
  await entersAt(page.getByRole('link', { name: says('courses-public.home') }))
  await typesInto(page.getByLabel(says('courses-public.course.mode')), 'Online')
  await typesInto(page.getByLabel(says('courses-public.courses.search')), course.title)
  await entersAt(button('platform.home.search'))
  await reads(page, says('courses-public.application.free_other', { free: 3, there: 3, count: 3 }))
  await looks(phone, 'courses')
  await entersAt(page.getByRole('link', { name: course.title }))
  await page.getByRole('heading', { level: 1, name: course.title }).waitFor()
  await looks(phone, 'course')
  await entersAt(page.getByRole('link', { name: says('courses-public.application.apply') }))
  await page.getByRole('heading', { level: 1, name: `${course.title}, First intake` }).waitFor()

  const send = () => entersAt(button('courses-public.application.send'))
  await typesInto(field('contact_no'), '077')
  await typesInto(field('email'), 'nobody')
  await send()
  for (const wrong of ['phone', 'nic']) await reads(page, says(`courses-public.${wrong}-invalid`))
  await typesInto(field('fullName'), 'Kumari Perera')
  await typesInto(field('contact_no'), '0771231231')
  await typesInto(field('nic_passport'), aNic())
  await send()
  await reads(page, says('courses-public.email-invalid'))
  await typesInto(field('email'), address)
  await typesInto(field('password'), PASSWORD)
  await typesInto(field('confirm_password'), PASSWORD)
  await looks(phone, 'course-form')
  await send()
  await page.getByRole('heading', { name: says('courses-public.application.sent') }).waitFor()
  const reference = /CRS-\d{4}-\d{6}/.exec((await page.locator('main').textContent()) ?? '')?.[0] ?? ''
  await looks(phone, 'course-sent')

  // The address is confirmed in another window; this one leads on.
  const link = new URL(await mailed(address, /https?:\S+confirm-email\?token=\S+/))
  const other = await page.context().newPage()
  await other.goto(`${link.pathname}${link.search}`)
  await entersAt(other.getByRole('button', { name: says('platform.confirm-email.confirm') }))
  await reads(other, says('platform.confirm-email.done'))
  await other.close()
  await page.waitForURL('**/public/courses/my_application')
  const { items } = await (await as(address)).get('/api/cases?mine=true')
  const application = { id: items[0].id, reference }
  await (await as('ar.music')).decides(application, 'accept', {}, desks.check)
  await expectCase(application).toBe('Pending Payment')

  await reads(page, 'Bank of Ceylon, account 7702101')
  await looks(phone, 'course-payment')
  await entersAt(page.getByRole('link', { name: says('platform.case.your-turn-open') }))
  const slip = { name: 'slip.pdf', mimeType: 'application/pdf', buffer: aPdf() }
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    entersAt(page.getByRole('button').filter({ hasText: says('platform.form.file.choose') })),
  ])
  await chooser.setFiles(slip)
  await button('platform.form.file.remove', { name: 'slip.pdf' }).waitFor()
  await typesInto(field('paid_on'), day(-1).split('-').toReversed().join('/'))
  await page.keyboard.press('Enter')
  await typesInto(field('bank_reference'), aReference())
  await entersAt(button('courses-public.outcome.send-slip'))
  await (await as('shroff')).decides(application, 'verify', { receipt_no: 'SH-2' }, desks.checkPayment)
  await expectCase(application).toBe('Enrolled')
  await phone.goes('/public/courses/my_application')
  await reads(page, says('courses-public.admission-letter'))
  await looks(phone, 'course-enrolled')
  expect(phone.troubles()).toEqual([])
}, 120_000)

test('without an intake in the address, type, course and intake are chosen, and only open ones are offered', async () => {
  const { course } = await anIntake(2)
  const closed = await anIntake(2, { opens_on: day(-20), closes_on: day(-10) })
  const type = (await (await as('ar.music')).get('/api/registers/courses-public/course-type/items?limit=1')).items[0]
  const visitor = await visitors.arrives({ width: NARROW, language: 'ta' })
  const { page } = visitor
  // As if the course were on the second page of the list.
  await page.route('**/api/public/registers/courses-public/course/items?*', async (route) => {
    const { searchParams } = new URL(route.request().url())
    if (searchParams.has('cursor'))
      await route.continue({
        url: route
          .request()
          .url()
          .replace(/&?cursor=second/, ''),
      })
    else await route.fulfill({ json: { items: [], next: 'second', titles: {}, count: null } })
  })
  await visitor.opens('/public/courses/apply')
  await page.getByLabel('பாடநெறி வகை').selectOption(type.title)
  const courses = page.getByLabel('பாடநெறி', { exact: true })
  await courses.selectOption(course.title)
  expect(await courses.locator('option').allTextContents()).not.toContain(closed.course.title)
  await page.getByLabel('உள்வாங்கல்').selectOption('First intake')
  await looks(visitor, 'course-choice')
  await page.getByRole('button', { name: 'தொடர்க' }).click()
  await page.getByRole('heading', { level: 1, name: course.title }).waitFor()
  await visitor.goes(`/public/courses/${closed.course.id}`)
  await reads(page, /First intake: .*அன்று மூடப்பட்டது/)
  expect(visitor.troubles()).toEqual([])
}, 60_000)
