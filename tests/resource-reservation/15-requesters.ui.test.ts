import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { aReference } from '../platform/kit/payments.ts'
import { as, type Case, type Person, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { proof } from '../platform/kit/proof.ts'
import { aBooking, approve, aRoom, BOOKING, type Hall, invoice } from './booking.ts'
import { aPicture } from '../platform/kit/uploads.ts'
import { day } from '../platform/kit/days.ts'

const { desks } = resourceBooking
const TOTAL = '9500'

let visitors: Visitors
let head: Person, finance: Person
let room: Hall

beforeAll(async () => {
  ;[head, finance] = await Promise.all([as('hod.western-music'), as('finance')])
  room = await aRoom()
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

/** A guest's booking with a confirmed address: it waits for the head. */
async function guestBooks(form: object): Promise<Case & { secret: string }> {
  const email = `guest.${Date.now()}@example.lk`
  const nic = `19${String(Date.now()).slice(-10)}`
  const contact = { salutation: 'Ms.', poc_name: 'Kumari Perera', poc_email: email, poc_nic: nic }
  const account = { salutation: 'Ms', full_name: 'Kumari Perera', email, contact_no: '0771231231', nic }
  const data = { ...form, ...contact }
  const body = { flow: BOOKING, data, account, understood: true }
  const made = await send('POST', '/api/public/bookings', { body, headers: await proof() })
  expect({ status: made.status, body: made.body }).toMatchObject({ status: 201 })
  const token = await until(`a mail to ${email}`, async () => {
    const { items } = await (await as('admin')).get('/api/mailbox?limit=100')
    const mail = items.find(({ to }: { to: string }) => to === email)
    return mail && (/confirm-booking\?token=([\w-]+)/.exec(mail.body)?.[1] as string | undefined)
  })
  const confirmed = await send('POST', '/api/public/confirmations', { body: { token }, headers: await proof() })
  expect(confirmed.status).toBe(200)
  const { reference, trackingSecret: secret } = made.body
  const { caseId: id } = await until(`${reference} at the head`, async () => {
    const { items } = await head.get(`/api/tasks?search=${reference}`)
    return items[0]
  })
  return { id, reference, secret }
}

async function downloads({ page }: Visitor, name: RegExp): Promise<void> {
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^INV-.+\.pdf$/)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
}

/** Sends a payment slip: first an invalid one, then a picture. */
async function sendsSlip({ page }: Visitor): Promise<void> {
  const paidOn = page.getByLabel('Paid on')
  // The page of the case, which is left just before, takes files of messages.
  await paidOn.waitFor()
  const slip = page.locator('input[type=file]')
  await slip.setInputFiles({ name: 'slip.txt', mimeType: 'text/plain', buffer: Buffer.from('paid') })
  await reads(page, 'slip.txt cannot be used here.')
  await slip.setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: aPicture() })
  await page.getByRole('button', { name: 'Remove the file slip.png' }).waitFor()
  await paidOn.fill(dayjs(day(0)).format('DD/MM/YYYY'))
  await paidOn.press('Enter')
  await page.getByLabel('Reference on the slip').fill(aReference())
  const amount = page.getByLabel('Amount paid')
  expect(await amount.inputValue()).toContain(TOTAL)
  await page.getByRole('button', { name: 'Send the payment slip' }).click()
}

