import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from '@jest/globals'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { ready } from '../platform/kit/product.ts'
import { pidOf, stack } from '../platform/kit/stack.ts'
import { AUDIT, agree, anAudit, desks } from './audit.ts'

afterEach(async () => {
  await ready()
})

test('a repeated submission makes one audit, and workers that crash at its end notify head and auditor once', async () => {
  const auditor = await as('audit.assistant')
  const [data, key] = [await anAudit(), randomUUID()]
  const asked = await auditor.submit(AUDIT, data, key)
  expect((await auditor.submit(AUDIT, data, key)).id).toBe(asked.id)
  await agree(asked, { upTo: desks.approve })
  const pid = pidOf('workers')
  const approved = agree(asked, { from: desks.approve })
  process.kill(pid, 'SIGKILL')
  await approved
  await until('the workers run again', async () => stack().parts.workers.pid !== pid && (await ready()), {
    seconds: 120,
  })
  await expectCase(asked).toBe('complete')
  await expectEnded(asked)
  const sent = await asOwner(
    `select template, count(*)::int as mails from app.mail
     where case_id = $1 and template in ('audit.mail.complete', 'audit.mail.unit-told') group by 1 order by 1`,
    [asked.id],
  )
  expect(sent).toEqual([
    { template: 'audit.mail.complete', mails: 1 },
    { template: 'audit.mail.unit-told', mails: 1 },
  ])
})
