import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { instrumentLoan } from '../../processes/instruments/instrument-loan.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitors } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { PIXEL, uploads } from '../platform/kit/uploads.ts'

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors.close())

test('on a phone, a scanned barcode leads to the return of a lent instrument, or to a new loan for somebody', async () => {
  const [keeper, dinuka] = await Promise.all([as('store.keeper'), as('student.dinuka')])
  const { items } = await keeper.get('/api/registers/instruments/instrument/items?search=FM-GB-003')
  const data = { instrument: items[0].id, until: day(10), purpose: 'Practice' }
  const loan = await dinuka.submit(instrumentLoan.flow, data)
  const photo = await uploads(keeper, 'photo.png', PIXEL)
  const good = { barcode: 'FM-GB-003', condition: 'good', photo }
  await keeper.decides(loan, 'handed-over', good, instrumentLoan.desks.handOver)
  await expectCase(loan).toBe('Lent')
  await keeper.task(loan, instrumentLoan.desks.takeBack)

  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('store.keeper', '/CourseManagement/InstrumentTabHand')
  const code = page.getByRole('searchbox', { name: 'Scan or type the code' })
  const scans = async (barcode: string) => {
    await code.fill(barcode)
    await code.press('Enter')
  }
  await scans('NOTHING-1')
  await page.getByText('Nothing has the code NOTHING-1').waitFor()
  await visitor.picture('instrument-counter')
  await scans('fm-gb-003')
  await page
    .getByRole('heading', { name: /Geta bera/ })
    .first()
    .waitFor()
  expect(page.url()).toContain('/tasks/')
  await visitor.picture('instrument-return')

  await visitor.goes('/CourseManagement/InstrumentTabHand')
  await scans('OM-TB-003')
  await page.getByText('Who is it for?').waitFor()
  await page.getByText('OM-TB-003').first().waitFor()
  await visitor.picture('instrument-issue')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW)
  // A photograph is kept also if nothing is damaged.
  const back = await uploads(keeper, 'back.png', PIXEL)
  const returned = { barcode: 'FM-GB-003', condition: 'good', photo: back }
  await keeper.decides(loan, 'returned', returned, instrumentLoan.desks.takeBack)
  await expectCase(loan).toBe('Returned')
  const [sent] = await asOwner<{ photo: string }>(
    `select data ->> 'photo' as photo from app.submission where case_id = $1 and form_key = 'instruments/return'`,
    [loan.id],
  )
  expect(sent?.photo).toBe(back)
})

test('on a phone, an instrument is handed over and taken back by its scanned barcode, with condition and photo', async () => {
  const [keeper, dinuka] = await Promise.all([as('store.keeper'), as('student.dinuka')])
  const { items } = await keeper.get('/api/registers/instruments/instrument/items?search=FM-GB-003')
  const data = { instrument: items[0].id, until: day(10), purpose: 'Practice' }
  const loan = await dinuka.submit(instrumentLoan.flow, data)
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('store.keeper', '/CourseManagement/InstrumentTabHand')
  const notes = async (desk: string, outcome: string, condition: string) => {
    const { id } = await keeper.task(loan, desk)
    await visitor.opens(`/tasks/${id}`)
    await page.getByRole('button', { name: `${outcome}…` }).click()
    await page.getByRole('textbox', { name: 'Barcode on the instrument' }).fill('FM-GB-003')
    await page.getByRole('textbox', { name: 'Barcode on the instrument' }).press('Enter')
    await page.getByRole('radio', { name: condition }).check()
    const photo = { name: `${condition}.png`, mimeType: 'image/png', buffer: PIXEL }
    await page.locator('input[type=file]').setInputFiles(photo)
    await page.getByRole('button', { name: `Remove the file ${condition}.png` }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW)
    await expectAccessible(page)
    await visitor.picture(`instrument-${condition}`)
    await page.getByRole('button', { name: outcome, exact: true }).click()
  }
  await notes(instrumentLoan.desks.handOver, 'Handed over', 'Good')
  await expectCase(loan).toBe('Lent')
  await notes(instrumentLoan.desks.takeBack, 'Returned as lent', 'Fair')
  await expectCase(loan).toBe('Returned')
  const [entry] = (await keeper.get(`/api/registers/instruments/loan/items?search=${loan.reference}`)).items
  expect(entry.data).toMatchObject({ condition_out: 'good', condition_back: 'fair' })
  const sent = await asOwner<{ form: string; photo: string }>(
    `select form_key as form, data ->> 'photo' as photo from app.submission
     where case_id = $1 and data ->> 'barcode' is not null order by at`,
    [loan.id],
  )
  expect(sent.map(({ form }) => form)).toEqual(['instruments/hand-over', 'instruments/return'])
  for (const { photo } of sent)
    expect((await keeper.bytes(`/api/files/${photo}`)).subarray(1, 4).toString()).toBe('PNG')
  expect(visitor.troubles()).toEqual([])
})
