import { beforeAll, expect, test } from '@jest/globals'
import { hostelApplication } from '../../processes/hostel/hostel-application.generated.ts'
import { hostelComplaint } from '../../processes/hostel/hostel-complaint.generated.ts'
import { hostelLeave } from '../../processes/hostel/hostel-leave.generated.ts'
import { hostelSwap } from '../../processes/hostel/hostel-swap.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { until } from '../platform/kit/poll.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { REGISTERS, anApplication, anIntake, aReceipt, aRegistration, checked, ends, staysOf } from './application.ts'

const { desks } = hostelApplication

let hasini: Person, nuwan: Person, fathima: Person, ma: Person, assistant: Person, ar: Person
const places = new Map<Person, Case>()
beforeAll(async () => {
  ;[hasini, nuwan, fathima, ma, assistant, ar] = await Promise.all([
    as('student.hasini'),
    as('student.nuwan'),
    as('student.fathima'),
    as('ma.welfare'),
    as('assistant.welfare'),
    as('head.welfare'),
  ])
  const intake = await anIntake()
  const sexes = new Map([
    [hasini, 'female'],
    [fathima, 'female'],
    [nuwan, 'male'],
  ])
  for (const [who, sex] of sexes) {
    const application = await anApplication(who, intake, 'Kurunegala', { sex })
    places.set(who, await who.submit(hostelApplication.flow, application))
  }
  for (const one of places.values()) await ma.decides(one, 'checked', checked, desks.check)
  await ends(intake)
  for (const one of places.values()) await ar.decides(one, 'approve', {}, desks.approve)
  for (const one of places.values()) await expectCase(one).toBe('approved')
  for (const one of places.values()) await assistant.decides(one, 'allocate', {}, desks.allocate)
  await moves(hasini, 'K-H')
  await moves(fathima, 'K-F')
})

async function moves(who: Person, key_no = 'K-8'): Promise<void> {
  const one = places.get(who)!
  await who.decides(one, 'register', await aRegistration(who), desks.register)
  await ma.decides(one, 'confirm', { receipt_no: aReceipt(), key_no }, desks.confirm)
  await expectCase(one).toBe('resident')
}

async function changesRoom(id: string, data: object): Promise<void> {
  const at = `${REGISTERS}/room/items/${id}`
  const { version } = await ma.get(at)
  await ma.ok('PUT', at, { data }, { 'if-match': `"${version}"` })
}

const stayOf = async (who: Person) => (await staysOf(places.get(who)!))[0]!
const bedOf = async (who: Person) => {
  const { data } = await stayOf(who)
  return [data['room'], data['bed'], data['key_no']]
}

test('residents ask for leave, and both they and the office hear if they are not back', async () => {
  const aLeave = async (who: Person) => ({
    ...{ stay: (await stayOf(who)).id, from: day(0), back: day(3), where: 'At home', phone: '0771234567' },
    purpose: 'A wedding',
  })
  await expect(nuwan.submit(hostelLeave.flow, await aLeave(nuwan))).rejects.toThrow('hostel.not-moved-in')
  await expect(fathima.submit(hostelLeave.flow, await aLeave(hasini))).rejects.toThrow('platform.requester-not-meant')
  const past = { ...(await aLeave(hasini)), from: day(-1) }
  await expect(hasini.submit(hostelLeave.flow, past)).rejects.toThrow('/from')
  const long = { ...(await aLeave(hasini)), back: day(301) }
  await expect(hasini.submit(hostelLeave.flow, long)).rejects.toThrow('hostel.leave-after-stay')
  const leave = await hasini.submit(hostelLeave.flow, await aLeave(hasini))
  await ma.decides(leave, 'approve', {}, hostelLeave.desks.decideLeave)
  await expectCase(leave).toBe('away')
  await clock.passes('P4D', leave)
  await expectMail(hasini).about('hostel.mail.leave-not-back', leave)
  await expectMail(ma).about('hostel.mail.leave-not-back', leave)
  const before = ma.decides(leave, 'returned', { returned_on: day(-1) }, hostelLeave.desks.noteReturn)
  await expect(before).rejects.toThrow('hostel.returned-before')
  await ma.decides(leave, 'returned', { returned_on: day(0) }, hostelLeave.desks.noteReturn)
  await expectCase(leave).toBe('back')
  await expectEnded(leave)
})