test('a booker downloads the invoice, sends the slip, and asks to cancel: the next step is always shown', async () => {
  const student = await as('student.tharindu')
  const booking = await student.submit(BOOKING, aBooking(room))
  await approve(booking)
  await invoice(booking)
  await student.task(booking, desks.sendSlip)
  const visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn('student.tharindu', `/cases/${booking.id}`)
  const now = page.getByRole('list', { name: 'Progress of this case' }).locator('[aria-current=step]')
  await now.getByText('You', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show 5 earlier steps' }).click()
  await downloads(visitor, /^Download.*INV-/)
  await page.getByRole('region', { name: 'It is your turn' }).getByRole('link', { name: 'Answer' }).click()
  await sendsSlip(visitor)
  // Returns to the page that shows the progress.
  await page.waitForURL(`**/cases/${booking.id}`)
  await now.getByText('Finance MA').waitFor()
  await finance.decides(booking, 'paid', { receipt_no: 'R-15' }, desks.checkPayment)

  await page.getByRole('button', { name: 'Ask to cancel' }).click()
  const dialog = page.getByRole('dialog', { name: /^Ask to cancel: / })
  await dialog.getByText('Until that is decided, the booking stays yours.').waitFor()
  const ask = dialog.getByRole('button', { name: 'Ask to cancel' })
  await ask.click()
  await dialog.getByText('This field is required').first().waitFor()
  await dialog.getByLabel('Reason').fill('The singer is ill')
  await expectAccessible(page)
  await visitor.picture('requester-cancel')
  await ask.click()
  await now.getByText('HOD, Department of Western Music').waitFor()
  await expectCase(booking).toBe('requested_cancellation')
  expect(visitor.troubles()).toEqual([])
})

test('a guest corrects, pays and asks for another time with case number and secret only, on a phone', async () => {
  const form = aBooking(room, { association_to_uni: 'not_associated', poc_designation: 'Secretary' })
  const { associated_as: _kind, reg_no: _number, ...asked } = form
  const booking = await guestBooks(asked)
  await head.decides(booking, 'return', { reason: 'Who dances?', return_to: 'requester' }, desks.approveByHead)

  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  const turn = (what: string) => page.getByRole('region', { name: `It is your turn: ${what}` })
  const now = page.getByRole('list', { name: 'Progress of this case' }).locator('[aria-current=step]')
  const admin = await as('admin')
  const goneOn = (to: string) =>
    until(`${booking.reference} waits at ${to}`, async () => {
      const { waitsWith, status } = await admin.get(`/api/cases/${booking.id}`)
      return [status.key, ...waitsWith.map((one: { desk: string }) => one.desk)].includes(to)
    })
  /** Reloads, because the page polls only now and then. */
  const sees = async (what: Locator, when: string) => {
    await goneOn(when)
    await page.reload()
    await what.waitFor()
  }
  await goneOn(desks.correct)
  await visitor.opens(`/track#${booking.reference}/${booking.secret}`)
  await turn('Correct the booking').waitFor()
  await reads(page, 'Who dances?')
  const about = page.getByLabel('About the Event')
  await about.fill('')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('link', { name: 'About the Event: This field is required' }).waitFor()
  await about.fill('The third-year students dance.')
  await page.reload()
  await turn('Correct the booking').waitFor()
  expect(await about.inputValue()).toBe('The third-year students dance.')
  await expectAccessible(page)
  await visitor.picture('requester-track-correct')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await reads(page, 'Sent. The progress is shown below.')

  await approve(booking)
  await invoice(booking)
  await sees(turn('Send the payment slip'), desks.sendSlip)
  await downloads(visitor, /^Download.*INV-/)
  await visitor.picture('requester-track-slip')
  await sendsSlip(visitor)
  await reads(page, 'Sent. The progress is shown below.')
  await finance.decides(booking, 'paid', { receipt_no: 'R-16' }, desks.checkPayment)

  await sees(page.getByRole('button', { name: 'Ask for another time' }), 'confirmed_booking')
  await page.getByRole('button', { name: 'Ask for another time' }).click()
  const dialog = page.getByRole('dialog', { name: /^Ask for another time: / })
  await dialog.getByRole('combobox').last().selectOption('13:00')
  await dialog.getByLabel('Reason').fill('The dancers need an hour more')
  await expectAccessible(page)
  await visitor.picture('requester-track-move')
  await dialog.getByRole('button', { name: 'Ask for another time' }).click()
  await sees(now.getByText('HOD, Department of Western Music'), desks.decideChange)
  const price = page.getByText('costs Rs. 1,500.00 more than was agreed at first; the deposit pays it')
  await price.waitFor()
  await head.decides(booking, 'approve', {}, desks.decideChange)
  await sees(page.getByRole('heading', { level: 1, name: /09:00 to 13:00/ }), 'confirmed_booking')
  await page.getByRole('button', { name: 'Close this booking' }).click()
  await page.getByLabel('Secret').waitFor()
  expect(visitor.troubles()).toEqual([])
})
