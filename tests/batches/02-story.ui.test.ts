import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { as } from '../platform/kit/people.ts'
import { wordsIn } from '../platform/kit/words.ts'

const t = wordsIn('en')
let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('an administrator comes from the batches to the students and to a first advertisement', async () => {
  const office = await visitors.arrives()
  await office.signsIn('admin', '/ma/batch/all')
  const { page } = office
  await page
    .getByRole('link', { name: /Master of Performing Arts 2025/ })
    .first()
    .click()
  await page.waitForURL(/\/batch\/view\//)
  await page.getByRole('link', { name: t('batches.screen.advertise') }).waitFor()
  await looks(office, 'batch')
  await page.getByRole('link', { name: t('batches.screen.advertise') }).click()
  await page.waitForURL(/\/advertisement\/create\//)
  await page
    .getByText(/Master of Performing Arts 2025/)
    .first()
    .waitFor()
  await looks(office, 'advertisement-new')
})

test('an undergraduate batch leads to its students, and to no advertisement', async () => {
  const office = await visitors.arrives()
  const { items } = await (await as('admin')).get('/api/registers/batches/batch/items?search=Oriental Music 2025')
  const { page } = office
  // By the register of advertisements the page knows that it offers none.
  const asked = page.waitForResponse((one) => one.url().endsWith('/api/registers/batches/advertisement'))
  await office.signsIn('admin', `/batch/view/${items[0].id}`)
  await Promise.all([asked, page.locator(`a[href="/batch/students/${items[0].id}"]`).waitFor()])
  expect(await page.getByRole('link', { name: t('batches.screen.advertise') }).count()).toBe(0)
  // Typed by hand, the address opens no form: neither of this batch, nor of one that the reader does not see.
  await office.goes(`/batch/postgraduate/advertisement/create/${items[0].id}`)
  await page.getByText(t('platform.register-page.not-for', { name: items[0].title })).waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  const { items: postgraduate } = await (
    await as('admin')
  ).get('/api/registers/batches/batch/items?selection=postgraduate&limit=1')
  const elsewhere = await visitors.arrives()
  elsewhere.expects(404, `/api/registers/batches/batch/items/${postgraduate[0].id}`)
  await elsewhere.signsIn('ma.dance', `/batch/postgraduate/advertisement/create/${postgraduate[0].id}`)
  await elsewhere.page.getByRole('heading', { name: t('platform.not-allowed.title') }).waitFor()
})

test('a Management Assistant and student affairs come from the intakes to pages of their own', async () => {
  const ma = await visitors.arrives()
  await ma.signsIn('ma.music', '/intake/all')
  await ma.page.getByRole('link', { name: /2025/ }).first().click()
  await ma.page.waitForURL(/\/ma\/viewIntake\//)
  const number = ma.page.getByRole('link', { name: new RegExp(t('intakes.number.unregistered')) })
  await number.getByText(/\d$/).waitFor()
  const counted = (await number.locator('em').innerText()).trim()
  expect(await ma.page.getByRole('heading', { name: t('intakes.report.progress') }).count()).toBe(0)
  await looks(ma, 'intake-ma')
  await number.click()
  await ma.page.waitForURL(/status=unregistered/)
  await ma.page.getByText(counted, { exact: true }).first().waitFor()
  await looks(ma, 'intake-ma-unregistered')

  const affairs = await visitors.arrives()
  await affairs.signsIn('ma.welfare', '/intake/all')
  await affairs.page.getByRole('link', { name: /2025/ }).first().click()
  await affairs.page.waitForURL(/\/studentaffairs\/viewIntake\//)
  await affairs.page.getByRole('heading', { name: t('intakes.report.progress') }).waitFor()
  await affairs.page.getByRole('cell', { name: 'Faculty of Music' }).waitFor()
  expect(await affairs.page.getByRole('heading', { name: t('platform.front.for-me') }).count()).toBe(0)
  await looks(affairs, 'intake-affairs')
})

test('a Dean comes from an intake to its students, and a Head from the own students to a profile', async () => {
  const dean = await visitors.arrives({ width: NARROW })
  await dean.signsIn('dean.music', '/intake/all')
  await dean.page.getByRole('link', { name: /2025/ }).first().click()
  await dean.page.waitForURL(/\/ma\/viewIntake\//)
  await looks(dean, 'intake')

  const head = await visitors.arrives({ width: NARROW })
  const [own] = (await (await as('hod.music')).get('/api/registers/platform/student/items?limit=1')).items
  await head.signsIn('hod.music', '/hod/students')
  await head.page.getByRole('link', { name: own.title }).first().click()
  await head.page.waitForURL(/\/hod\/student-profile\//)
  await looks(head, 'student-of-head')
})

test('a lecturer finds the students that they advise from the start page', async () => {
  const lecturer = await visitors.arrives({ width: NARROW })
  await lecturer.signsIn('lecturer.perera', '/')
  const { page } = lecturer
  await page.getByRole('link', { name: new RegExp(t('batches.screen.advised')) }).click()
  await page.waitForURL(/\/adviser\/students/)
  await looks(lecturer, 'advised-students')
  await page
    .getByRole('link', { name: /Chathura/ })
    .first()
    .click()
  await page.getByText(t('batches.batch.advisers')).waitFor()
  await reads(page, 'Oriental Music 2025/2026')
  await looks(lecturer, 'advised-student')
  // They see neither the register of batches nor the batch; its name comes with the student.
  expect(lecturer.troubles()).toEqual([])
  // The way back leads to the students that they advise.
  await page.getByRole('link', { name: t('platform.register.student'), exact: true }).click()
  await page.waitForURL(/\/registers\/platform\/student$/)
  await page
    .getByRole('link', { name: /Chathura/ })
    .first()
    .waitFor()
  expect(lecturer.troubles()).toEqual([])
  // Who advises nobody is told of no empty list; it is asked for all the same.
  const other = await visitors.arrives()
  const counted = other.page.waitForResponse((one) => one.url().includes('entrusted=true'))
  await other.signsIn('lecturer.sivakumar', '/')
  expect((await (await counted).json()).items).toEqual([])
  await other.page.getByRole('heading', { name: t('platform.front.start') }).waitFor()
  const start = other.page.getByRole('main')
  expect(await start.getByRole('link', { name: new RegExp(t('batches.screen.advised')) }).count()).toBe(0)
})
