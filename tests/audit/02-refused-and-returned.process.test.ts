import { expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { AUDIT, agree, anAudit, desks } from './audit.ts'

test('a request that the head declines is verified, sent again, returned for correction and finally rejected', async () => {
  const [auditor, head, verifier, deputy] = (await Promise.all(
    ['audit.senior', 'hod.western-music', 'audit.verifier', 'auditor'].map(as),
  )) as [any, any, any, any]
  const form = await anAudit()
  const asked = await auditor.submit(AUDIT, form)
  const task = await head.task(asked, desks.giveInformation)
  const without = await head.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'decline' } })
  expect(without.body.errors).toEqual([expect.objectContaining({ field: '/reason' })])
  await head.decides(asked, 'decline', { reason: 'It is with the Bursar.' }, desks.giveInformation)
  expect((await expectMail(auditor).about('audit.mail.declined', asked)).body).toContain('with the Bursar')

  await verifier.decides(asked, 'ask_again', { reason: 'A copy is enough.' }, desks.verify)
  await head.task(asked, desks.giveInformation)
  await expectCase(asked).toBe('awaiting_info')
  await agree(asked, { upTo: desks.verify })
  await verifier.decides(asked, 'return', { reason: 'Which float?' }, desks.verify)
  expect((await expectMail(auditor).about('audit.mail.returned', asked)).body).toContain('Which float?')
  const correction = await auditor.task(asked, desks.correct)
  await expectCase(asked).toBe('awaiting_correct')
  const correct = (data: object) => auditor.send('POST', `/api/tasks/${correction.id}/complete`, { data })
  const { items } = await auditor.get('/api/registers/platform/department/items?search=Painting')
  expect((await correct({ ...form, department: items[0].id })).status).toBe(422)
  expect((await correct({ ...form, title: 'Petty cash, main float' })).status).toBe(200)
  await agree(asked, { from: desks.verify, upTo: desks.approve })
  await deputy.decides(asked, 'return', { reason: 'The period is wrong.' }, desks.approve)
  await auditor.task(asked, desks.correct)
  const again = await auditor.task(asked, desks.correct)
  await auditor.ok('POST', `/api/tasks/${again.id}/complete`, { data: { ...form, objective: 'The main float' } })
  await agree(asked, { from: desks.verify, upTo: desks.approve })
  await deputy.decides(asked, 'reject', { reason: 'It was audited in May.' }, desks.approve)
  await expectEnded(asked)
  await expectCase(asked).toBe('awaiting_correct')
  expect((await auditor.get(`/api/cases/${asked.id}`)).status).toMatchObject({ text: 'Rejected', meaning: 'ended' })
  expect((await expectMail(auditor).about('audit.mail.rejected', asked)).body).toContain('in May')
})
