import { beforeAll, expect, test } from '@jest/globals'
import { hostelApplication } from '../../processes/hostel/hostel-application.generated.ts'
import { hostelComplaint } from '../../processes/hostel/hostel-complaint.generated.ts'
import { hostelLeave } from '../../processes/hostel/hostel-leave.generated.ts'
import { hostelSwap } from '../../processes/hostel/hostel-swap.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { anApplication, anIntake, aRegistration, checked, closes, staysOf } from './application.ts'

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
  for (const one of places.values()) await ar.decides(one, 'approve', {}, desks.approve)
  for (const one of places.values()) await expectCase(one).toBe('approved')
  await closes(intake)
  for (const one of places.values()) await assistant.decides(one, 'allocate', {}, desks.allocate)
  for (const who of [hasini, fathima]) await moves(who)
})

async function moves(who: Person): Promise<void> {
  const one = places.get(who)!
  await who.decides(one, 'register', await aRegistration(who), desks.register)
  await ma.decides(one, 'confirm', { receipt_no: 'SH/2', key_no: 'K-8' }, desks.confirm)
  await expectCase(one).toBe('resident')
}

const stayOf = async (who: Person) => (await staysOf(places.get(who)!))[0]!
const bedOf = async (who: Person) => {
  const { data } = await stayOf(who)
  return [data['room'], data['bed']]
}

test('residents ask for leave, and both they and the office hear if they are not back', async () => {
  const aLeave = async (who: Person) => ({
    ...{ stay: (await stayOf(who)).id, from: day(1), back: day(3), where: 'At home', phone: '0771234567' },
    purpose: 'A wedding',
  })
  await expect(nuwan.submit(hostelLeave.flow, await aLeave(nuwan))).rejects.toThrow('hostel.not-moved-in')
  await expect(fathima.submit(hostelLeave.flow, await aLeave(hasini))).rejects.toThrow('platform.requester-not-meant')
  const leave = await hasini.submit(hostelLeave.flow, await aLeave(hasini))
  await ma.decides(leave, 'approve', {}, hostelLeave.desks.decideLeave)
  await expectCase(leave).toBe('away')
  await clock.passes('P4D', leave)
  await expectMail(hasini).about('hostel.mail.leave-not-back', leave)
  await expectMail(ma).about('hostel.mail.leave-not-back', leave)
  await ma.decides(leave, 'returned', { returned_on: day(0) }, hostelLeave.desks.noteReturn)
  await expectCase(leave).toBe('back')
  await expectEnded(leave)
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
  const swap = await hasini.submit(hostelSwap.flow, await aSwap(fathima))
  await expect(ma.decides(swap, 'approve', {}, hostelSwap.desks.decideSwap)).rejects.toThrow('/consent')
  await ma.decides(swap, 'approve', { consent: true }, hostelSwap.desks.decideSwap)
  await expectCase(swap).toBe('swapped')
  expect([await bedOf(hasini), await bedOf(fathima)]).toEqual([theirs, mine])
})
