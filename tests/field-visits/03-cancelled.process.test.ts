import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import { fieldVisit } from '../../processes/field-visits/field-visit.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { rupees } from '../../api/platform/kernel/rupees.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { aLicensedVehicle } from '../platform/kit/vehicles.ts'
import { LITTLE, agree, ofAdvance, pays, vouchers } from './advance.ts'

const { flow: FLOW, desks } = fieldVisit
let lecturer: Person, secretary: Person, head: Person, shroff: Person, transport: Person
beforeAll(async () => {
  ;[lecturer, secretary, head, shroff, transport] = await Promise.all([
    as('lecturer.perera'),
    as('ma.western-music'),
    as('hod.western-music'),
    as('shroff'),
    as('transport.head'),
  ])
})

/** A day of its own, so that this file can run again on the same product. */
const ON = 30 + Math.floor(Math.random() * 90)

/** An approved visit with a university vehicle and an advance. */
async function approvedVisit(on: number): Promise<Case> {
  const { items } = await lecturer.get('/api/registers/platform/department/items?search=Western')
  const of = await lecturer.submit(FLOW, {
    department: items[0].id,
    purpose: 'Hear an orchestra rehearse',
    place: 'Colombo',
    ...{ from: day(on), until: day(on), route: 'Campus, theatre, campus', group: 'Year 2', students: 6, staff: 1 },
    ...{ companions: 'N. Perera', phone: '0771234567', overnight: 'no', transport: 'university', advance: LITTLE },
    risks: [{ risk: 'Traffic', measure: 'Seat belts' }],
  })
  await head.decides(of, 'approve')
  await (await as('dean.music')).decides(of, 'approve')
  await (await as('head.welfare')).decides(of, 'approve')
  await expectCase(of).toBe('Approved')
  return of
}

const begins = async (who: Person, of: Case, name: string, flow: string, more: object): Promise<Case> => {
  const { data } = await who.get(`/api/cases/${of.id}/offers/${name}`)
  return who.ok('POST', '/api/cases', { flow, data: { ...data, ...more }, follows: { case: of.id, name } })
}
async function reserves(of: Case): Promise<Case> {
  const centre = (await lecturer.get('/api/registers/vehicles/cost-centre/items?search=CC-WM')).items[0].id
  const more = { cost_centre: centre, from_place: 'Campus', outside: 'no', kilometres: 30 }
  return begins(lecturer, of, 'vehicle', 'vehicles/vehicle-reservation', more)
}
async function asksForAdvance(of: Case): Promise<Case & { vote: string }> {
  const { vote, data } = await ofAdvance(LITTLE)
  return { ...(await begins(secretary, of, 'advance', 'vouchers/payment-voucher', data)), vote }
}
const committed = (vote: string) => balance(vote, 'committed')
const spent = (vote: string) => balance(vote, 'spent')
async function balance(vote: string, account: 'committed' | 'spent'): Promise<number> {
  const of = `vote:${vote}:${account}`
  const [row] = await asOwner<{ balance: string }>(
    'select abs(balance) as balance from app.ledger_account where id = $1',
    [of],
  )
  return Number(row?.balance ?? 0)
}
const cancels = (of: Case) =>
  until('it can be cancelled', () => lecturer.withdraws(of, 'The theatre is closed').then(() => true))
const refused = async (of: Case, data: object) => {
  const { id } = await shroff.task(of, desks.settleAdvance)
  const { body } = await shroff.send('POST', `/api/tasks/${id}/complete`, { data })
  return body.errors.map(({ field, code }: { field: string; code: string }) => [field, code])
}
const RECEIPT = `R-${randomUUID().slice(0, 8)}`
const back = { outcome: 'returned', receipt: RECEIPT, returned_on: day(0) }

