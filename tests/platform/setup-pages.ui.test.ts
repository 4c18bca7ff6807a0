import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { expectAccessible } from './kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { as } from './kit/people.ts'

let visitors: Visitors
let admin: Visitor
/** Distinguishes this run's entries from those of an earlier one on the same data. */
const run = String(randomInt(100_000, 999_999))

beforeAll(async () => {
  visitors = await openBrowser()
  admin = await visitors.arrives()
  await admin.signsIn('admin', '/inbox')
  await admin.page.getByRole('heading', { level: 1 }).waitFor()
})
afterAll(() => visitors?.close())
afterEach(() => expect(admin.troubles()).toEqual([]))

const heading = (name: string | RegExp, { page }: Visitor = admin) =>
  page.getByRole('heading', { name, level: 1 }).waitFor()

const idOf = async (register: string, search: string): Promise<string> =>
  (await (await as('admin')).get(`/api/registers/platform/${register}/items?search=${encodeURIComponent(search)}`))
    .items[0].id

describe('the pages of the set-up', () => {
  test('are closed to people who do not manage them', async () => {
    const lecturer = await visitors.arrives()
    await lecturer.signsIn('lecturer.perera', '/faculty_department/unit/create')
    await heading('This page is not open to you', lecturer)
    expect(lecturer.troubles()).toEqual([])
    await lecturer.page.context().close()
  })

  test('create a unit in one place only, and show it there', async () => {
    const { page } = admin
    await admin.goes('/faculty_department/unit/create')
    await heading('New unit')
    admin.expects(422, '/api/registers/platform/unit/items')
    await page.getByLabel('Name of the unit').fill(`Puppetry ${run}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await reads(page, 'There is a problem with')
    await page.getByLabel('Code').fill(`PUP-${run}`)
    for (const [label, search, name] of [
      ['Department', 'drama', 'Department of Drama and Theatre'],
      ['Division', 'library', 'Library Services Division'],
    ] as const) {
      await page.getByRole('combobox', { name: label }).fill(search)
      await page.getByTitle(name).click()
    }
    await page.getByRole('button', { name: 'Save' }).click()
    await reads(page, 'Only one unit can be named here')
    await page.getByRole('combobox', { name: 'Division' }).hover()
    await page.locator('.ant-select-clear').last().click()
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(`Puppetry ${run} PUP-${run}`)

    // Somebody else renames it: a reader who returns at once sees the new name.
    const place = new URL(page.url()).pathname
    const address = `/api/registers/platform/unit/items/${await idOf('unit', `PUP-${run}`)}`
    const { data, version } = await (await as('admin')).get(address)
    await admin.goes('/inbox')
    await heading(/^Inbox/)
    const renamed = { data: { ...data, name: `Puppet theatre ${run}` } }
    await (await as('admin')).ok('PUT', address, renamed, { 'if-match': `"${version}"` })
    await admin.goes(place)
    await heading(`Puppet theatre ${run} PUP-${run}`)

    const drama = await idOf('department', 'drama')
    await admin.goes(`/faculty_department/department/single/view/${drama}`)
    await heading(/Department of Drama and Theatre/)
    await page.getByRole('link', { name: `Puppet theatre ${run}` }).waitFor()
  })

  test('show a faculty with its colour, its departments, and the holders of its posts', async () => {
    const { page } = admin
    await admin.goes(`/faculty_department/faculty/single/view/${await idOf('faculty', 'music')}`)
    await heading(/Faculty of Music/)
    expect(await page.locator('h1 [data-faculty=fom]').count()).toBe(1)
    await page.getByRole('link', { name: 'Department of Western Music' }).waitFor()
    await page.getByRole('link', { name: 'Dean, Faculty of Music' }).waitFor()
    await page.getByRole('link', { name: 'Rohan Abeywickrama' }).waitFor()
    await expectAccessible(page)
    await admin.picture('faculty')
  })

  test('say that a division has no head post, and lead to creating it', async () => {
    const { page } = admin
    await admin.goes('/registers/platform/division/new')
    await heading('New division')
    admin.expects(422, '/api/registers/platform/division/items')
    await page.getByLabel('Name', { exact: true }).fill(`Costumes ${run}`)
    await page.getByLabel('Code').fill('not a code!')
    await page.getByRole('button', { name: 'Save' }).click()
    // Once, even while messages of an earlier page are still fading out.
    const said = page.locator('form').getByRole('alert')
    await said.first().waitFor()
    expect(await said.allTextContents()).toEqual([expect.stringContaining('Code: Letters, digits and hyphens only')])
    await page.getByLabel('Code').fill(`COS-${run}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(`Costumes ${run} COS-${run}`)
    await reads(page, 'No head post yet.')
    await page.getByRole('link', { name: 'Create its head post' }).click()
    await heading('New post')
    await page.getByTitle(`Costumes ${run}`).waitFor()
    await page.getByLabel('Name of the post').fill(`Head of Costumes ${run}`)
    await page.getByLabel('Code').fill(`H-COS-${run}`)
    await page.getByLabel('Role that goes with it').selectOption('Division Head')
    await page.getByRole('button', { name: 'Save' }).click()
    await heading(/Head of Costumes/)
    await admin.goes('/registers/platform/post')
    await heading(/^Post definitions/)
    await page.getByRole('link', { name: 'Who has the posts' }).click()
    await heading(/^Posts/)
  })

  test('show the year with its holidays', async () => {
    const { page } = admin
    await admin.goes('/registers/platform/calendar?year=2026')
    await heading('Working calendar')
    await reads(page, 'Independence Day')
    await page.getByRole('table', { name: 'February' }).getByTitle('Independence Day, no work').waitFor()
    await expectAccessible(page)
  })
})

describe('an import', () => {
  const header = 'reg_no,full_name,nic,email,faculty,programme,intake'
  const line = (n: number, nic = `2003${run}${n}0`) =>
    `IMP/${run}/${n},Imported ${run} ${n},${nic},i${run}.${n}@example.lk,FOM,BPA-MUS,2025/2026`
  const chooses = ({ page }: Visitor, name: string, content: string | Buffer) =>
    page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

  test('names every error at its cell and in a list, adds nothing, and then everything', async () => {
    const { page } = admin
    await admin.goes('/students/all')
    await heading(/^All students/)
    await page.getByRole('link', { name: 'Import…' }).click()
    await heading('Import Students from a CSV file')

    await chooses(admin, 'wrong.csv', Buffer.from([0x6e, 0x61, 0xef, 0x66, 0x0a]))
    await page.getByRole('alert').getByText('The letters of this file cannot be read').waitFor()

    await chooses(
      admin,
      'students.csv',
      [header, line(1), line(1), line(3, '12'), line(4).replace(/^[^,]*/, '')].join('\n'),
    )
    await page.getByRole('alert').getByText('mistakes in the file. Nothing was added.').waitFor()
    const wrong = page.getByRole('region', { name: 'What is wrong' })
    const told = await wrong.getByRole('row').allTextContents()
    expect(told).toContain(`3Registration NoDuplicated valueIMP/${run}/1`)
    expect(told).toContain('5Registration NoValue is empty')
    expect(told.find((row) => row.startsWith('4NIC'))).toContain('Please enter a valid NIC Number')
    const cells = page.getByRole('region', { name: 'The first 4 rows' })
    expect(await cells.locator('td[data-wrong]').count()).toBe(told.length - 1)
    expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)
    await expectAccessible(page)
    await admin.picture('import-mistakes')

    await chooses(admin, 'students.csv', [header, line(1), line(2)].join('\r\n'))
    await reads(page, '2 rows, no mistake. Nothing has been added yet.')
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await reads(page, '2 rows were added')
    await heading(/^Students/)
    await page.getByRole('searchbox', { name: 'Search' }).fill(`Imported ${run}`)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: `Imported ${run} 2` }).waitFor()
    expect(await page.getByRole('link', { name: `Imported ${run}` }).count()).toBe(2)

    await page.getByRole('link', { name: 'Import…' }).click()
    await chooses(admin, 'students.csv', [header, line(2), line(5)].join('\n'))
    await page.getByRole('button', { name: 'Leave these out and import 1 row' }).click()
    await reads(page, 'The lines below were left out. Correct them and import them on their own.')
    await wrong.getByRole('row').filter({ hasText: 'Duplicated value' }).first().waitFor()
    await admin.picture('import-left-out')
  })

  test('of pasted lines works on a phone, and its template has the columns', async () => {
    const visitor = await visitors.arrives({ width: NARROW })
    const { page } = visitor
    await visitor.signsIn('admin', '/registers/platform/committee/import')
    await heading('Import Committees from a CSV file', visitor)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'File with these columns' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('platform-committee.csv')
    await page.getByLabel('Or paste the lines here').fill(`name;code;faculty\nPasted ${run};;Faculty of Music\n`)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await reads(page, 'There is one mistake in the file. Nothing was added.')
    await visitor.picture('import-pasted')
    await page.getByLabel('Or paste the lines here').fill(`name;code;faculty\nPasted ${run};C-${run};FOM\n`)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await reads(page, '1 row was added')
    expect(visitor.troubles()).toEqual([])
  })
})
