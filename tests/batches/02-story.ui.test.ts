import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, openBrowser, type Visitors } from '../platform/kit/browser.ts'
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
