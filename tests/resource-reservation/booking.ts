import { asOwner } from '../platform/kit/owner.ts'
import dayjs from 'dayjs'
import { randomBytes } from 'node:crypto'
import people from '../../forms/platform/people.demo.json' with { type: 'json' }
import type { Requests, Step } from '../platform/faults/kill-random.ts'
import { resourceBooking } from '../../processes/resource-reservation/resource-booking.generated.ts'
import { as, type Case, PASSWORD, type Person, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { aReference } from '../platform/kit/payments.ts'
import { aPicture, uploads } from '../platform/kit/uploads.ts'
import { day as inDays } from '../platform/kit/days.ts'

/** The flow of this area. */
export const BOOKING = resourceBooking.flow

export interface Resource {
  id: string
  title: string
  data: { resource_ref_id: string; cost_applicable: boolean; department?: string; division?: string; faculty?: string }
}

/** The public resources. */
export async function resources(): Promise<Resource[]> {
  const { body } = await send('GET', '/api/public/registers/resource-reservation/resource/items?limit=100')
  return body.items as Resource[]
}

/** A resource of a department, and the username of that department's head. */
export interface Hall extends Resource {
  head: string
}

/** The departments' halls, with or without a price. */
export async function halls({ cost }: { cost: boolean }): Promise<Hall[]> {
  const admin = await as('admin')
  const list = await admin.get('/api/registers/platform/department/items?limit=100')
  const heads = new Map<string, string>()
  for (const { id, data } of list.items) {
    const head = people.find(({ post }) => post === data.head)
    if (head) heads.set(id, head.username)
  }
  const found = (await resources()).flatMap((resource): Hall[] => {
    const head = resource.data.department && heads.get(resource.data.department)
    return head && resource.data.cost_applicable === cost ? [{ ...resource, head }] : []
  })
  if (found.length === 0) throw new Error(`no hall of a department ${cost ? 'with' : 'without'} cost`)
  return found
}

/**
 * A different day for each booking, so that stories do not collide: five days pass each second, faster than any test
 * file books, and each file continues from the present one.
 */
let days = Math.floor(Date.now() / 200) % 10_000

/** A student's booking of a free morning of the given resource. */
export function aBooking(resource: { id: string }, more: object = {}): Record<string, unknown> {
  days += 1
  const day = dayjs(inDays(0))
    .add(60 + days, 'day')
    .format('YYYY-MM-DD')
  return {
    resource: resource.id,
    from: `${day}T09:00:00+05:30`,
    until: `${day}T12:00:00+05:30`,
    event: 'Evening of Kandyan drums',
    event_organized_by: 'Students’ Drumming Circle',
    event_details: 'A concert of the second-year students, open to the public.',
    association_to_uni: 'current',
    associated_as: 'Undergraduate Student',
    reg_no: 'DD/2024/017',
    salutation: 'Mr.',
    poc_name: 'Nuwan Jayasinghe',
    poc_nic: '200012345678',
    poc_email: 'nuwan@example.org',
    poc_contact_no: '0771231231',
    team_participants: 12,
    is_sponsors: false,
    ...more,
  }
}

/** The desks of the whole chain for a resource of the Department of Western Music, and the people at them. */
export const CHAIN = [
  [resourceBooking.desks.approveByHead, 'hod.western-music'],
  [resourceBooking.desks.checkByMA, 'ma.western-music'],
  [resourceBooking.desks.checkByAR, 'ar.music'],
  [resourceBooking.desks.approveByRegistrar, 'registrar'],
  [resourceBooking.desks.approveByViceChancellor, 'vc'],
] as const

let made = 0

/** A room of the Department of Western Music that nobody else books: Rs. 1,500 an hour, a deposit of Rs. 5,000. */
export async function aRoom(more: object = {}): Promise<Hall> {
  const admin = await as('admin')
  const { items } = await admin.get('/api/registers/platform/department/items?search=Western')
  const types = await admin.get('/api/registers/resource-reservation/resource-type/items?limit=1')
  const name = `Room ${randomBytes(4).toString('hex')}${(made += 1)}`
  const data = {
    ...{ name, resource_ref_id: name.replace(' ', '-'), resource_type: types.items[0].id, department: items[0].id },
    ...{ internal_use: true, external_use: true, currently_associated: true, past_associated: true },
    ...{ reservation_required: true, seating_capacity: 80, cost_applicable: true },
    ...{ base_cost: 150_000, base_cost_basis: 'Per Hour', refundable_deposit: 500_000, ...more },
  }
  const { id } = await admin.ok('POST', '/api/registers/resource-reservation/resource/items', { data })
  return { id, title: name, data, head: 'hod.western-music' }
}

/** As `aRoom`, but free of charge. */
export function aFreeRoom(more: object = {}): Promise<Hall> {
  const nothing = { base_cost: undefined, base_cost_basis: undefined, refundable_deposit: undefined }
  return aRoom({ cost_applicable: false, ...nothing, ...more })
}

/** Lets the desks of the chain approve in order, up to, but not including, the one named. */
export async function approve(booking: Case, { upTo }: { upTo?: string } = {}): Promise<void> {
  for (const [desk, username] of CHAIN) {
    if (desk === upTo) return
    await (await as(username)).decides(booking, 'approve', {}, desk)
  }
}

/** The finance desk issues the prepared invoice. */
export async function invoice(booking: Case): Promise<void> {
  const finance = await as('finance')
  await finance.task(booking, resourceBooking.desks.issueInvoice)
  const { facts } = await finance.get(`/api/cases/${booking.id}`)
  await finance.decides(booking, 'issue', invoiceOf(facts), resourceBooking.desks.issueInvoice)
}

function invoiceOf(facts: { invoiceLines: object[] }) {
  return { outcome: 'issue', lines: facts.invoiceLines, due: inDays(7) }
}

export async function sendSlip(booking: Case, booker: Person): Promise<void> {
  const task = await booker.task(booking, resourceBooking.desks.sendSlip)
  const { facts } = await booker.get(`/api/cases/${booking.id}`)
  await booker.ok('POST', `/api/tasks/${task.id}/complete`, { data: await slipOf(booker, facts) })
}

async function slipOf(booker: Person, facts: { invoice: { total: number } }) {
  const slip = await uploads(booker, 'slip.png', aPicture())
  const paid = { amount: facts.invoice.total, paid_on: inDays(0), bank_reference: aReference() }
  return { outcome: 'send', slip, ...paid }
}

/** Invoice, slip and check: the steps of a priced booking after its approval. */
export async function pay(booking: Case, booker: Person): Promise<void> {
  await invoice(booking)
  await sendSlip(booking, booker)
  await (await as('finance')).decides(booking, 'paid', { receipt_no: 'R-1001' }, resourceBooking.desks.checkPayment)
}

/** The finance desk pays the refund. */
export async function refund(booking: Case, desk: string): Promise<void> {
  const paid = { method: 'bank_transfer', reference: 'BOC 4712', paid_on: inDays(0) }
  await (await as('finance')).decides(booking, 'refunded', paid, desk)
}

/** An act of the booker on the running booking. */
export function asks(booker: Person, booking: Case, act: string, data: object): Promise<unknown> {
  return until(`${act} of ${booking.reference} is possible`, async () => {
    const { acts } = await booker.get(`/api/cases/${booking.id}`)
    const possible = acts.some(({ name }: { name: string }) => name === act)
    return possible && booker.ok('POST', `/api/cases/${booking.id}/acts/${act}`, { data })
  })
}

/** Ids of that many accounts. */
export async function accountIds(count: number): Promise<string[]> {
  const rows = await asOwner<{ id: string }>('select id from app.account order by id limit $1', [count])
  return rows.map(({ id }) => id)
}

/** Creates accounts beside the demo ones and signs them in; returns their access tokens. */
export async function someAccounts(count: number): Promise<string[]> {
  const run = randomBytes(3).toString('hex')
  await asOwner(
    `insert into app.account (id, username, email, name, password_hash)
     select gen_random_uuid(), 'racer' || $1 || n, 'racer' || $1 || n || '@example.org', 'Racer ' || n,
       (select password_hash from app.account where username = 'student.nuwan')
     from generate_series(1, $2) as n`,
    [run, count],
  )
  const tokens: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const body = new URLSearchParams({ grant_type: 'password', username: `racer${run}${n}`, password: PASSWORD })
    const answer = await send('POST', '/api/auth/token', { body })
    if (answer.status !== 200) throw new Error(`racer ${n} cannot sign in: ${JSON.stringify(answer.body)}`)
    tokens.push(answer.body.access_token as string)
  }
  return tokens
}

