import { afterAll, afterEach, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { instrumentLoan } from '../../processes/instruments/instrument-loan.generated.ts'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { as } from '../platform/kit/people.ts'
import { filmOf, pictureOfBars, pictureOfQr } from '../platform/kit/pictures.ts'

let visitors: Visitors, film: Awaited<ReturnType<typeof filmOf>>
afterEach(() => visitors.close())
afterAll(() => film?.end())

/** Runs in the page before its scripts: keeps the tracks of cameras, to see whether they are stopped. */
function keepTracks(): void {
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
  const tracks: MediaStreamTrack[] = []
  Object.assign(globalThis, { tracks })
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted)
    tracks.push(...stream.getTracks())
    return stream
  }
}

const states = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { tracks: MediaStreamTrack[] }).tracks.map((one) => one.readyState))

test('the camera of a phone reads the code at the counter, and stops', async () => {
  film = await filmOf(await pictureOfQr('OM-TB-002'))
  visitors = await openBrowser(film.args)
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await page.addInitScript(keepTracks)
  await visitor.signsIn('store.keeper', '/CourseManagement/InstrumentTabHand')
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await reads(page, 'Who is it for?')
  await reads(page, 'OM-TB-002')
  expect(await states(page)).toEqual(['ended'])
  expect(visitor.troubles()).toEqual([])

  // A list has the camera beside its search, and shows what the code is on.
  const lists = await visitors.arrives({ width: NARROW })
  await lists.signsIn('store.keeper', '/CourseManagement/AllInstrument')
  await lists.page.getByRole('button', { name: 'Scan with the camera' }).click()
  await lists.page.waitForURL(/search=OM-TB-002/)
  await reads(lists.page, 'OM-TB-002')
  expect(await lists.page.getByText('OM-TB-003').count()).toBe(0)
  expect(await lists.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW)
  await lists.picture('scan-in-list')

  // On any page: once the dialog is open, codes are read without a network, kept, and looked up when it is back.
  const other = await visitors.arrives({ width: NARROW })
  await other.signsIn('store.keeper', '/inbox')
  const reader = other.page.waitForResponse((one) => one.url().endsWith('.wasm'))
  await other.page.getByRole('button', { name: 'Scan', exact: true }).click()
  await (await reader).finished()
  const scanner = other.page.getByRole('dialog', { name: 'Scan a code' })
  await other.page.context().setOffline(true)
  await scanner.getByRole('button', { name: 'Scan with the camera' }).click()
  await scanner.getByText('Looked up once there is a network').waitFor()
  const kept = () => other.page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('.scanned')))
  expect(await kept()).toEqual([expect.stringMatching(/^prakriya\.typed\./)])
  const field = await scanner.getByRole('searchbox').boundingBox()
  expect(field?.width).toBeGreaterThan(150)
  await other.picture('scan-offline')
  await other.page.context().setOffline(false)
  await scanner.getByRole('link', { name: /^Instrument: / }).click()
  await other.page.waitForURL(/\/registers\/instruments\/instrument\//)
  expect(await kept()).toEqual([])
})

test('without a camera, a picture of the code fills the field of a desk; another kind of code does not', async () => {
  const [keeper, dinuka] = await Promise.all([as('store.keeper'), as('student.dinuka')])
  const { items } = await keeper.get('/api/registers/instruments/instrument/items?search=FM-GB-004')
  const loan = await dinuka.submit(instrumentLoan.flow, {
    instrument: items[0].id,
    until: day(10),
    purpose: 'Practice',
  })
  const { id } = await keeper.task(loan, instrumentLoan.desks.handOver)
  visitors = await openBrowser()
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('store.keeper', `/tasks/${id}`)
  await page.getByRole('button', { name: 'Handed over…' }).click()
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await reads(page, 'This device has no camera')
  await visitor.picture('camera-none')
  const chooses = (name: string, buffer: Buffer) =>
    page.getByRole('dialog').locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await chooses('card.png', await pictureOfQr('https://example.org/verify/1'))
  await reads(page, 'This code does not belong here: https://example.org/verify/1')
  await chooses('label.png', await pictureOfBars('FM-GB-004'))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Barcode on the instrument').inputValue()).toBe('FM-GB-004')
  await visitor.picture('camera-desk')
  await dinuka.withdraws(loan)
})
