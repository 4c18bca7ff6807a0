import { afterAll, beforeAll, test } from '@jest/globals'
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
