import { beforeAll, expect, test } from '@jest/globals'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { approve, aRequest, aSetup, entryOf, type Item, RENEWAL, standsIn, withStatus } from './renewal.ts'
import { aReference } from '../platform/kit/payments.ts'

const { desks } = yearRenewal
const NAME = 'student.yalini'

let student: Person, head: Person, dean: Person, ma: Person
let entry: Item
beforeAll(async () => {
  const names = [NAME, 'hod.folk-music', 'dean.music', 'ma.music'] as const
  ;[student, head, dean, ma] = (await Promise.all(names.map(as))) as [Person, Person, Person, Person]
  entry = await standsIn(NAME, 2)
})

/** A renewal that the student has sent, from a new set-up. */
async function sent(more: object = {}): Promise<{ renewal: Case; data: Record<string, string> }> {
  const data = await aRequest(student, await aSetup(entry, more))
  return { renewal: await student.submit(RENEWAL, data), data }
}

/** The errors of a request, or that it was accepted. */
async function answerTo(person: Person, data: object): Promise<unknown> {
  const { status, body } = await person.send('POST', '/api/cases', { flow: RENEWAL, data })
  return status === 201 ? 'taken' : (body.errors?.[0]?.code ?? body.code)
}

test('a renewal is requested within its period, by its own and active students', async () => {
  const within = (year: number) => ({ opens: `${year}-01-01`, closes: `${year}-01-31` })
  for (const [more, code] of [
    [within(2020), 'platform.closed'],
    [within(2090), 'platform.not-open-yet'],
    [{ from_year: 4, to_year: 5 }, 'platform.requester-not-meant'],
  ] as const)
    expect(await answerTo(student, await aRequest(student, await aSetup(entry, more)))).toBe(code)
  const data = await aRequest(student, await aSetup(entry))
  await withStatus(NAME, 'deactivated')
  expect(await answerTo(student, data)).toBe('platform.requester-out-of-use')
  await withStatus(NAME, 'active')
  expect(await answerTo(await as('lecturer.perera'), data)).toBe('platform.not-allowed')
})

test('the Head rejects it with a reason; the student may ask again, and is rejected by the Dean', async () => {
  const { renewal, data } = await sent()
  const task = await head.task(renewal)
  const bare = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'reject' } })
  expect(bare.body.errors).toEqual([expect.objectContaining({ field: '/reason' })])
  await head.decides(renewal, 'reject', { reason: 'The slip is of last year' })
  await expectCase(renewal).toBe('Rejected')
  expect((await expectMail(student).about('year-renewals.mail.rejected', renewal)).body).toContain('last year')
  await expectEnded(renewal)

  const again = await student.submit(RENEWAL, { ...data, bank_reference: aReference() })
  await head.decides(again, 'approve')
  await dean.decides(again, 'reject', { reason: 'Too late' })
  await expectCase(again).toBe('Rejected')
  await expectEnded(again)
})

test('the Dean returns it to the Head and to the student, who corrects it; then it can no longer be withdrawn', async () => {
  const { renewal, data } = await sent()
  await head.decides(renewal, 'approve')
  await dean.decides(renewal, 'return', { reason: 'Of which year?', return_to: desks.approveByHead })
  await head.decides(renewal, 'approve')
  await dean.decides(renewal, 'return', { reason: 'The slip cannot be read', return_to: 'requester' })
  await expectMail(student).about('year-renewals.mail.returned', renewal)
  const task = await student.task(renewal, desks.correct)
  await student.ok('POST', `/api/tasks/${task.id}/complete`, { data: { ...data, bank_reference: 'B-3' } })
  await approve(renewal)
  await expectCase(renewal).toBe('Approved')
  expect((await student.get(`/api/cases/${renewal.id}`)).data.bank_reference).toBe('B-3')
  expect((await student.send('POST', `/api/cases/${renewal.id}/withdraw`, { reason: 'No' })).status).toBe(409)

  // Suspended meanwhile: the year is not written, and the MA gets the task again.
  await withStatus(NAME, 'suspended')
  await ma.decides(renewal, 'update', {}, desks.updateYear)
  await expectMail(ma).about('year-renewals.mail.not-updated', renewal)
  await withStatus(NAME, 'active')
  expect((await entryOf(NAME)).data['year']).toBe(2)
  await ma.decides(renewal, 'reject', { reason: 'Suspended' }, desks.updateYear)
  await expectCase(renewal).toBe('Rejected')
})

test('each waiting desk is reminded and the level above notified; the student withdraws it while allowed', async () => {
  const { renewal } = await sent()
  for (const [desk, person, above] of [
    [desks.approveByHead, head, dean],
    [desks.approveByDean, dean, await as('registrar')],
  ] as const) {
    await person.task(renewal, desk)
    await clock.passes('P10D', renewal)
    await expectMail(person).about('year-renewals.mail.reminder', renewal)
    await expectMail(above).about('year-renewals.mail.escalation', renewal)
    if (desk === desks.approveByHead) await person.decides(renewal, 'approve', {}, desk)
  }
  await student.withdraws(renewal)
  await expectEnded(renewal)

  const { renewal: other } = await sent()
  await approve(other)
  await ma.task(other, desks.updateYear)
  await clock.passes('P10D', other)
  await expectMail(ma).about('year-renewals.mail.reminder', other)
  await expectMail(dean).about('year-renewals.mail.escalation', other)
  await ma.decides(other, 'reject', { reason: 'Only a trial' }, desks.updateYear)
})

test('a renewal not corrected in fourteen days lapses', async () => {
  const { renewal } = await sent()
  await head.decides(renewal, 'return', { reason: 'Too pale', return_to: 'requester' })
  await student.task(renewal, desks.correct)
  await clock.passes('P12D', renewal)
  await expectMail(student).about('year-renewals.mail.correction-reminder', renewal)
  await clock.passes('P15D', renewal)
  await expectMail(student).about('year-renewals.mail.lapsed', renewal)
  await expectEnded(renewal)
})

test('a student without a department goes to the Dean directly', async () => {
  const amaya = await as('student.amaya')
  const data = await aRequest(amaya, await aSetup(await standsIn('student.amaya', 2)))
  const renewal = await amaya.submit(RENEWAL, data)
  await (await as('dean.graduate-studies')).decides(renewal, 'approve', {}, desks.approveByDean)
  await expectCase(renewal).toBe('Approved')
})
