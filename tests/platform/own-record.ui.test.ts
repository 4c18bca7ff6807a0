import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Route } from 'playwright-core'
import sharp from 'sharp'
import { ageOn } from '../../forms/platform/age.ts'
import { anUnconfirmedPerson } from '../resource-reservation/booking.ts'
import { expectAccessible } from './kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from './kit/browser.ts'
import { day } from './kit/days.ts'
import { entersAt } from './kit/keyboard.ts'
import { looks } from './kit/looks.ts'
import { as, type Person } from './kit/people.ts'
import { until } from './kit/poll.ts'

const PAGE = '/hr/recruitments/recruitment_application'
const RECORD = '/api/records/applicant-accounts/applicant'

let visitors: Visitors
let visitor: Visitor
let applicant: Person

beforeAll(async () => {
  applicant = await anUnconfirmedPerson()
  const { id } = await applicant.get('/api/me')
  const grant = { role: 'Temporary Employee', scope: null, reason: 'Applies for a post' }
  await (await as('admin')).ok('POST', `/api/people/${id}/grants`, grant)
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const stepOf = async (name: string) =>
  (await applicant.get(RECORD)).steps.find((step: { name: string }) => step.name === name)
const saves = ({ page }: Visitor) => page.getByRole('button', { name: 'Save & Next' }).click()
const draftHas = (name: string, words: string) =>
  until(`a draft of ${name} with ${words}`, async () => JSON.stringify((await stepOf(name)).draft)?.includes(words))

test('on a phone a step is saved as one types, also after the line was away, and Save & Next goes on', async () => {
  visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn(applicant.username, `${PAGE}?step=qualifications`)
  await page.getByRole('heading', { name: 'Qualifications' }).waitFor()
  await saves(visitor)
  await reads(page, 'Add at least one qualification')
  await page.getByRole('button', { name: 'Add a qualification' }).click()
  await page.getByLabel('Type').selectOption('Diploma')
  await page.getByLabel('Name of the qualification').fill('Diploma in Sitar')
  await draftHas('qualifications', 'Diploma in Sitar')

  // The tab closes while the line is away.
  const tab = await page.context().newPage()
  await tab.goto(`${PAGE}?step=qualifications`)
  await tab.getByLabel('Institute').waitFor()
  await page.context().setOffline(true)
  await tab.getByLabel('Institute').fill('University of Visual and Performing Arts')
  await reads(tab, /could not be saved yet. It is kept in this browser/)
  // What a page sends as it goes passes by the emulated line.
  await tab.evaluate(() => void (window.fetch = () => Promise.reject(new TypeError('no line'))))
  await tab.close()
  await page.context().setOffline(false)
  expect(JSON.stringify((await stepOf('qualifications')).draft)).not.toContain('Visual and Performing')
  await page.evaluate(() => localStorage.setItem('prakriya.typed.somebody.else', '{}'))
  await page.reload()
  await draftHas('qualifications', 'Visual and Performing')
  expect(await page.getByLabel('Institute').inputValue()).toBe('University of Visual and Performing Arts')
  await until('nothing is kept, and nothing of other accounts', () =>
    page.evaluate(() => !Object.keys(localStorage).some((name) => name.startsWith('prakriya.typed.'))),
  )
  // Failed requests are expected offline.
  visitor.troubles()

  await expectAccessible(page)
  await looks(visitor, 'own-record')
  // Drafts that are still on their way, one of them sent as the page was hidden, are no other device's.
  const drafts: Route[] = []
  await page.route(`**${RECORD}/steps/qualifications`, (route) =>
    route.request().postDataJSON().complete ? route.continue() : void drafts.push(route),
  )
  await page.getByLabel('Class or result').fill('First class')
  const first = await until('a draft is on its way', async () => drafts[0])
  await page.getByLabel('Effective date').fill('14/05/2024')
  await page.keyboard.press('Tab')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await saves(visitor)
  await first.continue()
  await (await until('a second draft is on its way', async () => drafts[1])).continue()
  await reads(page, 'Qualifications Saved Successfully!')
  await page.unroute(`**${RECORD}/steps/qualifications`)
  await page.getByRole('heading', { name: 'Working Experience' }).waitFor()
  expect(await stepOf('qualifications')).toMatchObject({ state: 'done', draft: null })
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.getByRole('heading', { name: 'Qualifications' }).waitFor()
  expect(await page.getByLabel('Name of the qualification').inputValue()).toBe('Diploma in Sitar')
  expect(visitor.troubles()).toEqual([])
})

test('a district is chosen within its province, and a postal address follows the permanent one until it is another', async () => {
  visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn(applicant.username, PAGE)
  await page.getByRole('heading', { name: 'Basic Information' }).waitFor()
  const form = page.getByRole('form', { name: 'Basic Information' })
  const fields = (label: string) => form.getByLabel(label, { exact: true })
  await saves(visitor)
  await reads(page, 'Please select an option.')
  await fields('NIC').fill('199981234567')
  await reads(page, 'By this number the holder was born on Sun 7 Nov 1999 (Female).')
  await form.getByRole('radio', { name: 'Male', exact: true }).check()
  await reads(page, /This number says .* and the form says otherwise/)
  await page.getByRole('button', { name: 'Take it from the number' }).click()
  expect(await form.getByRole('radio', { name: 'Female' }).isChecked()).toBe(true)
  expect(await fields('Date of Birth').inputValue()).toBe('07/11/1999')
  const age = String(ageOn(day(0), '1999-11-07'))
  await reads(page, `By the date of birth (Sun 7 Nov 1999) the age is ${age}.`)
  expect(await fields('Age').inputValue()).toBe('')
  await fields('Age').fill('7')
  await reads(page, /the age is .*, and the form says otherwise/)
  expect(await fields('Age').inputValue()).toBe('7')
  await page.getByRole('button', { name: `Enter ${age}` }).click()
  expect(await fields('Age').inputValue()).toBe(age)
  expect(await page.getByText('By the date of birth').count()).toBe(0)
  await fields('City').first().fill('Kandy')
  expect(await fields('District').first().isDisabled()).toBe(true)
  await choose('Province', 'Central')
  await fields('District').first().click()
  await page.getByRole('option', { name: 'Kandy' }).waitFor({ state: 'attached' })
  expect(await page.getByRole('option', { name: 'Galle' }).count()).toBe(0)
  await page.keyboard.type('Kandy')
  await page.keyboard.press('Enter')
  await form.getByRole('radio', { name: 'Yes' }).check()
  await until('one city is typed, the other follows it', async () => (await fields('City').count()) === 1)
  await draftHas('basic_information', '"postal_address_city":"Kandy"')
  await form.getByRole('radio', { name: 'No' }).check()
  await until('the postal city is empty', async () => (await fields('City').nth(1).inputValue()) === '')
  await choose('Province', 'Southern')
  await until('the district of the other province is gone', async () => {
    const { draft } = await stepOf('basic_information')
    return draft.permanent_address_province && !('permanent_address_district' in draft)
  })
  expect(visitor.troubles()).toEqual([])

  async function choose(label: string, option: string): Promise<void> {
    await fields(label).first().click()
    await page.keyboard.type(option)
    await page.getByTitle(option).first().waitFor()
    await page.keyboard.press('Enter')
  }
})

test('a photograph is cut to a square before it is sent', async () => {
  visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn(applicant.username, PAGE)
  const wide = sharp({ create: { width: 800, height: 400, channels: 3, background: '#7a1f2b' } })
  const file = { name: 'me.png', mimeType: 'image/png', buffer: await wide.png().toBuffer() }
  await page.locator('input[type=file]').last().setInputFiles(file)
  const dialog = page.getByRole('dialog', { name: 'Cut the picture' })
  await dialog.getByRole('button', { name: 'Use this part' }).click()
  await page.getByRole('button', { name: 'Remove the file me.jpg' }).waitFor()
  await draftHas('basic_information', 'applicant_photo')
  const { applicant_photo } = (await stepOf('basic_information')).draft
  const sent = await sharp(await applicant.bytes(`/api/files/${applicant_photo}`)).metadata()
  expect([sent.format, sent.width, sent.height]).toEqual(['jpeg', 400, 400])
  // Opened again, it still has its name, size and type.
  await page.reload()
  const held = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Remove the file me.jpg' }) })
  await held.waitFor()
  expect(await held.innerText()).toMatch(/me\.jpg\s+\d+ kB\s+JPEG/)
  const path = `/api/files/${applicant_photo}`
  visitor.expects(404, path)
  await page.route(`**${path}?size=small`, (route) => route.fulfill({ status: 404, json: {} }))
  await page.reload()
  await reads(page, 'image not available')
  expect(visitor.troubles()).toEqual([])
})

test('who typed here and saved elsewhere chooses between both', async () => {
  visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn(applicant.username, `${PAGE}?step=awards`)
  await page.getByRole('button', { name: 'Add an award' }).click()
  await page.getByLabel('Title').fill('State Award for Music')
  await draftHas('awards', 'State Award for Music')
  const { version } = await stepOf('awards')
  const elsewhere = { data: { awards: [{ title: 'Festival Prize' }] }, version, complete: false }
  await applicant.ok('PUT', `${RECORD}/steps/awards`, elsewhere)
  visitor.expects(409, `${RECORD}/steps/awards`)
  await page.getByLabel('Title').fill('State Award for Music, 2024')
  await page.getByRole('button', { name: 'Keep this one' }).waitFor()
  await reads(page, 'Festival Prize')
  expect((await stepOf('awards')).draft).toEqual({ awards: [{ title: 'Festival Prize' }] })
  await page.getByRole('button', { name: 'Keep this one' }).click()
  await draftHas('awards', 'State Award for Music, 2024')
  await page.getByRole('button', { name: 'Add an award' }).click()
  await page.getByLabel('Title').last().fill('Festival Prize')
  await entersAt(page.getByRole('button', { name: 'Move Award 2 up' }))
  await draftHas('awards', '[{"title":"Festival Prize"},{"title":"State Award for Music, 2024"}]')
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Award 2 up')
  expect(visitor.troubles()).toEqual([])
})
