import { expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { AUDIT, agree, anAudit, desks } from './audit.ts'

test('an auditor sends requests, the head answers each, another auditor verifies, the Deputy approves, and all are notified', async () => {
  const [auditor, head, verifier, deputy] = await Promise.all(
    ['audit.assistant', 'hod.western-music', 'audit.verifier', 'auditor'].map(as),
  )
  const asked = await auditor!.submit(AUDIT, await anAudit())
  expect(asked.reference).toMatch(/^AU-\d{4}-\d{5}$/)
  const task = await head!.task(asked, desks.giveInformation)
  await expectCase(asked).toBe('awaiting_info')
  const answer = (answers: object) =>
    head!.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'give', answers } })
  const silent = await answer([{ request: 'Petty cash book' }])
  expect(silent.body.errors).toEqual([expect.objectContaining({ field: '/answers/0/answer' })])
  const other = await answer([{ request: 'Something easier', answer: 'Here.' }])
  expect(other.status).toBe(422)
  await agree(asked, { upTo: desks.verify })
  await verifier!.task(asked, desks.verify)
  await expectCase(asked).toBe('awaiting_veri')
  await agree(asked, { from: desks.verify, upTo: desks.approve })
  await deputy!.task(asked, desks.approve)
  await expectCase(asked).toBe('awaiting_appro')
  await agree(asked, { from: desks.approve })
  await expectCase(asked).toBe('complete')
  await expectEnded(asked)
  await expectMail(auditor!).about('audit.mail.complete', asked)
  await expectMail(head!).about('audit.mail.unit-told', asked)

  // Only auditors see the list of all audits; the head sees this one at the desk.
  const listed = async (who: typeof head) =>
    (await who!.get(`/api/cases?flow=${AUDIT}&search=${asked.reference}`)).items.length
  expect([await listed(verifier), (await head!.send('GET', `/api/cases/${asked.id}`)).status]).toEqual([1, 200])
  expect((await (await as('hod.painting')).send('GET', `/api/cases/${asked.id}`)).status).toBe(404)
})