/** A new signed-in person with an unconfirmed address. */
export async function anUnconfirmedPerson(): Promise<Person> {
  const username = `newcomer${randomBytes(4).toString('hex')}`
  await asOwner(
    `insert into app.account (id, username, email, name, password_hash)
     select gen_random_uuid(), $1::text, $1::text || '@example.org', 'A Newcomer',
       (select password_hash from app.account where username = 'student.nuwan')`,
    [username],
  )
  return as(username)
}

/** A signed-in person whose employee entry is inactive. */
export async function aFormerMember(): Promise<Person> {
  const former = await anUnconfirmedPerson()
  await asOwner(
    `with entry as (
       insert into app.register_item (id, register, status, title, data)
       values (gen_random_uuid(), 'platform/employee', 'Inactive', $1, '{}') returning id)
     update app.account set email_confirmed_at = now(), record_id = entry.id from entry where username = $1`,
    [former.username],
  )
  return former
}

/** Turns a booking of `aBooking` into one of the staff, which takes the short paths through the chain. */
export const STAFF = { associated_as: 'Academic Employee', poc_designation: 'Lecturer', reg_no: undefined }

/**
 * Requests of this area for runs with faults: small bookings of the staff, two of three free of charge and decided by
 * two desks, the third by four and then paid.
 */
export async function bookingsForFaults(): Promise<Requests> {
  const rooms = await Promise.all([aFreeRoom(), aFreeRoom(), aRoom()])
  const room = (n: number): Hall => rooms[n % rooms.length]!
  const { issueInvoice, sendSlip: slip, checkPayment, checkByAR, approveByViceChancellor } = resourceBooking.desks
  const paid = { outcome: 'paid', receipt_no: 'R-1001' }
  const payment: Step[] = [
    { desk: issueInvoice, by: 'finance', answer: (_finance, facts) => invoiceOf(facts) },
    { desk: slip, answer: (booker, facts) => slipOf(booker, facts) },
    { desk: checkPayment, by: 'finance', answer: () => paid },
  ]
  return {
    flow: BOOKING,
    data: (n) => aBooking(room(n), STAFF),
    requesters: people.map(({ username }) => username).filter((name) => name.startsWith('lecturer.')),
    steps: (n) => {
      const cost = room(n).data.cost_applicable
      const asked = CHAIN.slice(
        0,
        CHAIN.findIndex(([desk]) => desk === (cost ? approveByViceChancellor : checkByAR)),
      )
      const approvals = asked.map(([desk, by]): Step => ({ desk, by, answer: () => ({ outcome: 'approve' }) }))
      return cost ? [...approvals, ...payment] : approvals
    },
    ends: { confirmed: 'confirmed_booking', rejected: 'rejected', withdrawn: 'accepted_cancellation' },
  }
}
