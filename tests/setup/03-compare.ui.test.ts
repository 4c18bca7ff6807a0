import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBrowser, type Visitors } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { as } from '../platform/kit/people.ts'
import { wordsIn } from '../platform/kit/words.ts'

const t = wordsIn('en')
let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

interface Place {
  year: number
  semester: number
  kind: string
  credits: number
  /** Codes of its prerequisites. */
  needs: string
}
interface Row {
  subject: { title: string }
  is: 'added' | 'removed' | 'changed' | 'same'
  before: Place | null
  after: Place | null
}

test('two versions of a curriculum stand side by side, with what differs and the credits of both', async () => {
  const admin = await as('admin')
  const { items } = await admin.get('/api/registers/setup/curriculum/items?limit=50')
  const newest = items.find((one: { data: { version: number } }) => one.data.version === 2)
  const told = await admin.get(`/api/setup/curriculums/${newest.id}/comparison`)
  const rows: Row[] = told.rows
  const different = rows.filter(({ is }) => is !== 'same')
  expect(new Set(different.map(({ is }) => is)).size).toBeGreaterThan(1)
  expect(rows.length).toBeGreaterThan(different.length)

  const office = await visitors.arrives()
  await office.signsIn('admin', `/ma/curriculums/view/${newest.id}`)
  const { page } = office
  await page.getByRole('link', { name: t('platform.register-page.compare') }).click()
  await page.waitForURL('**/ma/curriculums/compare/*')
  const table = page.getByRole('region', { name: t('setup.compare.difference') }).getByRole('table')
  await table.waitFor()
  const shown = () =>
    table.locator('tbody tr').evaluateAll((all) => all.map((tr) => [...tr.children].map((cell) => cell.textContent)))
  const place = (of: Place | null) => (of === null ? '' : t('setup.compare.place', { ...of }))
  const asRow = ({ subject, is, before, after }: Row) => [
    ...[subject.title, (after ?? before)?.needs ?? '', t(`setup.compare.${is}`), place(before), place(after)],
  ]
  expect(await shown()).toEqual(different.map(asRow))
  for (const credits of [told.credits.before, told.credits.after])
    await table.getByText(t('setup.compare.total', { credits })).first().waitFor()
  await looks(office, 'curriculums-compared')
  await page.getByRole('checkbox', { name: t('setup.compare.only-differences') }).uncheck()
  await table.getByText(t('setup.compare.same')).first().waitFor()
  expect(await shown()).toEqual(rows.map(asRow))
})
