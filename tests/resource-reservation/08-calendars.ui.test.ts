import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import ical from 'node-ical'
import pg from 'pg'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { as, send } from '../platform/kit/people.ts'
import { stack } from '../platform/kit/stack.ts'
import { aBooking, BOOKING, type Hall, halls } from './booking.ts'
import { day as inDays } from '../platform/kit/days.ts'

const event = 'Sitar under the stars'
let visitors: Visitors
let passer: Visitor, student: Visitor
let hall: Hall
/** A Wednesday on which the hall is taken from nine to twelve. */
let day: string
const inWords = () => dayjs(day).format('ddd D MMM YYYY')

beforeAll(async () => {
  hall = (await halls({ cost: false }))[0]!
  const selvi = await as('student.selvi')
  for (let weeks = 3; ; weeks += 1) {
    day = dayjs(inDays(0)).startOf('week').add(weeks, 'week').add(3, 'day').format('YYYY-MM-DD')
    const { body } = await send(
      'GET',
      `/api/public/allocations?item=${hall.id}&from=${day}T00:00:00Z&until=${day}T23:59:59Z`,
    )
    if (body.items.length === 0) break
  }
  const { id } = await selvi.submit(BOOKING, {
    ...aBooking(hall, { event }),
    from: `${day}T09:00:00+05:30`,
    until: `${day}T12:00:00+05:30`,
  })
  // The result of an approval, without waiting for one.
  const database = new pg.Client({ connectionString: stack().ownerDatabaseUrl })
  await database.connect()
  await database.query(`update app.allocation set state = 'final', expires_at = null where case_id = $1`, [id])
  await database.end()
  visitors = await openBrowser()
  ;[passer, student] = await Promise.all([visitors.arrives(), visitors.arrives()])
})

afterAll(() => visitors?.close())

test('the timeline shows many resources at once; a free time is a key away, and leads to booking it', async () => {
  const { page } = passer
  await passer.opens(`/all_resoures?show=timeline&day=${day}`)
  const row = page.getByRole('row', { name: new RegExp(hall.title) })
  await row.getByRole('button', { name: event }).waitFor()
  await passer.picture('timeline-week')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Day', exact: true }).click()
  const taken = row.getByRole('button', { name: `${inWords()}, 09:00 to 12:00 ${event}` })
  await taken.focus()
  await page
    .getByRole('tooltip')
    .filter({ hasText: `${event}, ${inWords()}, 09:00 to 12:00` })
    .waitFor()
  await passer.picture('timeline-day')
  await page.keyboard.press('ArrowRight')
  const free = row.getByRole('link', { name: `Book ${hall.title}: ${inWords()}, 12:00 to 13:00` })
  expect(await free.evaluate((link) => link === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({
    book: hall.id,
    from: `${day}T12:00:00+05:30`,
    until: `${day}T13:00:00+05:30`,
  })
  expect(passer.troubles()).toEqual([])

  const pocket = await visitors.arrives({ width: NARROW })
  await pocket.opens(`/all_resoures?show=timeline&span=day&day=${day}`)
  await pocket.page.getByRole('button', { name: event }).first().waitFor()
  await pocket.page.getByRole('table').scrollIntoViewIfNeeded()
  await pocket.picture('timeline-day')
  expect(await pocket.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW)
})

test('the list of a resource’s calendar names holidays too', async () => {
  const { page } = passer
  const { body } = await send(
    'GET',
    `/api/public/holidays?from=${dayjs(inDays(0)).add(1, 'month').format('YYYY-MM-01')}`,
  )
  const [holiday] = body.items as [{ date: string; name: string }]
  await passer.opens(`/resource_calendar/${hall.id}`)
  await page.getByRole('button', { name: 'List', exact: true }).click()
  const months = dayjs(holiday.date)
    .startOf('month')
    .diff(dayjs(inDays(0)).startOf('month'), 'month')
  for (let ahead = 0; ahead < months; ahead += 1) await page.getByRole('button', { name: 'Later' }).click()
  await reads(page, holiday.name)
  await passer.picture('calendar-list')
  await expectAccessible(page)
  expect(passer.troubles()).toEqual([])
})

test('a person subscribes to their bookings in a calendar program, and revokes that again', async () => {
  const { page } = student
  await student.signsIn('student.selvi', '/myprofile')
  const feed = page.getByRole('region', { name: 'Calendar of My bookings' })
  const stop = feed.getByRole('button', { name: 'Stop: My bookings' })
  // Leftovers of an earlier run on the same product.
  if ((await feed.getByRole('button').first().isVisible()) && (await stop.count()) > 0) await stop.click()
  await feed.getByRole('button', { name: 'Get an address' }).click()
  const address = await feed.getByLabel('Address of the calendar').inputValue()
  await feed.scrollIntoViewIfNeeded()
  await student.picture('calendar-feed')
  await expectAccessible(page)
  const read = await fetch(address)
  const entries = Object.values(ical.sync.parseICS(await read.text()))
  expect(entries.map((entry) => entry?.type === 'VEVENT' && entry.summary)).toContain(event)
  await feed.getByRole('button', { name: 'Copy address' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await stop.click()
  await feed.getByRole('button', { name: 'Get an address' }).waitFor()
  expect((await fetch(address)).status).toBe(404)

  await student.opens(`/all_resoures?calendar=${hall.id}`)
  await page.getByText('Add to my own calendar').click()
  await page
    .getByRole('region', { name: `Calendar of ${hall.title}` })
    .getByRole('button', { name: 'Get an address' })
    .waitFor()
  await student.picture('calendar-subscribe')

  const [from, until] = [`${day}T12:00:00+05:30`, `${day}T13:00:00+05:30`]
  await student.opens(`/all_resoures?${new URLSearchParams({ book: hall.id, from, until })}`)
  await page
    .getByRole('dialog')
    .locator(`input[value="${dayjs(day).format('DD/MM/YYYY')}"]`)
    .first()
    .waitFor()
  expect(student.troubles()).toEqual([])
})