test('a student reports the return, which the office confirms; a late approval says what holds', async () => {
  const aLeave = async () => ({
    ...{ stay: (await stayOf(fathima)).id, from: day(0), back: day(3), where: 'At home', phone: '0771234567' },
    purpose: 'A funeral',
  })
  const leave = await fathima.submit(hostelLeave.flow, await aLeave())
  const within = { ...(await aLeave()), from: day(2), back: day(5) }
  await expect(fathima.submit(hostelLeave.flow, within)).rejects.toThrow('hostel.leave-overlaps')
  const { decideLeave, confirmReturn } = hostelLeave.desks
  // As if the leave had begun two days ago, and nobody had decided yet.
  await asOwner(`update app.flow_case set data = jsonb_set(data, '{from}', to_jsonb($2::text)) where id = $1`, [
    ...[leave.id, day(-2)],
  ])
  await expect(ma.decides(leave, 'approve', {}, decideLeave)).rejects.toThrow('hostel.leave-begun')
  await ma.decides(leave, 'approve', { reason: 'It holds from the first day.' }, decideLeave)
  await expectMail(fathima).about('hostel.mail.leave-approved', leave)
  await expectCase(leave).toBe('away')
  const reports = (returned_on: string) =>
    fathima.send('POST', `/api/cases/${leave.id}/acts/returned`, { data: { returned_on } })
  expect(await reports(day(-3))).toMatchObject({ body: { errors: [{ code: 'hostel.returned-before' }] } })
  expect((await reports(day(0))).status).toBeLessThan(300)
  await expectCase(leave).toBe('return reported')
  expect((await ma.get(`/api/cases/${leave.id}`)).facts).toMatchObject({ reportedOn: day(0) })
  await ma.decides(leave, 'not-back', { reason: 'The sub-warden has not seen her.' }, confirmReturn)
  await expectCase(leave).toBe('away')
  expect((await ma.get(`/api/cases/${leave.id}`)).facts.reportedOn ?? null).toBeNull()
  expect((await reports(day(0))).status).toBeLessThan(300)
  await expectCase(leave).toBe('return reported')
  // Who has reported may ask again; a report does not keep the end of the last day from being told, once.
  const next = await fathima.submit(hostelLeave.flow, within)
  await fathima.withdraws(next)
  await expectEnded(next)
  await clock.passes('P4D', leave)
  await expectMail(ma).about('hostel.mail.leave-not-back', leave)
  await ma.decides(leave, 'not-back', { reason: 'Nobody has seen her.' }, confirmReturn)
  await expectCase(leave).toBe('away')
  expect((await reports(day(0))).status).toBeLessThan(300)
  await ma.decides(leave, 'returned', { returned_on: day(0) }, confirmReturn)
  await expectCase(leave).toBe('back')
  await expectEnded(leave)
  const told = await asOwner<{ count: number }>(
    `select count(*)::int as count from app.mail where case_id = $1 and template = 'hostel.mail.leave-not-back'
       group by recipient`,
    [leave.id],
  )
  expect(new Set(told.map(({ count }) => count))).toEqual(new Set([1]))

  const cancelled = await fathima.submit(hostelLeave.flow, { ...(await aLeave()), from: day(2) })
  await ma.decides(cancelled, 'approve', {}, decideLeave)
  await expectCase(cancelled).toBe('approved')
  await fathima.withdraws(cancelled)
  await expectEnded(cancelled)
  await expectMail(ma).about('hostel.mail.leave-cancelled', cancelled)
})

test('a complaint is answered, by the Assistant Registrar if it is referred', async () => {
  const complaint = await hasini.submit(hostelComplaint.flow, {
    ...{ stay: (await stayOf(hasini)).id, kind: 'repair', details: 'The fan has not worked since Monday.' },
  })
  await ma.decides(complaint, 'refer', { reason: 'It needs a new fan.' }, hostelComplaint.desks.handleComplaint)
  await expectCase(complaint).toBe('referred')
  await ar.decides(complaint, 'solved', { reason: 'A new one is bought.' }, hostelComplaint.desks.decideComplaint)
  await expectCase(complaint).toBe('solved')
  await expectMail(hasini).about('hostel.mail.complaint-solved', complaint)
})

test('two students of one hostel swap their beds, with the consent of both', async () => {
  const aSwap = async (other: Person) => ({
    ...{ stay: (await stayOf(hasini)).id, other: places.get(other)!.reference, purpose: 'We practise together.' },
  })
  await expect(hasini.submit(hostelSwap.flow, await aSwap(hasini))).rejects.toThrow('hostel.swap-unknown')
  await moves(nuwan)
  await expect(hasini.submit(hostelSwap.flow, await aSwap(nuwan))).rejects.toThrow('hostel.swap-elsewhere')
  const [mine, theirs] = [await bedOf(hasini), await bedOf(fathima)]
  const rooms = await Promise.all([mine, theirs].map(([room]) => ma.get(`${REGISTERS}/room/items/${room}`)))
  const forOneYear = rooms.find(({ data }) => data.year === 1)
  const { year, ...forAll } = forOneYear.data
  const swap = await hasini.submit(hostelSwap.flow, await aSwap(fathima))
  await expect(hasini.submit(hostelSwap.flow, await aSwap(fathima))).rejects.toThrow('platform.once-only')
  // One of them is in her first year, and has a room for that year only: the office reads it, the student does not.
  const approves = () => ma.decides(swap, 'approve', { consent: true }, hostelSwap.desks.decideSwap)
  await expect(approves()).rejects.toThrow('hostel.swap-unsuitable')
  await changesRoom(forOneYear.id, forAll)
  const told = async (template: string) =>
    until(`${template} to ${fathima.username}`, async () => {
      const { items } = await fathima.get('/api/mailbox')
      return items.some((mail: { template: string }) => mail.template === template)
    })
  await told('hostel.mail.swap-other-asked')
  expect((await ma.get(`/api/cases/${swap.id}`)).facts).toHaveProperty('otherStudent')
  const seen = (await hasini.get(`/api/cases/${swap.id}`)).facts
  expect(seen).not.toHaveProperty('otherStudent')
  expect(seen).not.toHaveProperty('otherRoom')
  await expect(ma.decides(swap, 'approve', {}, hostelSwap.desks.decideSwap)).rejects.toThrow('/consent')
  await approves()
  await expectCase(swap).toBe('swapped')
  expect([await bedOf(hasini), await bedOf(fathima)]).toEqual([theirs, mine])
  await told('hostel.mail.swap-other-done')
  await changesRoom(forOneYear.id, { ...forAll, year })
  for (const who of [hasini, fathima]) {
    const { data } = await stayOf(who)
    const room = await ma.get(`${REGISTERS}/room/items/${data['room']}`)
    const { facts } = await ma.get(`/api/cases/${places.get(who)!.id}`)
    const { room_name: name, bed, key_no: key } = data
    expect(facts).toMatchObject({ room: name, bed, key, inventory: room.data.inventory })
  }
})
