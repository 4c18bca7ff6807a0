import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { RESIGNATION, aResignation, agree, anEmployee, desks } from './resignation.ts'

test('people who are not employees, give too short notice or attach another’s letter are refused, each with the reason', async () => {
  const student = await as('student.nuwan')
  const asked = await student.send('POST', '/api/cases', { flow: RESIGNATION, data: await aResignation(student) })
  expect(asked).toMatchObject({ status: 403, body: { code: 'platform.requester-unknown' } })
  const flows = async (who: typeof student) =>
    (await who.get('/api/flows')).items.map(({ flow }: { flow: string }) => flow)
  expect(await flows(student)).not.toContain(RESIGNATION)

  const employee = await anEmployee()
  expect(await flows(employee)).toContain(RESIGNATION)
  const refused = async (more: object) => {
    const data = await aResignation(employee, more)
    return (await employee.send('POST', '/api/cases', { flow: RESIGNATION, data })).body.errors
  }
  const short = { field: '/last_working_day', code: 'resignations.notice-too-short' }
  expect(await refused({ last_working_day: day(20) })).toEqual([expect.objectContaining(short)])
  const three = await refused({ notice_period: 'three_months', last_working_day: day(60) })
  expect(three).toEqual([expect.objectContaining({ ...short, message: expect.stringContaining('90') })])
  const { letter } = await aResignation(student)
  expect(await refused({ letter })).toEqual([expect.objectContaining({ field: '/letter' })])
})

test('one resignation at a time: a second is refused before anything is filled in, and allowed after a withdrawal', async () => {
  const employee = await anEmployee()
  const opening = () => employee.get(`/api/flows/${RESIGNATION}/opening`)
  expect(await opening()).toEqual({ message: null, items: null, unfit: [], waiting: [], already: [] })
  const [first, second] = await Promise.all(
    ['a', 'b'].map(async (key) =>
      employee.send(
        'POST',
        '/api/cases',
        { flow: RESIGNATION, data: await aResignation(employee) },
        { 'idempotency-key': `${employee.username}-${key}` },
      ),
    ),
  )
  const [taken, refused] = first!.status === 201 ? [first!, second!] : [second!, first!]
  expect([taken.status, refused.status, refused.body.code]).toEqual([201, 409, 'platform.once-only'])
  const already = { id: taken.body.id, reference: taken.body.reference, title: taken.body.title }
  expect(await opening()).toMatchObject({ message: expect.stringMatching(/already/), already: [already] })
  const head = await as('hod.western-music')
  await head.decides(taken.body, 'return', { reason: 'Which day?' }, desks.recommendByHead)
  await employee.task(taken.body, desks.correct)
  expect(await opening()).toMatchObject({ waiting: [{ reference: taken.body.reference }], already: [] })
  await employee.withdraws(taken.body)
  await expectEnded(taken.body)
  expect(await opening()).toEqual({ message: null, items: null, unfit: [], waiting: [], already: [] })
  const student = await as('student.nuwan')
  expect((await student.get(`/api/flows/${RESIGNATION}/opening`)).message).toMatch(/entry of their own/)
})

test('non-academic staff skip the Dean, and a head does not recommend their own resignation', async () => {
  const clerk = await anEmployee({ kind: 'non-academic', role: 'MA' })
  const leave = await clerk.submit(RESIGNATION, await aResignation(clerk))
  const head = await as('hod.western-music')
  await head.decides(leave, 'recommend', {}, desks.recommendByHead)
  await (await as('hr.ma')).task(leave, desks.checkByMA)

  const own = await head.submit(RESIGNATION, await aResignation(head))
  const dean = await as('dean.music')
  const task = await dean.task(own, desks.recommendByHead)
  const self = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'recommend' } })
  expect([403, 404]).toContain(self.status)
  await dean.decides(own, 'recommend', {}, desks.recommendByHead)
  await head.withdraws(own)
  await expectEnded(own)
})

test.each([
  { desk: desks.recommendByHead, who: 'hod.western-music', above: 'dean.music' },
  { desk: desks.recommendByDean, who: 'dean.music', above: 'registrar' },
  { desk: desks.checkByMA, who: 'hr.ma', above: 'registrar' },
])(
  '$desk is reminded after one working day, and the level above is notified after three',
  async ({ desk, who, above }) => {
    const employee = await anEmployee()
    const leave = await employee.submit(RESIGNATION, await aResignation(employee))
    await agree(leave, { upTo: desk })
    const person = await as(who)
    await person.task(leave, desk)
    await clock.passes('P10D', leave)
    await expectMail(person).about('resignations.mail.reminder', leave)
    await expectMail(await as(above)).about('resignations.mail.escalation', leave)
    await employee.withdraws(leave)
  },
)

test.each([
  ['si', 'හිතවත්'],
  ['ta', 'அன்புள்ள'],
])('readers of %s get emails in it', async (language, dear) => {
  const employee = await anEmployee()
  await employee.ok('PATCH', '/api/me', { language })
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  const head = await as('hod.western-music')
  await head.decides(leave, 'return', { reason: 'Which day?' }, desks.recommendByHead)
  const { subject, body } = await expectMail(employee).about('resignations.mail.returned', leave)
  expect(subject).toContain(leave.reference)
  expect(body.startsWith(dear)).toBe(true)
  expect(body).toContain('Which day?')
  await employee.withdraws(leave)
})

test('a desk that has not cleared three days before the last day is passed over, and HR is notified; what is outstanding, the employee', async () => {
  const employee = await anEmployee()
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  await agree(leave)
  const library = await as('head.library')
  await library.decides(leave, 'outstanding', { reason: 'Two scores of Brahms.' }, desks.clearLibrary)
  await clock.passes('P38D', leave)
  await expectMail(await as('hr.ar')).about('resignations.mail.clearance-late', leave)
  await until('the clearance desks are closed', async () => {
    const { waitsWith } = await (await as('admin')).get(`/api/cases/${leave.id}`)
    return waitsWith.length === 0
  })
  await expectCase(leave).toBe('approved by vc')

  const colleague = await anEmployee()
  const other = await colleague.submit(RESIGNATION, await aResignation(colleague))
  await agree(other)
  await library.decides(other, 'outstanding', { reason: 'Two scores of Brahms.' }, desks.clearLibrary)
  for (const [who, desk] of [
    ['finance', desks.clearFinance],
    ['book.keeper', desks.clearInstruments],
    ['head.information-technology', desks.clearComputers],
  ] as const)
    await (await as(who)).decides(other, 'clear', {}, desk)
  expect((await expectMail(colleague).about('resignations.mail.outstanding', other)).body).toContain('Brahms')
})
