import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { as } from '../platform/kit/people.ts'
import { filmOf, pictureOfBars, pictureOfQr } from '../platform/kit/pictures.ts'

let visitors: Visitors, film: Awaited<ReturnType<typeof filmOf>>
beforeAll(async () => {
  film = await filmOf(await pictureOfQr('https://example.org/verify/1'))
  visitors = await openBrowser(film.args)
})
afterAll(async () => {
  await visitors.close()
  film.end()
})

test('a student takes the photo for the card, and cuts it to its shape', async () => {
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('student.amaya', '/start/id-cards/duplicate-card')
  await page.getByRole('button', { name: 'Take a photo' }).click()
  await page.locator('video[data-on]').waitFor()
  await page.getByRole('button', { name: 'Other camera' }).click()
  await page.locator('video[data-on][data-mirrored]').waitFor()
  await visitor.picture('camera-photo')
  await page.getByRole('button', { name: 'Take this photo' }).click()
  const sent = page.waitForResponse((answer) => answer.url().endsWith('/api/files'))
  await page.getByRole('button', { name: 'Use this part' }).click()
  expect(await (await sent).json()).toMatchObject({ name: 'photo.jpg', contentType: 'image/jpeg' })
  await page.getByRole('button', { name: 'Remove the file photo.jpg' }).waitFor()
  expect(visitor.troubles()).toEqual([])
})

test('at the counter, the bar code of a prepared card leads to its task, though its QR code is seen as well', async () => {
  const ma = await as('ma.music')
  const { items } = await ma.get('/api/registers/id-cards/card/items?status=In%20Preparation&search=Weerakoon')
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('ma.music', '/ma/handOverIDCards')
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await reads(page, 'This code does not belong here: https://example.org/verify/1')
  const card = { name: 'card.png', mimeType: 'image/png', buffer: await pictureOfBars(items[0].data.number) }
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(card)
  await page.waitForURL(/\/tasks\//)
  await reads(page, /Piumi Weerakoon/)
})
