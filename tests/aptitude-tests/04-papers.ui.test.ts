import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { as } from '../platform/kit/people.ts'
import { PDF } from '../platform/kit/uploads.ts'
import { aTest } from './application.ts'

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const NAME = 'western-music-theory-and-aural.pdf'

test('papers of a test are files with titles, which nobody else reads', async () => {
  const { id } = await aTest()
  const office = await visitors.arrives()
  const { page } = office
  await office.signsIn('ma.examinations', `/registers/aptitude-tests/paper/new?test=${id}`)
  await page.getByLabel('Degree program').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Add a paper' }).click()
  await page.getByRole('textbox', { name: 'Title, row 1' }).fill('Theory')
  await page.getByRole('button', { name: 'Save' }).click()
  await reads(page, 'Please fill the all fields!!')

  const chosen = { name: NAME, mimeType: 'application/pdf', buffer: PDF }
  await page.route('**/api/files', (route) => route.abort())
  await page.locator('input[type=file]').setInputFiles(chosen)
  await reads(page, 'Cannot Upload Documents')
  office.troubles()
  await page.unroute('**/api/files')
  await page.locator('input[type=file]').setInputFiles(chosen)
  await page.getByRole('button', { name: `${NAME.slice(0, 25)}…`, exact: true }).waitFor()
  await looks(office, 'aptitude-papers')
  await page.getByRole('button', { name: 'Save' }).click()
  await reads(page, 'Files uploaded successfully')

  const entry = new URL(page.url()).pathname.split('/').at(-1)!
  await office.goes(`/examination/aptitude_test_paper/${entry}`)
  await reads(page, 'Theory')
  await looks(office, 'aptitude-paper')
  await office.goes(`/examination/aptitude_tests/${id}`)
  await page.getByRole('link', { name: 'BPA in Western Music' }).waitFor()
  expect(office.troubles()).toEqual([])

  const dean = await as('dean.dance-and-drama')
  await dean.get(`/api/registers/aptitude-tests/aptitude-test/items/${id}`)
  expect((await dean.send('GET', `/api/registers/aptitude-tests/paper/items/${entry}`)).status).toBe(404)
}, 60_000)
