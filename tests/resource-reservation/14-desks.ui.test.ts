import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { aBooking, approve, aRoom, asks, BOOKING, type Hall, sendSlip } from './booking.ts'
import { day } from '../platform/kit/days.ts'

const { desks } = resourceBooking
const today = dayjs(day(0)).format('DD/MM/YYYY')
const nextWeek = dayjs(day(0)).add(7, 'day').format('DD/MM/YYYY')

let visitors: Visitors
let student: Person, head: Person, finance: Person, admin: Person
let room: Hall
let booking: Case
let atHead: Visitor, atStudent: Visitor, atFinance: Visitor

beforeAll(async () => {
  student = await as('student.nuwan')
  head = await as('hod.western-music')
  finance = await as('finance')
  admin = await as('admin')
  room = await aRoom()
  booking = await student.submit(BOOKING, aBooking(room))
  visitors = await openBrowser()
  ;[atHead, atStudent, atFinance] = await Promise.all([
    visitors.arrives(),
    visitors.arrives({ width: NARROW }),
    visitors.arrives(),
  ])
})
afterAll(() => visitors?.close())

/** Signs somebody in and opens their waiting task. */
async function opens(visitor: Visitor, person: Person, desk: string): Promise<void> {
  const { id } = await person.task(booking, desk)
  await visitor.signsIn(person.username, `/tasks/${id}`)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
}

async function goesTo(visitor: Visitor, person: Person, desk: string): Promise<void> {
  const { id } = await person.task(booking, desk)
  await visitor.goes(`/tasks/${id}`)
}

const press = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
const caseNow = () => admin.get(`/api/cases/${booking.id}`)

test('no invoice is announced before it is issued, nor for a booking that ended unsuccessfully', async () => {
  const { page } = atStudent
  await atStudent.signsIn('student.nuwan', `/cases/${booking.id}`)
  await page.locator('header').getByText('Tentative Booking').waitFor()
  expect(await page.getByText('Invoice Requested').count()).toBe(0)
  const withdrawn = await student.submit(BOOKING, aBooking(await aRoom()))
  await student.withdraws(withdrawn)
  await atStudent.goes(`/cases/${withdrawn.id}`)
  await page.locator('header').getByText('Withdrawn').waitFor()
  expect(await page.getByText('Invoice Requested').count()).toBe(0)
  await atHead.signsIn(head.username, `/resource_reservation/all_requests?search=${withdrawn.reference}`)
  const row = atHead.page.getByRole('row', { name: new RegExp(withdrawn.reference) })
  await row.getByText('Withdrawn').waitFor()
  expect(await row.getByText('Invoice Requested').count()).toBe(0)
  await atHead.goes(`/resource_reservation/all_requests?search=${booking.reference}&payment=invoice_requested`)
  await atHead.page.getByRole('heading', { level: 1, name: /^All requests\s*0$/ }).waitFor()
  expect([...atStudent.troubles(), ...atHead.troubles()]).toEqual([])
})

test('a head returns a booking to its booker with a reason; the booker corrects it, but not the resource', async () => {
  await opens(atHead, head, desks.approveByHead)
  await press(atHead, 'Return…')
  const back = atHead.page.getByRole('radio', { name: /Nuwan.*\(requester\)/ })
  expect(await back.isChecked()).toBe(true)
  await press(atHead, 'Return')
  await atHead.page.getByText('Please fill this in').or(atHead.page.locator('[data-wrong]')).first().waitFor()
  await atHead.page.getByLabel('Reason').fill('Please name the event in full')
  await looks(atHead, 'desk-return')
  await press(atHead, 'Return')

  await opens(atStudent, student, desks.correct)
  const event = atStudent.page.getByRole('textbox', { name: 'Event Name', exact: true })
  expect(await event.inputValue()).toBe('Evening of Kandyan drums')
  expect(await atStudent.page.getByText('Please name the event in full').count()).toBeGreaterThan(0)
  await reads(atStudent.page, room.title, { exact: true })
  expect(await atStudent.page.getByRole('combobox', { name: 'Resource', exact: true }).count()).toBe(0)
  await event.fill('Evening of Kandyan drums and song')
  await looks(atStudent, 'desk-correct')
  await press(atStudent, 'Send again')
  await head.task(booking, desks.approveByHead)
  expect((await caseNow()).data).toMatchObject({ event: 'Evening of Kandyan drums and song', resource: room.id })
})

