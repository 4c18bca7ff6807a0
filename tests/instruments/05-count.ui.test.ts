import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { filmOf, pictureOfQr } from '../platform/kit/pictures.ts'

let keeper: Person
/** The count of the demo data, with two drums. */
let count: string
let visitors: Visitors
let film: Awaited<ReturnType<typeof filmOf>> | undefined
beforeAll(async () => {
  keeper = await as('store.keeper')
  count = (await keeper.get('/api/registers/instruments/count/items?search=folk')).items[0].id
})
afterAll(() => film?.end())
afterEach(async () => {
  await visitors.close()
  // What a test has counted can be counted again.
  for (const code of ['FM-GB-004', 'OM-TB-002']) {
    const { items } = await keeper.get(`/api/registers/instruments/counted/items?filter.count=${count}&search=${code}`)
    for (const { id, version, status } of items)
      if (status === 'Entered')
        await keeper.ok(
          'POST',
          `/api/registers/instruments/counted/items/${id}/status`,
          { status: 'Withdrawn' },
          { 'if-match': `"${version}"` },
        )
  }
})

test('on a phone, codes are scanned one after the other, and the result says what is missing', async () => {
  visitors = await openBrowser()
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('store.keeper', `/CourseManagement/InstrumentCounts/${count}`)
  await page.getByRole('link', { name: 'Count instruments' }).click()
  await reads(page, '2 counted')
  await page.getByLabel('Found at').fill('Room 14')
  const code = page.getByRole('searchbox', { name: 'Scan or type the code' })
  const scans = async (barcode: string) => {
    await code.fill(barcode)
    await code.press('Enter')
  }
  await scans('fm-gb-004')
  await reads(page, /FM-GB-004 Geta bera.* is counted/)
  await reads(page, '3 counted')
  expect(await code.inputValue()).toBe('')
  visitor.expects(422, '/api/registers/instruments/counted/items')
  await scans('FM-GB-001')
  await reads(page, /This instrument is counted already/)
  await scans('NOTHING-1')
  await reads(page, 'Nothing has the code NOTHING-1')
  await visitor.picture('instrument-tally')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW)
  expect(visitor.troubles()).toEqual([])

  await visitor.goes(`/reports/instruments/stock-count?count=${count}&finding=not-yet`)
  await reads(page, 'FM-YB-001')
  expect(await page.getByText('FM-GB-004').count()).toBe(0)
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
