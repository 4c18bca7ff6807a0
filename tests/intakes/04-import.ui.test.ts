import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { wordsIn } from '../platform/kit/words.ts'

const t = wordsIn('en')
/** Distinguishes this run's students from those of an earlier one on the same data. */
const run = String(randomInt(100_000, 999_999))

let visitors: Visitors
let admin: Person
let intake: string
beforeAll(async () => {
  ;[visitors, admin] = await Promise.all([openBrowser(), as('admin')])
  const years = await admin.get('/api/registers/year-renewals/academic-year/items?search=2027')
  const data = { name: `CSV ${run}`, academic_year: years.items[0].id, starts_on: '2027-01-05' }
  intake = (await admin.ok('POST', '/api/registers/intakes/intake/items', { data })).id
})
afterAll(() => visitors?.close())

const HEAD = 'reg_no,full_name,nic,email,faculty,programme'
const lineOf = (n: number, { regNo = `CSV/${run}/${n}`, name = `Imported ${run} ${n}` } = {}) =>
  `${regNo},${name},2006${run}${n}0,csv.${run}.${n}@students.example.lk,FOM,Western Music`
const csvOf = (...lines: string[]) => [HEAD, ...lines].join('\n')
const counted = async () =>
  (await admin.get(`/api/registers/platform/student/items?filter.intake=${intake}`)).count.value

test('student affairs import students of an intake: two mistakes are named, nothing is half imported, then all are', async () => {
  const office = await visitors.arrives()
  const { page } = office
  await office.signsIn('head.welfare', `/intake/studentlist/${intake}`)
  await page.getByRole('link', { name: t('platform.register-import.open') }).click()
  const check = page.getByRole('button', { name: t('platform.register-import.look') })
  const wrong = csvOf(lineOf(1), lineOf(2, { regNo: `CSV/${run}/1` }), lineOf(3, { name: '' }))
  await page.getByLabel(t('platform.register-import.paste')).fill(wrong)
  await check.click()
  await reads(page, 'There are 2 mistakes in the file. Nothing was added.')
  // Each is named at its line, and in the preview at its cell.
  const told = page.getByRole('region', { name: t('platform.register-import.reason') })
  const rowOf = (line: number) => told.getByRole('row', { name: new RegExp(`^${line} `) })
  await rowOf(3).getByRole('cell', { name: 'Duplicated value', exact: true }).waitFor()
  await rowOf(4).getByRole('cell', { name: 'Value is empty', exact: true }).waitFor()
  expect(await page.locator('td[data-wrong]').allInnerTexts()).toEqual([
    expect.stringMatching(/CSV\/\d+\/1\s+Duplicated value/),
    expect.stringContaining('Value is empty'),
  ])
  await looks(office, 'intake-import-wrong')
  expect(await page.getByRole('button', { name: /^Import \d+ rows?$/ }).count()).toBe(0)
  expect(await counted()).toBe(0)

  const buffer = Buffer.from(csvOf(lineOf(1), lineOf(2), lineOf(3)))
  await page.locator('input[type=file]').setInputFiles({ name: 'students.csv', mimeType: 'text/csv', buffer })
  await reads(page, '3 rows, no mistake. Nothing has been added yet.')
  await looks(office, 'intake-import-ready')
  // The check has added nothing.
  expect(await counted()).toBe(0)
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  await reads(page, '3 rows were added')
  for (const n of [1, 2, 3]) await page.getByRole('link', { name: `Imported ${run} ${n}` }).waitFor()
  expect(await counted()).toBe(3)
  expect(office.troubles()).toEqual([])
}, 120_000)

test('of five thousand rows the page says how many are checked and added, to screen readers too', async () => {
  const office = await visitors.arrives({ width: NARROW })
  const { page } = office
  await office.signsIn('head.welfare', `/registers/platform/student/import?intake=${intake}`)
  const rows = Array.from({ length: 5000 }, (_, n) => {
    const number = String(n).padStart(4, '0')
    return `BIG/${run}/${n},Big ${run} ${n},1${run}${number}0,big.${run}.${n}@students.example.lk,FOM,Western Music`
  })
  const buffer = Buffer.from(csvOf(...rows))
  await page.locator('input[type=file]').setInputFiles({ name: 'students.csv', mimeType: 'text/csv', buffer })
  const bar = page.getByRole('progressbar', { name: t('platform.entry-batch.progress') })
  await bar.waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /^[\d,]+ of 5000 rows checked$/ })
    .waitFor()
  await reads(page, '5000 rows, no mistake. Nothing has been added yet.')
  await page.getByRole('button', { name: 'Import 5000 rows' }).click()
  // Between nothing and all of them.
  const partly = /^([1-9]\d*) of 5000 rows added$/
  await page.getByText(partly).filter({ visible: true }).first().waitFor()
  await office.picture('intake-import-progress')
  const live = page.locator('[aria-live=polite]').filter({ hasText: / of 5000 rows added$/ })
  expect(await live.count()).toBe(1)
  await reads(page, '5000 rows were added')
  expect(office.troubles()).toEqual([])
}, 180_000)