test('a cancelled visit frees its vehicles, and an advance that was paid is asked for until it is back', async () => {
  const of = await approvedVisit(ON)
  const [assigned, undecided] = [await reserves(of), await reserves(of)]
  await head.decides(assigned, 'approve')
  await (await as('transport.ma')).decides(assigned, 'recommend')
  await (await as('registrar')).decides(assigned, 'approve')
  // Trips of other files take neither this vehicle nor this driver.
  const makes = async (register: string, data: object) =>
    (await transport.ok('POST', `/api/registers/vehicles/${register}/items`, { data })).id as string
  const mark = randomUUID().slice(0, 8).toUpperCase()
  const crew = { name: `Visit Driver ${mark}`, duty: 'driver', contact_no: '0714420921', licence_no: `B${mark}` }
  const picked = {
    vehicle: (await aLicensedVehicle()).id,
    driver: await makes('crew', { ...crew, licence_class: 'D', licence_until: day(900) }),
  }
  await transport.decides(assigned, 'assign', picked)
  await expectCase(assigned).toBe('reserved_vehicle')
  const held = async () =>
    (await asOwner(`select id from app.allocation where case_id = $1 and state <> 'released'`, [assigned.id])).length
  expect(await held()).toBe(2)
  const advance = await asksForAdvance(of)
  await agree(advance)
  await pays(advance)
  await expectEnded(advance)
  const { linked } = await lecturer.get(`/api/cases/${of.id}`)
  const told = linked.map(({ reference, endsToo }: { reference: string; endsToo: boolean }) => [reference, endsToo])
  expect(told).toEqual([
    [assigned.reference, true],
    [undecided.reference, true],
    [advance.reference, false],
  ])

  await cancels(of)
  for (const one of [assigned, undecided]) {
    await expectEnded(one)
    await expectCase(one).toBe('cancel')
    await expectMail(lecturer).about('vehicles.mail.origin-gone', one)
  }
  await expectMail(transport).about('vehicles.mail.origin-gone', assigned)
  expect(await held()).toBe(0)
  const trips = await transport.get(`/api/registers/vehicles/trip/items?status=Cancelled&search=${assigned.reference}`)
  expect(trips.items).toHaveLength(1)
  await expectCase(of).toBe('Advance To Return')
  await expectMail(secretary).about('field-visits.mail.advance-out', of)
  expect((await lecturer.get(`/api/cases/${of.id}`)).offers).toEqual([])

  expect(await refused(of, { outcome: 'not-paid' })).toEqual([['/outcome', 'field-visits.advance-was-paid']])
  expect(await refused(of, { ...back, receipt: '-', amount: LITTLE })).toEqual([['/receipt', 'platform.check-pattern']])
  expect(await refused(of, { ...back, amount: LITTLE + 1 })).toEqual([['/amount', 'field-visits.more-than-advance']])
  const settling = await shroff.task(of, desks.settleAdvance)
  const more = { data: { ...back, amount: LITTLE + 1 } }
  const { body: tells } = await shroff.send('POST', `/api/tasks/${settling.id}/complete`, more)
  expect(tells.errors[0].message).toContain(rupees(LITTLE))
  expect(await refused(of, { ...back, amount: LITTLE - 1 })).toEqual([['/reason', 'field-visits.less-than-advance']])
  expect(await spent(advance.vote)).toBe(LITTLE)
  const kept = 500_000
  await shroff.decides(of, 'returned', { ...back, amount: LITTLE - kept, reason: 'Tickets that nobody takes back' })
  await expectEnded(of)
  await expectCase(of).toBe('Cancelled')
  await expectMail(lecturer).about('field-visits.mail.advance-returned', of)
  // The cash book has it with its receipt, and the vote has what came back.
  const book = await (await as('bursar')).get('/api/reports/vouchers/cash-book')
  const came = book.rows.filter(({ voucher }: { voucher: { text: string } }) => voucher.text === of.reference)
  expect(came).toEqual([
    expect.objectContaining({
      number: RECEIPT,
      kind: 'vouchers.entry.advance-returned',
      back: LITTLE - kept,
      out: null,
    }),
  ])
  expect(await spent(advance.vote)).toBe(kept)

  // The database permits it once, and neither with another key nor of a visit that has none.
  const again = (key: string, receipt: string) =>
    asOwner(`do $$
      declare id uuid := gen_random_uuid(); e app.ledger_entry;
      begin
        select * into e from app.ledger_entry where key = 'advance:${advance.id}:returned';
        insert into app.ledger_entry (id, key, kind, case_id, memo, lines)
          values (id, '${key}', e.kind, e.case_id, '${receipt}', 2);
        insert into app.ledger_line select id, position, account_id, sign(amount) from app.ledger_line
          where entry_id = e.id and account_id not like 'vote:%';
      end $$`)
  await expect(again(`advance:${advance.id}:returned`, `${RECEIPT}b`)).rejects.toThrow('ledger_entry_key_key')
  await expect(again(`advance:${of.id}:returned`, `${RECEIPT}b`)).rejects.toThrow('returns no advance that was paid')
  await expect(again(`advance:${of.id}:returned`, RECEIPT.toLowerCase())).rejects.toThrow('ledger_advance_receipt')
})

