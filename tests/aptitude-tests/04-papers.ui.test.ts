import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { asOwner } from '../platform/kit/owner.ts'
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
  // As if it were large.
  const [stored] = await asOwner<{ id: string; size: number }>(
    'select id, size from app.file where name = $1 order by created_at desc limit 1',
    [NAME],
  )
  const weighs = (size?: number) => asOwner('update app.file set size = $2 where id = $1', [stored?.id, size])
  await weighs(100_000_001)
  await page.getByRole('button', { name: 'Add a paper' }).click()
  await page.locator('input[type=file]').setInputFiles(chosen)
  await reads(page, 'Papers: The files are together larger than 100.0 MB')
  await page.getByRole('button', { name: 'Remove row 2' }).click()
  office.expects(422, '/api/registers/aptitude-tests/paper/items')
  await page.getByRole('button', { name: 'Save' }).click()
  await reads(page, 'The files are together larger than 100 MB')
  await weighs(stored?.size)
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
