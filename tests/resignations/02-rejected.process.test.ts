import { expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { CHAIN, RESIGNATION, aResignation, agree, anEmployee, desks } from './resignation.ts'

test.each(CHAIN.slice(0, 5).map(([desk, username]) => ({ desk, username })))(
  'what would be refused at $desk waits for the Vice Chancellor, who sends it back to that very desk, and then rejects it',
  async ({ desk, username }) => {
    const employee = await anEmployee()
    const leave = await employee.submit(RESIGNATION, await aResignation(employee))
    await agree(leave, { upTo: desk })
    const [person, vc] = await Promise.all([as(username), as('vc')])
    const reason = 'The semester cannot be taught.'
    await person.decides(leave, 'refuse', { reason }, desk)
    await expectCase(leave).toBe('pending rejection')
    await vc.decides(leave, 'send_back', { reason: 'Think again.' }, desks.decideRefusal)
    await person.decides(leave, 'refuse', { reason }, desk)
    await vc.decides(leave, 'reject', { reason: 'Not before the semester is over.' }, desks.decideRefusal)
    await expectCase(leave).toBe('rejected')
    await expectEnded(leave)
    expect((await expectMail(employee).about('resignations.mail.rejected', leave)).body).toContain('Not before')
    expect((await employee.get(`/api/cases/${leave.id}`)).documents).toEqual([])
  },
)

test('after a return the desk may still recommend, and only later desks decide', async () => {
  const employee = await anEmployee()
  const leave = await employee.submit(RESIGNATION, await aResignation(employee))
  await agree(leave, { upTo: desks.recommendByAR })
  await (await as('hr.ar')).decides(leave, 'refuse', { reason: 'No.' }, desks.recommendByAR)
  await (await as('vc')).decides(leave, 'send_back', { reason: 'Yes.' }, desks.decideRefusal)
  await agree(leave, { from: desks.recommendByAR, upTo: desks.approveByViceChancellor })
  const vc = await as('vc')
  await vc.decides(leave, 'reject', { reason: 'Not this year.' }, desks.approveByViceChancellor)
  await expectCase(leave).toBe('rejected')
  await expectMail(employee).about('resignations.mail.rejected', leave)
})
