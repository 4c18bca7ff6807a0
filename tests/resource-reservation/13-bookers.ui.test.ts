import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import type { Locator } from 'playwright-core'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { aFreeRoom, type Resource, resources } from './booking.ts'
import { day as inDays } from '../platform/kit/days.ts'

const CREATED = 'Tentative Booking: not confirmed yet'
// Of the demonstration's employee `lecturer.perera`.
const NIC_OF_PERERA = '197483117400'
const ID_OF_PERERA = 'E1020'

let visitors: Visitors
let visitor: Visitor
/** A hall that everybody may book, open from eight to eleven at night. */
let theatre: Resource

beforeAll(async () => {
  theatre = (await resources()).find(({ data }) => data.resource_ref_id === 'FDD-TH-01')!
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())
afterEach(async () => {
  if (visitor) await visitor.picture(`bookers-${expect.getState().currentTestName?.split(' ').slice(0, 3).join('-')}`)
  expect(visitor.troubles()).toEqual([])
})

let made = 0
const anAddress = () => `booker.${Date.now()}.${(made += 1)}@example.lk`
const aNic = () => `19${String(Date.now()).slice(-8)}${String((made += 1)).padStart(2, '0')}`

/** A day on which the theatre is free; each story uses another. */
async function freeDay(): Promise<string> {
  const anybody = await as('student.selvi')
  for (;;) {
    const day = dayjs(inDays(0))
      .add(30 + Math.floor(Math.random() * 600), 'day')
      .format('YYYY-MM-DD')
    const { items } = await anybody.get(
      `/api/public/allocations?item=${theatre.id}&from=${day}T00:00:00%2B05:30&until=${day}T23:59:59%2B05:30`,
    )
    if (items.length === 0) return day
  }
}

const dialog = ({ page }: Visitor) => page.getByRole('dialog', { name: 'Book Resource' })
const heading = (who: Visitor, name: string) => dialog(who).getByRole('heading', { name }).waitFor()

async function chooses({ page }: Visitor, day: string, from: string, to: string): Promise<void> {
  const typed = page.getByLabel('From, day')
  await typed.fill(dayjs(day).format('DD/MM/YYYY'))
  await typed.press('Enter')
  await page.getByLabel('From, time').selectOption(from)
  await page.getByLabel('To, time').selectOption(to)
}

/** From the dates to the questions about the event. */
async function goesOn(who: Visitor): Promise<void> {
  const next = dialog(who).getByRole('button', { name: 'Save and Next' })
  await next.click()
  await heading(who, 'What will it cost?')
  await next.click()
  await heading(who, 'What is it for?')
}

async function tells(who: Visitor, association: string, answers: Record<string, string>): Promise<void> {
  const form = dialog(who)
  await form
    .getByRole('group', { name: 'Association with the university' })
    .getByLabel(association, { exact: true })
    .check()
  await form.getByLabel('Salutation').selectOption('Ms.')
  for (const [label, text] of Object.entries({
    'Event Name': 'An evening of drums',
    'Event Organized by': 'Friends of Dance',
    'About the Event': 'A concert that is open to the public.',
    'Number of Team Members Participating': '30',
    ...answers,
  }))
    await form.getByLabel(label, { exact: true }).fill(text)
}

const books = (who: Visitor) => dialog(who).getByRole('button', { name: 'Book Resource' }).click()

/** A value of the confirmation, by its label. */
async function told(who: Visitor, label: string): Promise<string> {
  await dialog(who).getByRole('heading', { name: CREATED }).waitFor()
  return (await dialog(who).locator('dl > div').filter({ hasText: label }).locator('strong').textContent()) ?? ''
}

const expectValue = (field: Locator, value: string) =>
  until(`the field to say ${value}`, async () => (await field.inputValue()) === value || undefined)

/** The newest link to a page in the mails to an address. */
const mailed = (address: string, link: RegExp) =>
  until(`a mail to ${address}`, async () => {
    const { items } = await (await as('admin')).get('/api/mailbox?limit=100')
    return items
      .filter((mail: any) => mail.to === address)
      .flatMap(({ body }: any) => link.exec(body)?.[0] ?? [])[0] as string | undefined
  })

test('an employee finds the form filled with known details, and may book for somebody else instead', async () => {
  visitor = await visitors.arrives()
  await visitor.signsIn('lecturer.perera', `/all_resoures?book=${theatre.id}`)
  await chooses(visitor, await freeDay(), '09:00', '12:00')
  await goesOn(visitor)
  const form = dialog(visitor)
  await expectValue(form.getByLabel('NIC', { exact: true }), NIC_OF_PERERA)
  await form.getByRole('radio', { name: 'Academic Employee', exact: true, checked: true }).waitFor()
  expect(await form.getByLabel('Contact number', { exact: true }).inputValue()).toMatch(/^0\d{9}$/)
  expect(await form.getByLabel('Name of the point of contact').inputValue()).toBe('Nadeesha Perera')
  expect(await form.getByLabel('Designation').inputValue()).not.toBe('')
  expect(await form.getByLabel(/^Employee ID/).inputValue()).toBe(ID_OF_PERERA)
  expect(await form.getByLabel('Salutation').locator('option:checked').textContent()).toBe('Ms.')
  await form.getByRole('radio', { name: 'Currently associated', exact: true, checked: true }).waitFor()
  // A former member may have been a student, and is asked nothing more.
  await form.getByRole('radio', { name: 'Associated in the past', exact: true }).check()
  await form.getByLabel(/^Student No/).fill('FM/2009/017')
  await tells(visitor, 'Currently associated', {})
  // A vehicle can be added only once the previous one is filled in.
  const add = form.getByRole('button', { name: 'Add a vehicle' })
  await add.click()
  await add.click()
  await form.getByText('Please fill the current field first.').waitFor()
  await form.getByRole('textbox', { name: 'Vehicle registration number' }).fill('WP CAB-1234')
  await books(visitor)
  expect(await told(visitor, 'Reference')).toMatch(/^RB-\d{4}-\d{6}$/)
})

test('if nobody has to approve, the booker is told that the booking is confirmed', async () => {
  const room = await aFreeRoom({ reservation_required: false })
  visitor = await visitors.arrives()
  await visitor.signsIn('lecturer.perera', `/all_resoures?book=${room.id}`)
  await chooses(visitor, inDays(30), '09:00', '12:00')
  await goesOn(visitor)
  await dialog(visitor).getByLabel('NIC', { exact: true }).fill(NIC_OF_PERERA)
  await dialog(visitor).getByRole('radio', { name: 'Academic Employee', exact: true, checked: true }).waitFor()
  await tells(visitor, 'Currently associated', {})
  await books(visitor)
  // It may be confirmed before the page has shown that it was sent.
  await dialog(visitor).getByRole('heading', { name: 'Booking Created Successfully' }).waitFor()
  await dialog(visitor).getByText('Your booking is confirmed. You find it among My cases.').waitFor()
})

test('reservation staff book for a person found by employee id, and both see whose it is', async () => {
  visitor = await visitors.arrives()
  await visitor.signsIn('admin', `/all_resoures?book=${theatre.id}`)
  await chooses(visitor, await freeDay(), '13:00', '15:00')
  await goesOn(visitor)
  const form = dialog(visitor)
  await form.getByLabel('For somebody else').check()
  const looksFor = async (number: string) => {
    await form.getByLabel('NIC or Employee ID').fill(number)
    await form.getByRole('search').getByRole('button', { name: 'Search' }).click()
  }
  const found = form.getByText('The booking will belong to Nadeesha Perera; you send it.')
  await looksFor(ID_OF_PERERA)
  await found.waitFor()
  // Nothing of a person found before remains in the booking for an unknown one.
  const unknown = aNic()
  await looksFor(unknown)
  await form.getByText(/^Nobody is known under this number/).waitFor()
  expect(await form.getByLabel('Email', { exact: true }).inputValue()).toBe('')
  expect(await form.getByLabel('NIC', { exact: true }).inputValue()).toBe(unknown)
  await looksFor(ID_OF_PERERA)
  await found.waitFor()
  await tells(visitor, 'Currently associated', { NIC: NIC_OF_PERERA })
  await books(visitor)
  await told(visitor, 'Reference')
  await visitor.page.getByRole('link', { name: 'Open the booking' }).click()
  await reads(visitor.page, /^Sent by .+ for Nadeesha Perera, /)
})

test.each([
  ['a past member', 'Associated in the past'],
  ['an outsider', 'Not associated'],
])('%s creates an account while booking, and books with it', async (_who, association) => {
  visitor = await visitors.arrives()
  const { page } = visitor
  // Of an unknown person nothing is shown, and the form is filled in by hand.
  await visitor.opens('/all_resoures?search=FDD-TH-01')
  await page.getByRole('button', { name: 'Book Resource' }).click()
  const question = page.getByRole('dialog', { name: 'Do you have an account?' })
  await question.getByRole('button', { name: 'Continue as a guest' }).click()
  const day = await freeDay()
  await chooses(visitor, day, '09:00', '11:00')
  await goesOn(visitor)
  await dialog(visitor).getByLabel('Event Name').fill('Typed before signing in')
  await dialog(visitor)
    .getByRole('button', { name: /^Sign in instead/ })
    .click()
  await question.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).click()
  const email = anAddress()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('Veena-Sarod-27')
  await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click()
  // Back at the booking, with all choices and input.
  await heading(visitor, 'When do you need it?')
  expect(await page.getByLabel('From, time').inputValue()).toBe('09:00')
  await goesOn(visitor)
  expect(await dialog(visitor).getByLabel('Event Name').inputValue()).toBe('Typed before signing in')
  await tells(visitor, association, {
    'Name of the point of contact': 'Kumari Perera',
    NIC: aNic(),
    Email: email,
    'Contact number': '0771231231',
    Designation: 'Secretary',
  })
  await books(visitor)
  expect(await told(visitor, 'Reservation ID')).toBe(`FDD-TH-01/${day.replaceAll('-', '/')}`)
})

