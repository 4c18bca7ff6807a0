import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { lostTicket } from '../../processes/season-tickets/lost-ticket.generated.ts'
import { seasonRequest } from '../../processes/season-tickets/season-request.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'

const { desks } = seasonRequest
const SEASONS = '/api/registers/season-tickets/season/items'
const names = { train: `Train ${randomInt(100_000, 999_999)}`, bus: `Bus ${randomInt(100_000, 999_999)}` }

let visitors: Visitors
let student: Visitor
beforeAll(async () => {
  visitors = await openBrowser()
  const [ma, ar] = await Promise.all([as('ma.welfare'), as('head.welfare')])
  for (const transport of ['train', 'bus'] as const) {
    const days = { from: day(6), until: day(90), opens: day(-1), closes: day(5) }
    const data = { name: names[transport], transport, ...days, notice: 'Bring your student card.' }
    const { id } = await ma.ok<{ id: string }>('POST', SEASONS, { data })
    await ar.ok('POST', `${SEASONS}/${id}/status`, { status: 'Active' })
  }
  student = await visitors.arrives({ width: NARROW, stays: true })
  await student.signsIn('student.imran', '/welfare/season/train-notice')
})
afterAll(() => visitors?.close())
afterEach(() => expect(student.troubles()).toEqual([]))

const fits = ({ page }: Visitor) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)

test('on a phone, a student goes from the notice of a train season to a request', async () => {
  const { page } = student
  const notice = page.getByRole('link', { name: names.train })
  await notice.waitFor()
  expect(await page.getByText(names.bus).count()).toBe(0)
  await notice.click()
  await reads(page, 'Bring your student card.')
  await page.getByRole('link', { name: 'Request a season ticket' }).click()
  // The season that was chosen says that it is for trains.
  expect(await page.getByRole('radio', { name: 'Train' }).isChecked()).toBe(true)
  const chooses = async (label: string, typed: string) => {
    await page.getByRole('combobox', { name: label }).fill(typed)
    await page.locator('.ant-select-item-option:visible', { hasText: typed }).first().click()
  }
  await chooses('Your station', 'Ragama')
  await chooses('Route', 'Ragama')
  await reads(page, 'Maradana')
  await page.getByRole('textbox', { name: 'Address from which you travel' }).fill('9 Church Road, Ragama')
  await page.getByRole('checkbox', { name: /I travel between/ }).check()
  expect(await fits(student)).toBe(true)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/cases\//)
  await reads(page, names.train)
  await student.picture('season-request')
})

test('the assistant finds it among the trains to check, and not among the buses, and decides it in bulk', async () => {
  const assistant = await visitors.arrives({ width: NARROW })
  const { page } = assistant
  await assistant.signsIn('ma.welfare', `/welfare/season/bus-requests/new?search=${encodeURIComponent(names.train)}`)
  await reads(page, 'No task in this queue matches')
  await assistant.goes(`/welfare/season/train-requests/new?search=${encodeURIComponent(names.train)}`)
  expect(await fits(assistant)).toBe(true)
  await page
    .getByRole('checkbox', { name: /^Select / })
    .last()
    .check()
  await assistant.picture('season-check')
  await page.getByRole('button', { name: 'In order' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^In order/ })
    .click()
  await reads(student.page, 'checked', { exact: true })
  expect(assistant.troubles()).toEqual([])
})

test('it is approved in bulk, printed and issued on phones, and the student has the ticket on theirs', async () => {
  const imran = await as('student.imran')
  const [of] = (await imran.get(`/api/cases?mine=true&flow=${seasonRequest.flow}&limit=1`)).items
  await (await as('head.welfare')).task(of, desks.approve)
  const head = await visitors.arrives({ width: NARROW })
  const list = `/welfare/season/train-requests/checked?search=${encodeURIComponent(names.train)}`
  await head.signsIn('head.welfare', list)
  await head.page
    .getByRole('checkbox', { name: /^Select / })
    .last()
    .check()
  expect(await fits(head)).toBe(true)
  await expectAccessible(head.page)
  await head.picture('season-approve')
  await head.page.getByRole('button', { name: 'Approve' }).click()
  await head.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expectCase(of).toBe('approved')
  const assistant = await visitors.arrives({ width: NARROW })
  const { page } = assistant
  await assistant.signsIn('assistant.welfare', '/inbox')
  const decides = async (desk: string, outcome: string) => {
    const { id } = await (await as('assistant.welfare')).task(of, desk)
    await assistant.opens(`/tasks/${id}`)
    await page.getByRole('button', { name: outcome }).click()
  }
  await decides(desks.print, 'Printed')
  await expectCase(of).toBe('printed')
  await decides(desks.issue, 'Issued to the student')
  await page.getByRole('radio', { name: 'Student card' }).check()
  expect(await fits(assistant)).toBe(true)
  await assistant.picture('season-issue')
  await page.getByRole('button', { name: 'Issued to the student' }).click()
  await expectCase(of).toBe('issued')
  await student.opens('/welfare/season/my-seasons')
  await reads(student.page, names.train)
  expect(await fits(student)).toBe(true)
  await student.picture('season-ticket')
  expect([assistant, head].flatMap((one) => one.troubles())).toEqual([])
})

test('on a phone, the student reports the ticket as lost, from the ticket', async () => {
  const { page } = student
  const imran = await as('student.imran')
  const { items } = await imran.get('/api/registers/season-tickets/ticket/items?limit=100')
  const ticket = items.find(({ data }: { data: { season_name: string } }) => data.season_name === names.train)
  await student.opens(`/welfare/season/my-season/${ticket.id}`)
  await page.getByRole('link', { name: 'Report it lost' }).click()
  await page.getByRole('radio', { name: 'Lost' }).check()
  await page.getByRole('textbox', { name: 'Details' }).fill('On the train to Ragama')
  await page.getByRole('radio', { name: 'My declaration' }).check()
  await page.getByRole('checkbox', { name: /^I declare that this is true/ }).check()
  expect(await fits(student)).toBe(true)
  await expectAccessible(page)
  await student.picture('season-lost')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/cases\//)
  const [of] = (await imran.get(`/api/cases?mine=true&flow=${lostTicket.flow}&limit=1`)).items
  await (await as('head.welfare')).task(of, lostTicket.desks.approve)
})