test('finance changes a line of the invoice and sees the total before issuing it', async () => {
  await approve(booking)
  await opens(atFinance, finance, desks.issueInvoice)
  const total = atFinance.page.getByText(/^Total/)
  expect(await total.textContent()).toContain('Rs. 9,500.00')
  await atFinance.page.getByLabel('Quantity, row 1').fill('4')
  await total.getByText('Rs. 11,000.00').waitFor()
  const due = atFinance.page.getByLabel('To be paid by')
  await due.fill(nextWeek)
  await due.press('Enter')
  await looks(atFinance, 'desk-invoice')
  const requested = await finance.get(
    `/api/cases?flow=${BOOKING}&filter.payment=invoice_requested&search=${booking.reference}`,
  )
  expect(requested.items[0].statuses.payment).toMatchObject({ text: 'Invoice Requested' })
  expect(requested.items[0].statuses.payment.untold).toBeUndefined()
  await press(atFinance, 'Issue the invoice')
  await student.task(booking, desks.sendSlip)
  expect((await caseNow()).facts.invoice.total).toBe(1_100_000)
})

test('finance checks the slip, the head sees the terms of a cancellation, and finance refunds what is due', async () => {
  await sendSlip(booking, student)
  await goesTo(atFinance, finance, desks.checkPayment)
  await press(atFinance, 'View: slip.png')
  await atFinance.page.getByRole('img', { name: 'slip.png' }).waitFor()
  await looks(atFinance, 'desk-payment')
  await press(atFinance, 'Record the payment')
  await atFinance.page.getByLabel('Receipt number').fill('R-14')
  await press(atFinance, 'Record the payment')
  await expectCase(booking).toBe('confirmed_booking')

  await asks(student, booking, 'cancel', { reason: 'The drummers are ill' })
  await goesTo(atHead, head, desks.decideCancellation)
  await reads(atHead.page, 'The drummers are ill')
  await reads(atHead.page, /of hire and amenities goes back, .* of the deposit, Rs\. 5,000\.00/)
  await looks(atHead, 'desk-cancellation')
  await press(atHead, 'Accept')

  await goesTo(atFinance, finance, desks.refundCancellation)
  await reads(atFinance.page, 'to be paid back')
  await atFinance.page.getByRole('radio', { name: 'Bank transfer' }).check()
  await atFinance.page.getByLabel('Reference of the payment').fill('BOC 1')
  const paidOn = atFinance.page.getByLabel('Paid back on')
  await paidOn.fill(today)
  await paidOn.press('Enter')
  await looks(atFinance, 'desk-refund')
  await press(atFinance, 'Record the refund')
  await expectCase(booking).toBe('accepted_cancellation')
})

test('bookings are found by Reservation ID and payment status; the unit sees use and income, and what is free', async () => {
  await expectCase(booking, 'payment').toBe('payments_closed')
  const { reservationId } = (await caseNow()).facts
  await atHead.goes(
    `/resource_reservation/all_requests?search=${encodeURIComponent(reservationId)}&payment=payments_closed`,
  )
  await atHead.page.getByRole('link', { name: booking.reference }).waitFor()
  await looks(atHead, 'staff-requests')
  for (const [path, name] of [
    ['/resource_reservation/overview?from=abc', 'overview'],
    ['/resource_reservation/available', 'available'],
    ['/resource_reservation/available?from=nonsense&until=2026-12-01T10:00:00Z', 'available-mistyped'],
    [`/resource_reservation/reserved_reservation/${booking.id}`, 'reserved'],
    [`/registers/resource-reservation/resource/${room.id}`, 'resource'],
    ['/resource_reservation/new_resource', 'new-resource'],
  ] as const) {
    await atHead.goes(path)
    await atHead.page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('main output'))
    await looks(atHead, `staff-${name}`)
  }
  expect([atHead, atStudent, atFinance].flatMap((visitor) => visitor.troubles())).toEqual([])
})
