import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { CHAIN, RESIGNATION, aResignation, agree, anEmployee, desks } from './resignation.ts'
import { day } from '../platform/kit/days.ts'

test('an incomplete resignation returns to the employee, who corrects it within the notice, and every desk decides again', async () => {
  const employee = await anEmployee()
  const form = await aResignation(employee)
  const leave = await employee.submit(RESIGNATION, form)
  await agree(leave, { upTo: desks.checkByMA })
  const ma = await as('hr.ma')
  const without = await ma.send('POST', `/api/tasks/${(await ma.task(leave)).id}/complete`, {
    data: { outcome: 'return' },
  })
  expect(without.body.errors).toEqual([expect.objectContaining({ field: '/reason' })])
  await ma.decides(leave, 'return', { reason: 'The letter is not signed.' }, desks.checkByMA)
  await expectCase(leave).toBe('incomplete')
  expect((await expectMail(employee).about('resignations.mail.returned', leave)).body).toContain('not signed')
  const task = await employee.task(leave, desks.correct)
  const complete = (data: object) => employee.send('POST', `/api/tasks/${task.id}/complete`, { data })
  const tooSoon = { ...form, last_working_day: day(3) }
  expect((await complete(tooSoon)).body.errors).toEqual([
    expect.objectContaining({ field: '/last_working_day', code: 'resignations.notice-too-short' }),
  ])
  const later = day(70)
  expect((await complete({ ...form, last_working_day: later })).status).toBe(200)
  await expectCase(leave).toBe('pending recommendation')
  await agree(leave)
  await expectCase(leave).toBe('approved by vc')
  expect((await employee.get(`/api/cases/${leave.id}`)).subject.last_working_day).toBe(later)
})

test('a resignation not corrected in fourteen days lapses after a reminder, and the employee stays', async () => {
  const employee = await anEmployee()
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  await (await as(CHAIN[0][1])).decides(leave, 'return', { reason: 'Which day?' }, desks.recommendByHead)
  await employee.task(leave, desks.correct)
  await clock.passes('P15D', leave)
  await expectEnded(leave)
  await expectMail(employee).about('resignations.mail.correction-reminder', leave)
  await expectMail(employee).about('resignations.mail.correction-lapsed', leave)
  expect((await employee.send('GET', '/api/me')).status).toBe(200)
})

test('it can be withdrawn until the Vice Chancellor decides, and not afterwards', async () => {
  const employee = await anEmployee()
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  await agree(leave, { upTo: desks.approveByViceChancellor })
  const vc = await as('vc')
  const task = await vc.task(leave)
  await employee.withdraws(leave)
  await expectEnded(leave)
  await expectMail(employee).about('resignations.mail.withdrawn', leave)
  expect((await vc.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })).status).toBe(409)

  const final = await employee.submit(RESIGNATION, await aResignation(employee))
  await agree(final)
  await expectCase(final).toBe('approved by vc')
  expect((await employee.send('POST', `/api/cases/${final.id}/withdraw`, { reason: 'Too late' })).status).toBe(409)
})