test('an advance that is still decided ends with its visit; one that is certified is rejected where it is paid', async () => {
  const [early, late] = [await approvedVisit(ON + 1), await approvedVisit(ON + 2)]
  const decided = await asksForAdvance(early)
  await agree(decided, vouchers.checkByFinanceMA)
  await until('the vote is committed', async () => (await committed(decided.vote)) === LITTLE)
  await cancels(early)
  await expectEnded(decided)
  expect(await secretary.get(`/api/cases/${decided.id}`)).toMatchObject({ endReason: 'withdrawn' })
  await until('the vote is free', async () => (await committed(decided.vote)) === 0)
  await expectEnded(early)
  await expectCase(early).toBe('Cancelled')

  const certified = await asksForAdvance(late)
  await agree(certified)
  await (await as('assistant.bursar')).task(certified, vouchers.pay)
  await cancels(late)
  await expectCase(late).toBe('Advance To Return')
  const open = [['/outcome', 'field-visits.advance-not-settled']]
  expect(await refused(late, { outcome: 'not-paid' })).toEqual(open)
  expect(await refused(late, { ...back, amount: LITTLE })).toEqual(open)
  await (await as('assistant.bursar')).decides(certified, 'reject', { reason: 'The visit is cancelled' }, vouchers.pay)
  await expectEnded(certified)
  expect(await refused(late, { ...back, amount: LITTLE })).toEqual([['/outcome', 'field-visits.advance-was-not-paid']])
  await shroff.decides(late, 'not-paid')
  await expectEnded(late)
  await expectCase(late).toBe('Cancelled')
})

test('a visit that is moved to other days gives its vehicle back, and leads to another one', async () => {
  const of = await approvedVisit(ON + 3)
  const trip = await reserves(of)
  await head.decides(trip, 'approve')
  const moves = (from: number, reason = 'The theatre is closed then') =>
    until('it can be moved', async () => {
      const data = { from: day(from), until: day(from), reason }
      const answer = await lecturer.send('POST', `/api/cases/${of.id}/acts/move`, { data })
      return answer.body.code === 'platform.act-not-possible' ? undefined : answer
    })
  const code = async (from: number) => (await moves(from)).body.errors[0].code
  expect([await code(ON + 3), await code(2)]).toEqual(['field-visits.same-days', 'field-visits.week-ahead'])
  await moves(ON + 4)
  await expectCase(of).toBe('Move Requested')
  // Nothing is reserved for days that may change.
  expect((await lecturer.get(`/api/cases/${of.id}`)).offers).toEqual([])
  await head.decides(of, 'refuse', { reason: 'The first years have a test' }, desks.approveMove)
  await expectMail(lecturer).about('field-visits.mail.not-moved', of)
  await expectCase(of).toBe('Approved')
  await expectCase(trip).toBe('recommended_by_hod')
  const byHand = asOwner(`update app.flow_case set data = data || '{"from": "2030-01-01"}' where id = $1`, [of.id])
  await expect(byHand).rejects.toThrow('a vehicle is reserved for the days of')

  await moves(ON + 5)
  const asked = (on: number) =>
    asOwner(
      `update app.submission set data = jsonb_set(data, '{from}', to_jsonb($2::text)) where id =
         (select id from app.submission where case_id = $1 and form_key = 'field-visits/move' order by at desc limit 1)`,
      [of.id, day(on)],
    )
  // As if the head had waited until the new first day.
  await asked(0)
  const { id } = await head.task(of, desks.approveMove)
  const { body } = await head.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'approve' } })
  expect(body.errors[0]).toMatchObject({ field: '/outcome', code: 'field-visits.days-are-over' })
  await asked(ON + 5)
  await head.decides(of, 'approve', {}, desks.approveMove)
  await expectMail(lecturer).about('field-visits.mail.moved', of)
  await expectEnded(trip)
  await expectCase(trip).toBe('cancel')
  await expectMail(lecturer).about('vehicles.mail.origin-gone', trip)
  await expectCase(of).toBe('Approved')
  const { data, subject } = await lecturer.get(`/api/cases/${of.id}`)
  expect([data.from, subject.until]).toEqual([day(ON + 5), day(ON + 5)])
  const offered = await lecturer.get(`/api/cases/${of.id}/offers/vehicle`)
  expect(offered.data.from).toBe(`${day(ON + 5)}T07:00:00+05:30`)
  // What follows waits for the new days, also if nobody answers about others until a day before: it can be cancelled.
  const another = await reserves(of)
  await moves(ON + 7)
  await expectCase(of).toBe('Move Requested')
  await clock.passes(`P${ON + 4}D`, of)
  await expectMail(lecturer).about('field-visits.mail.move-late', of)
  await expectCase(of).toBe('Approved')
  await cancels(of)
  await expectEnded(another)
  await expectEnded(of)
})
