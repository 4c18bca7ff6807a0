import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { aBooking, BOOKING, type Hall, halls, resources } from './booking.ts'
import { day as inDays } from '../platform/kit/days.ts'

const { desks } = resourceBooking
const TAKEN =
  'Time slot you selected is already reserved. Please check the reservation calendar for available time slots'

let visitors: Visitors
let student: Visitor, head: Visitor
let hall: Hall
/** The day of the story: free before it, except for a booking from nine to twelve that waits for the head. */
let day: string
let reference: string

const event = 'An evening of ragas'
const inForm = () => dayjs(day).format('DD/MM/YYYY')
const inWords = () => dayjs(day).format('ddd D MMM YYYY')

beforeAll(async () => {
  hall = (await halls({ cost: true })).find(({ title }) => title === 'Recital Studio')!
  day = await freeDay()
  const selvi = await as('student.selvi')
  await selvi.submit(BOOKING, {
    ...aBooking(hall, { event: 'Choir rehearsal' }),
    from: `${day}T09:00:00+05:30`,
    until: `${day}T12:00:00+05:30`,
  })
  visitors = await openBrowser()
  ;[student, head] = await Promise.all([visitors.arrives(), visitors.arrives()])
})

afterAll(() => visitors?.close())

let broken: string | undefined

/** One part of the story; after a failed part the later ones are skipped. */
function chapter(title: string, tell: () => Promise<void>): void {
  test(title, async () => {
    if (broken) throw new Error(`not told, because an earlier part broke off: ${broken}`)
    broken = title
    const everybody = Object.entries({ student, head })
    try {
      await tell()
      expect(everybody.flatMap(([, { troubles }]) => troubles())).toEqual([])
    } catch (error) {
      for (const [who, { picture }] of everybody) await picture(`broken-${who}`)
      throw error
    }
    broken = undefined
  })
}

/** The first day from three weeks on at which the hall is free. */
async function freeDay(): Promise<string> {
  const selvi = await as('student.selvi')
  for (let ahead = 21; ; ahead += 1) {
    const found = inDays(ahead)
    const { items } = await selvi.get(
      `/api/public/allocations?item=${hall.id}&from=${found}T00:00:00%2B05:30&until=${found}T23:59:59%2B05:30`,
    )
    if (items.length === 0) return found
  }
}

/** Somebody's inbox before something arrives in it. */
async function hasInboxOpen(visitor: Visitor, username: string): Promise<void> {
  await visitor.signsIn(username, '/inbox')
  await visitor.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await visitor.page.getByRole('link', { name: /^Open\s*\d/ }).waitFor()
  await visitor.page.evaluate(() => Object.assign(window, { opened: 'before' }))
}

/** The row of the story's booking, once it has arrived without a reload. */
async function arrived({ page }: Visitor) {
  const row = page.getByRole('link', { name: new RegExp(`${event}.+${inWords()}`) })
  const fresh = page.getByRole('button', { name: /^\d+ new$/ })
  await row.or(fresh).first().waitFor()
  if (await fresh.isVisible()) await fresh.click()
  await row.waitFor()
  expect(await page.evaluate(() => (window as unknown as { opened?: string }).opened)).toBe('before')
  return row
}

const choosesDates = async ({ page }: Visitor, begins: string, ends: string) => {
  const typed = page.getByLabel('From, day')
  await typed.fill(inForm())
  await typed.press('Enter')
  await page.getByLabel('From, time').selectOption(begins)
  await page.getByLabel('To, time').selectOption(ends)
}

