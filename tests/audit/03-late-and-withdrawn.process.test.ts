import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { AUDIT, agree, anAudit, desks } from './audit.ts'

test('a silent head is reminded, the Dean is notified, and the audit continues after fourteen days; so it does without a correction', async () => {
  const [auditor, head, verifier] = (await Promise.all(
    ['audit.assistant', 'hod.western-music', 'audit.verifier'].map(as),
  )) as [any, any, any]
  const asked = await auditor.submit(AUDIT, await anAudit())
  await head.task(asked, desks.giveInformation)
  await clock.passes('P10D', asked)
  await expectMail(head).about('audit.mail.reminder', asked)
  await expectMail(await as('dean.music')).about('audit.mail.escalation', asked)
  await clock.passes('P15D', asked)
  await expectMail(auditor).about('audit.mail.not-given', asked)
  const task = await verifier.task(asked, desks.verify)
  await expectCase(asked).toBe('awaiting_veri')
  expect(Date.parse(task.dueAt)).toBeGreaterThan(Date.now())
  await verifier.decides(asked, 'return', { reason: 'Too wide.' }, desks.verify)
  await auditor.task(asked, desks.correct)
  await clock.passes('P15D', asked)
  await expectEnded(asked)
  await expectMail(auditor).about('audit.mail.correction-reminder', asked)
  await expectMail(auditor).about('audit.mail.lapsed', asked)
  await expectToldAsEnded(asked, 'Lapsed: auditor told')
})

test('an audit can be withdrawn until the Deputy decides, and then needs no answers from the head; a completed one cannot', async () => {
  const [auditor, head] = (await Promise.all(['audit.assistant', 'hod.western-music'].map(as))) as [any, any]
  const asked = await auditor.submit(AUDIT, await anAudit())
  const task = await head.task(asked, desks.giveInformation)
  await auditor.withdraws(asked)
  await expectEnded(asked)
  await expectToldAsEnded(asked, 'Withdrawn')
  await expectMail(head).about('audit.mail.withdrawn', asked)
  const late = { data: { outcome: 'decline', reason: 'No.' } }
  expect((await head.send('POST', `/api/tasks/${task.id}/complete`, late)).status).toBe(404)

  const other = await auditor.submit(AUDIT, await anAudit())
  await agree(other)
  await expectEnded(other)
  expect((await auditor.send('POST', `/api/cases/${other.id}/withdraw`, { reason: 'Too late' })).status).toBe(409)
})

/** Its status is only the last one it had. */
async function expectToldAsEnded(of: Case, end: string): Promise<void> {
  const deputy = await as('auditor')
  const { items } = await deputy.get(`/api/audit/cases?reference=${of.reference}`)
  expect([items[0].end, (await deputy.get(`/api/audit/cases/${of.id}`)).end]).toEqual([end, end])
}
