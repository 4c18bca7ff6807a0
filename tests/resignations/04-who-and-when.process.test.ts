import { expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { RESIGNATION, aResignation, agree, anEmployee, desks } from './resignation.ts'

test('who is no employee, gives too short a notice or puts in another’s letter is refused, each with its reason', async () => {
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
  const day = (days: number) => dayjs().add(days, 'day').format('YYYY-MM-DD')
  const short = { field: '/last_working_day', code: 'resignations.notice-too-short' }
  expect(await refused({ last_working_day: day(20) })).toEqual([expect.objectContaining(short)])
  const three = await refused({ notice_period: 'three_months', last_working_day: day(60) })
  expect(three).toEqual([expect.objectContaining({ ...short, message: expect.stringContaining('90') })])
  const { letter } = await aResignation(student)
  expect(await refused({ letter })).toEqual([expect.objectContaining({ field: '/letter' })])
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

test('a desk is reminded after one working day, and those above it are told after three', async () => {
  const employee = await anEmployee()
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  const head = await as('hod.western-music')
  await head.task(leave)
  await clock.passes('P10D', leave)
  await expectMail(head).about('resignations.mail.reminder', leave)
  await expectMail(await as('dean.music')).about('resignations.mail.escalation', leave)
  await head.decides(leave, 'recommend', {}, desks.recommendByHead)
})

test('who has not cleared three days before the last one is passed over, and HR is told; what is outstanding, the employee', async () => {
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

  const other = await employee.submit(RESIGNATION, await aResignation(employee))
  await agree(other)
  await library.decides(other, 'outstanding', { reason: 'Two scores of Brahms.' }, desks.clearLibrary)
  for (const [who, desk] of [
    ['finance', desks.clearFinance],
    ['book.keeper', desks.clearInstruments],
    ['head.information-technology', desks.clearComputers],
  ] as const)
    await (await as(who)).decides(other, 'clear', {}, desk)
  expect((await expectMail(employee).about('resignations.mail.outstanding', other)).body).toContain('Brahms')
})
