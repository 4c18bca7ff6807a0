import { beforeAll, expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { aBooking, BOOKING, type Hall, halls } from './booking.ts'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'

const { desks, events } = resourceBooking

let student: Person, registrar: Person, finance: Person
let withCost: Hall, free: Hall

beforeAll(async () => {
  ;[student, registrar, finance] = await Promise.all([as('student.nuwan'), as('registrar'), as('finance')])
  withCost = (await halls({ cost: true }))[0]!
  free = (await halls({ cost: false }))[0]!
})

test('a booking with a cost passes the head, the registrar and finance, and stands in the calendar until its event is over', async () => {
  const head = await as(withCost.head)
  const form = aBooking(withCost)
  const booking = await student.submit(BOOKING, form)
  await expectCase(booking).toBe('tentative_booking')
  await expectCase(booking, 'payment').toBe('invoice_requested')

  await head.decides(booking, 'approve')
  await registrar.decides(booking, 'approve')
  await expectCase(booking).toBe('pending_for_payment')
  await expectCase(booking, 'payment').toBe('invoice_issued')

  await finance.decides(booking, 'paid', { receipt_no: 'R-1001' })
  await expectCase(booking).toBe('confirmed_booking')
  await expectCase(booking, 'payment').toBe('paid')
  await expectMail(student).about('resource-reservation.mail.confirmed', booking)

  const day = String(form['from']).slice(0, 10)
  const { items } = await student.get(
    `/api/public/allocations?item=${withCost.id}&from=${day}T00:00:00%2B05:30&until=${day}T23:59:59%2B05:30`,
  )
  expect(items).toEqual([expect.objectContaining({ title: form['event'], state: 'final' })])

  await clock.passes('P12000D', booking)
  await expectCase(booking).toBe('event_completed')
  await expectEnded(booking)
})

test('a booking without cost is confirmed at once after the last desk, its payments closed', async () => {
  const booking = await student.submit(BOOKING, aBooking(free))
  await (await as(free.head)).decides(booking, 'approve')
  await registrar.decides(booking, 'approve')
  await expectCase(booking).toBe('confirmed_booking')
  await expectCase(booking, 'payment').toBe('payments_closed')
})

test('the case shows its way on the diagram, who has it now, and what was sent', async () => {
  const head = await as(withCost.head)
  const booking = await student.submit(BOOKING, aBooking(withCost))
  await head.decides(booking, 'approve')
  await registrar.task(booking)
  const seen = await student.get(`/api/cases/${booking.id}`)
  expect(seen.waitsWith).toEqual([expect.objectContaining({ desk: desks.approveByRegistrar })])
  expect(seen.facts.estimate.total).toBeGreaterThan(0)
  expect(seen.submissions.map(({ formKey }: { formKey: string }) => formKey)).toEqual([
    'resource-reservation/booking-request',
    'resource-reservation/booking-approval',
  ])
  const path = await student.get(`/api/cases/${booking.id}/path`)
  expect(path.present).toContain(desks.approveByRegistrar)
  expect(path.visited.map(({ element }: { element: string }) => element)).toEqual(
    expect.arrayContaining([events.bookingRequested, desks.approveByHead]),
  )
  const xml = await student.get(`/api/process-definitions/${path.definitionId}/xml`)
  for (const element of path.present) expect(xml).toContain(`id="${element}"`)
})