test('a guest is offered free times, keeps their input through a refusal, confirms by email and tracks the booking', async () => {
  visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.opens(`/all_resoures?book=${theatre.id}`)
  await page
    .getByRole('dialog', { name: 'Do you have an account?' })
    .getByRole('button', { name: 'Continue as a guest' })
    .click()
  await chooses(visitor, await freeDay(), '05:00', '07:00')
  const instead = page.getByRole('region', { name: 'What is free instead' })
  await reads(page, /^That is outside the opening hours/)
  expect(await dialog(visitor).getByRole('button', { name: 'Save and Next' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await instead.getByRole('button', { name: /08:00 to 10:00/ }).click()
  await goesOn(visitor)

  const email = anAddress()
  await tells(visitor, 'Not associated', {
    'Name of the point of contact': 'Kumari Perera',
    NIC: aNic(),
    Email: 'lecturer.perera@prakriya.example',
    'Contact number': '0771231231',
    Designation: 'Secretary',
  })
  const agrees = async () => {
    const asked = page.getByRole('dialog', { name: 'A temporary account' })
    const ok = asked.getByRole('button', { name: 'OK', exact: true })
    expect(await page.getByText('Thank you for your booking').count()).toBe(0)
    await asked.getByText(/^A temporary account will be created for you/).waitFor()
    expect(await ok.isDisabled()).toBe(true)
    await asked.getByLabel(/^I understand that this is a temporary account/).check()
    await ok.click()
  }
  // The hall's own refusals come before the question for an account.
  visitor.expects(422, '/api/public/bookings/check')
  await dialog(visitor).getByLabel('Number of Team Members Participating').fill('99999')
  await books(visitor)
  await dialog(visitor).getByRole('alert').first().waitFor()
  expect(await page.getByRole('dialog', { name: 'A temporary account' }).count()).toBe(0)
  await dialog(visitor).getByLabel('Number of Team Members Participating').fill('12')
  await books(visitor)
  visitor.expects(409, '/api/public/bookings')
  await agrees()
  await dialog(visitor).getByRole('alert').getByText('This Email is Already Taken!').first().waitFor()
  expect(await dialog(visitor).getByLabel('Event Name').inputValue()).toBe('An evening of drums')
  await dialog(visitor).getByLabel('Email', { exact: true }).fill(email)
  await books(visitor)
  await agrees()
  await reads(page, 'Account has been created successfully!')
  const reference = await told(visitor, 'Reference')
  await reads(page, /^Thank you for your booking\..+FDD-TH-01\/\d{4}\/\d\d\/\d\d$/)
  const secret = await told(visitor, 'Secret for following it')

  await visitor.opens(`/${await mailed(email, /confirm-booking\?token=[\w-]+/)}`)
  await page.getByRole('button', { name: 'Confirm my booking' }).click()
  await page.getByRole('heading', { name: 'You have confirmed your booking' }).waitFor()
  // The page waits until the case has reached its first desk.
  const desk = new RegExp(`^${reference} is with .+ now \\(.+\\)\\. You can expect an answer by .*20\\d\\d`)
  await page.getByRole('status').filter({ hasText: desk }).waitFor()
  await visitor.picture('guest-confirmed')
  await expectAccessible(page)

  await page.clock.install()
  await page.getByRole('link', { name: 'Follow the booking' }).click()
  expect(await page.getByLabel('Reference').inputValue()).toBe(reference)
  await page.getByLabel('Secret').fill(secret)
  await page.getByRole('button', { name: 'Show the status' }).click()
  const way = page.getByRole('list', { name: 'Progress of this case' })
  // The page gets no hints, so it polls.
  const looksAgain = (news: Locator) =>
    until('the page has looked again', async () => {
      await page.clock.runFor(15_000)
      return news.waitFor({ timeout: 1000 }).then(() => true)
    })
  // It has moved on to a desk, and names it.
  await looksAgain(way.locator('[aria-current=step]').getByText(/answer expected by/))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Withdraw…' }).click()
  await page.getByRole('dialog').getByLabel('Why do you withdraw it?').fill('The drums have been stolen.')
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
  await looksAgain(way.getByText('Withdrawn'))
})

test('an address broken by an email program leads to the questions for case number and secret', async () => {
  visitor = await visitors.arrives()
  await visitor.opens('/track#RB-2026-000001%2')
  await visitor.page.getByLabel('Secret').waitFor()
  await visitor.page.waitForLoadState('networkidle')
  expect(visitor.troubles()).toEqual([])
})