chapter('a visitor finds a studio by type, owner and name, and reads all about it', async () => {
  const { page } = student
  // Other tests add resources of their own, so their number is read first.
  const { length: all } = await resources()
  const shown = all > 99 ? '99\\+' : all
  const found = (count: number | string) =>
    page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${count} resources?(?!s)`) })
      .waitFor()
  await student.opens('/all_resoures')
  await page.getByRole('heading', { name: 'Resources Available for Reservation' }).waitFor()
  await found(shown)
  await student.picture('01-all-resources')

  await page.getByLabel('Type').selectOption('Studio')
  await found(4)
  await page.getByLabel('Managed by').selectOption('Department of Western Music')
  await found(1)
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await found(shown)
  await page.getByLabel('Name').fill('recital')
  await page.getByRole('button', { name: 'Search' }).click()
  await found(1)
  expect(new URL(page.url()).searchParams.get('search')).toBe('recital')
  const card = page.getByRole('listitem', { name: /Recital Studio/ })
  await card.getByText('Rs. 10,000.00 for 4 hours').waitFor()

  await card.getByRole('button', { name: 'View Resource' }).click()
  const dialog = page.getByRole('dialog', { name: 'View Resource' })
  await dialog.getByText('WEM-ST-01').waitFor()
  await dialog.getByText('Rs. 2,000.00 for each further 2 hours').waitFor()
  await student.picture('02-view-resource')
  await dialog.getByRole('button', { name: 'Resource Calendar' }).click()
})

chapter('the calendar shows that a morning is reserved, without a name', async () => {
  const calendar = student.page.getByRole('dialog', { name: 'Resource Calendar: Recital Studio' })
  await turnsTo(student, calendar)
  await calendar
    .locator(`[data-date="${day}"]`)
    .getByRole('button', { name: /09:00.+12:00 Reserved/ })
    .waitFor()
  expect(await calendar.getByText('Choir rehearsal').count()).toBe(0)
  await student.picture('03-calendar')
})

chapter('a booker is asked for an account, signs in, and returns to the booking', async () => {
  const { page } = student
  await page.getByRole('dialog').getByRole('button', { name: 'Book Resource' }).click()
  const question = page.getByRole('dialog', { name: 'Do you have an account?' })
  await question.getByRole('button', { name: 'Create new Account' }).waitFor()
  await question.getByRole('button', { name: 'Continue as a guest' }).waitFor()
  await student.picture('04-account-question')
  await question.getByRole('button', { name: 'Login' }).click()
  await reads(page, 'The page you asked for needs a sign-in.')
  await student.picture('05-sign-in')
  await student.fillsInSignIn('student.nuwan')
  await page
    .getByRole('dialog', { name: 'Book Resource' })
    .getByRole('heading', { name: 'When do you need it?' })
    .waitFor()
})

chapter('a taken slot is refused with one sentence, once, whether known at once or found when continuing', async () => {
  const { page } = student
  const goOn = page.getByRole('button', { name: 'Save and Next' })
  await choosesDates(student, '08:00', '13:00')
  await reads(page, TAKEN)
  expect(await page.getByText(TAKEN).count()).toBe(1)
  expect(await goOn.isDisabled()).toBe(true)
  await student.picture('06-slot-taken')

  await choosesDates(student, '15:00', '19:00')
  await reads(page, `${inWords()}, 15:00 to 19:00 · 4 hours`)
  // Shown as free first; a conflict is found only on continuing.
  await until('the time is seen as free', () => goOn.isEnabled())
  const kavindi = await as('student.kavindi')
  await kavindi.ok('POST', '/api/holds', {
    flow: BOOKING,
    data: { resource: hall.id, from: `${day}T18:00:00+05:30`, until: `${day}T20:00:00+05:30` },
  })
  student.expects(409, '/api/holds')
  await goOn.click()
  await reads(page, TAKEN)
  await reads(page, /reserved 09:00 to 12:00, 18:00 to 20:00/)
  expect(await page.getByText(TAKEN).count()).toBe(1)
})

chapter('the estimate counts hours, further hours and amenities, and refuses more than exist', async () => {
  const { page } = student
  await choosesDates(student, '13:00', '18:00')
  await page.getByRole('button', { name: 'Save and Next' }).click()
  await page.getByRole('heading', { name: 'What will it cost?' }).waitFor()
  await reads(page, /This slot is held for you until \d\d:\d\d/)
  // One's own hold is no conflict, even after a reload.
  await page.reload()
  await reads(page, `${inWords()}, 13:00 to 18:00 · 5 hours`)
  expect(await page.getByText(TAKEN).count()).toBe(0)
  await page.getByRole('button', { name: 'Save and Next' }).click()
  await page.getByRole('heading', { name: 'What will it cost?' }).waitFor()
  const costs = async () =>
    Object.fromEntries(
      await page
        .getByRole('dialog')
        .locator('dl > div')
        .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent))),
    )
  expect(await costs()).toEqual({
    'Days selected': '1',
    'Time duration': '5 hours',
    'Base cost': 'Rs. 10,000.00',
    'Extra cost': 'Rs. 2,000.00',
    'Refundable deposit': expect.stringMatching(/^Rs\. /),
  })
  const microphones = page.getByLabel('Required quantity of Condenser microphone')
  await microphones.fill('9')
  await reads(page, 'Please enter a quantity between 0 and 8')
  await microphones.fill('2')
  await page
    .getByRole('row', { name: /Condenser microphone/ })
    .getByText('Rs. 1,500.00')
    .waitFor()
  await page
    .getByText(/Your invoice estimate will be around Rs\. [\d,]+\.00\. Please note this is an estimated cost\./)
    .waitFor()
  await student.picture('07-estimate')
  await page.getByRole('button', { name: 'Save and Next' }).click()
})

chapter('the form shows each error at its field, and keeps what was typed', async () => {
  const { page } = student
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'What is it for?' }).waitFor()
  const send = dialog.getByRole('button', { name: 'Book Resource' })
  await send.click()
  const summary = dialog.getByRole('alert')
  await summary.getByRole('link', { name: 'Event Name: This field is required' }).waitFor()

  await dialog.getByLabel('Event Name').fill(event)
  await dialog.getByLabel('Event Organized by').fill('Western Music Circle')
  await dialog.getByLabel('About the Event').fill('Songs of three centuries by the second-year students.')
  const association = dialog.getByRole('group', { name: 'Association with the university' })
  await association.getByLabel('Currently associated').check()
  await dialog.getByRole('group', { name: 'Associated as' }).getByLabel('Undergraduate Student').check()
  await dialog.getByLabel('Student No').fill('FM/2023/014')
  // A hidden answer has no effect, and returns when it is shown again.
  await association.getByLabel('Not associated').check()
  await dialog.getByLabel('Designation').waitFor()
  expect(await dialog.getByLabel('Student No').count()).toBe(0)
  await association.getByLabel('Currently associated').check()
  expect(await dialog.getByLabel('Student No').inputValue()).toBe('FM/2023/014')
  await dialog.getByLabel('Salutation').selectOption('Mr.')
  await dialog.getByLabel('Name of the point of contact').fill('Nuwan Jayawardena')
  // Another person's NIC fills nothing in.
  await dialog.getByLabel('NIC', { exact: true }).fill('12345')
  await dialog.getByLabel('Email', { exact: true }).fill('nuwan@')
  await dialog.getByLabel('Contact number', { exact: true }).fill('077123')
  await dialog.getByLabel('Number of Team Members Participating').fill('0')
  await send.click()
  await summary.getByRole('heading', { name: 'There is a problem with 4 answers' }).waitFor()
  expect(await summary.getByRole('listitem').allTextContents()).toEqual([
    'NIC: Invalid NIC',
    'Email: Invalid email address',
    'Contact number: Invalid contact number',
    'Number of Team Members Participating: Please enter an amount greater than 0',
  ])
  await student.picture('08-form-errors')
  await summary.getByRole('link', { name: /^NIC/ }).click()
  expect(await dialog.getByLabel('NIC', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
    true,
  )

  await dialog.getByLabel('NIC', { exact: true }).fill('200012345678')
  await dialog.getByLabel('Email', { exact: true }).fill('nuwan@example.org')
  await dialog.getByLabel('Contact number', { exact: true }).fill('0771231231')
  await dialog.getByLabel('Number of Team Members Participating').fill('24')
})

chapter('a sent booking shows its case number, and appears in the head’s open inbox by itself', async () => {
  const { page } = student
  await hasInboxOpen(head, hall.head)
  await page.getByRole('dialog').getByRole('button', { name: 'Book Resource' }).click()
  // The sources' message, and what was created: a request is not presented as more.
  await reads(page, 'Booking Created Successfully')
  await page.getByRole('heading', { name: 'Tentative Booking: not confirmed yet' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Booking Created Successfully' }).count()).toBe(0)
  const names = page.getByRole('dialog').locator('dl > div')
  reference = (await names.filter({ hasText: 'Reference' }).locator('strong').textContent()) ?? ''
  expect(reference).toMatch(/^RB-\d{4}-\d{6}$/)
  await names
    .filter({ hasText: 'Reservation ID' })
    .getByText(`WEM-ST-01/${day.replaceAll('-', '/')}`)
    .waitFor()
  await reads(page, /^It is with .+ now \(Approve as .+\), due on \w{3} \d/)
  await page.getByRole('button', { name: 'Copy: Reference' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference)
  await student.picture('09-booked')

  const row = await arrived(head)
  await head.picture('10-inbox')
  await row.click()
  await head.page
    .getByRole('heading', { name: `May Nuwan Jayawardena use Recital Studio from ${inWords()}, 13:00 to 18:00?` })
    .waitFor()
})

chapter('the booker sees in plain words and in the diagram where the booking is', async () => {
  const { page } = student
  await page.getByRole('link', { name: 'Open the booking' }).click()
  await page.getByRole('heading', { name: new RegExp(`${event}.+${inWords()}`), level: 1 }).waitFor()
  const stages = page.getByRole('list', { name: 'Progress of this case' })
  await stages.getByText('Approve as head of the owner').waitFor()
  expect(await stages.locator('[aria-current=step]').textContent()).toMatch(
    /HOD, Department of Western Music.*answer expected by/s,
  )

  await page.getByText('Diagram', { exact: true }).click()
  const diagram = page.getByRole('figure', { name: 'The process as a diagram, with the path of this case' })
  await isHere(diagram, desks.approveByHead)
  await diagram.getByRole('link', { name: /bpmn\.io/i }).waitFor()
})

chapter('the head takes the task, approves it, and gets the next one', async () => {
  const { page } = head
  await page.getByRole('button', { name: 'Take it' }).click()
  await reads(page, 'You have taken this.')
  // Other stories may have left her some, too.
  await page.getByRole('link', { name: /^With me\s*[1-9]/ }).waitFor()
  await page.getByRole('link', { name: new RegExp(`${event}.+${inWords()}.+with you`) }).waitFor()
  await reads(page, /Rs\. [\d,]+\.00, 5 h/)
  await head.picture('11-task')
  await page.getByRole('button', { name: 'Approve' }).click()
  await reads(page, `Approve: ${reference}`)
  await page.getByRole('heading', { name: /^May .+ use Recital Studio/ }).waitFor()
})

chapter('the head rejects the other booking only with a reason', async () => {
  const { page } = head
  await page.getByRole('link', { name: new RegExp(`Choir rehearsal.*${inWords()}`) }).click()
  await page.getByRole('heading', { name: /^May Selvi Rajaratnam use Recital Studio/ }).waitFor()
  await page.getByRole('button', { name: 'Reject…' }).click()
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await reads(page, 'This field is required')
  await page.getByLabel('Reason').fill('The piano is being repaired that morning.')
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await reads(page, /^Reject: RB-/)
})

chapter('the booker’s case updates without a reload', async () => {
  const { page } = student
  const diagram = page.getByRole('figure', { name: /^The process as a diagram/ })
  await isHere(diagram, desks.checkByMA)
  const strokeOf = (way: string) =>
    diagram
      .locator(`.djs-connection${way} .djs-visual > path`)
      .first()
      .evaluate((path) => getComputedStyle(path).stroke)
  expect(await strokeOf('[class*=taken]')).not.toBe(await strokeOf(':not([class*=taken])'))
  const stages = page.getByRole('list', { name: 'Progress of this case' })
  await stages.getByText('Check as Management Assistant').waitFor()
  await stages.getByText('Malini Peiris').waitFor()
  await reads(page, 'Malini Peiris decided: Approve as head of the owner, Approve')
  await page.evaluate(() => window.scrollTo(0, 0))
  await student.picture('12-case')
  await diagram.scrollIntoViewIfNeeded()
  await student.picture('13-diagram')
})

/** Turns the calendar to the month of the story. */
async function turnsTo({ page }: Visitor, calendar: ReturnType<Visitor['page']['getByRole']>): Promise<void> {
  await calendar.getByRole('heading', { level: 2 }).waitFor()
  const months = dayjs(day)
    .startOf('month')
    .diff(dayjs(inDays(0)).startOf('month'), 'month')
  for (let n = 0; n < months; n += 1) await page.getByRole('button', { name: 'Later' }).click()
  await calendar.getByRole('heading', { name: dayjs(day).format('MMMM YYYY') }).waitFor()
}

/** Waits until the diagram marks this element as present. */
async function isHere(diagram: ReturnType<Visitor['page']['getByRole']>, element: string): Promise<void> {
  await diagram.locator(`[data-element-id="${element}"][class*="now"]`).waitFor()
}
