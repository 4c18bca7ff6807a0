import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { filmOf, pictureOfQr } from '../platform/kit/pictures.ts'

const items = (register: string) => `/api/registers/instruments/${register}/items`
/** Distinguishes the instruments of this run: what other tests lend and take back has moved during a count. */
const run = String(randomInt(100_000, 999_999))
const codes = [1, 2, 3].map((n) => `CT-${run}-${n}`)

let keeper: Person
/** Of a department that has these three instruments. */
let count: string
let visitors: Visitors
let film: Awaited<ReturnType<typeof filmOf>> | undefined

beforeAll(async () => {
  keeper = await as('store.keeper')
  const [department, category] = await Promise.all([
    keeper.get('/api/registers/platform/department/items?search=Graphic'),
    keeper.get(`${items('category')}?limit=1`),
  ])
  const of = { department: department.items[0].id, category: category.items[0].id }
  for (const barcode of codes)
    await keeper.ok('POST', items('instrument'), {
      data: { ...of, barcode, name: 'Drum', condition: 'good', value: 100_000 },
    })
  const data = { name: `Count ${run}`, department: of.department }
  count = (await keeper.ok('POST', items('count'), { data })).id
  const first = (await keeper.get(`${items('instrument')}?search=${codes[0]}`)).items[0].id
  await keeper.ok('POST', items('counted'), { data: { count, instrument: first, code: codes[0] } })
})
afterEach(() => visitors.close())
afterAll(async () => {
  film?.end()
  // The department can be counted again.
  const { version } = await keeper.get(`${items('count')}/${count}`)
  const headers = { 'if-match': `"${version}"` }
  await keeper.ok('POST', `${items('count')}/${count}/status`, { status: 'Cancelled' }, headers)
})

test('on a phone, codes are scanned one after the other, and the result says what is missing', async () => {
  visitors = await openBrowser()
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('store.keeper', `/CourseManagement/InstrumentCounts/${count}`)
  await page.getByRole('link', { name: 'Count instruments' }).click()
  await reads(page, '1 counted')
  await page.getByLabel('Found at').fill('Room 14')
  const code = page.getByRole('searchbox', { name: 'Scan or type the code' })
  const scans = async (barcode: string) => {
    await code.fill(barcode)
    await code.press('Enter')
  }
  await scans(codes[1]!.toLowerCase())
  await reads(page, `${codes[1]} Drum is counted`)
  await reads(page, '2 counted')
  expect(await code.inputValue()).toBe('')
  visitor.expects(422, '/api/registers/instruments/counted/items')
  await scans(codes[0]!)
  await reads(page, /This instrument is counted already/)
  await scans('NOTHING-1')
  await reads(page, 'Nothing has the code NOTHING-1')
  await visitor.picture('instrument-tally')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW)
  expect(visitor.troubles()).toEqual([])

  await visitor.goes(`/reports/instruments/stock-count?count=${count}&finding=not-yet`)
  await reads(page, codes[2]!)
  expect(await page.getByText(codes[1]!).count()).toBe(0)
  await visitor.picture('instrument-stock-count')
})

test('the camera stays open, and counts what stays before it once', async () => {
  film = await filmOf(await pictureOfQr('OM-TB-002'))
  visitors = await openBrowser(film.args)
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('store.keeper', `/CourseManagement/InstrumentCounts/${count}/scan`)
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/OM-TB-002 Tabla.* is counted/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await reads(page, '3 counted')
  expect(visitor.troubles()).toEqual([])
})
