import { expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { AUDIT, agree, anAudit, desks } from './audit.ts'
import { day } from '../platform/kit/days.ts'

test('only auditors open audits and see check lists, for one unit and a valid period', async () => {
  const [head, auditor, student] = (await Promise.all(
    ['hod.western-music', 'audit.assistant', 'student.nuwan'].map(as),
  )) as [any, any, any]
  const form = await anAudit()
  expect((await head.send('POST', '/api/cases', { flow: AUDIT, data: form })).status).toBe(403)
  const lists = '/api/registers/audit/check-list/items'
  const seen = await Promise.all([head, student].map((who) => who.send('GET', lists)))
  expect(seen.map(({ status }) => status)).toEqual([200, 404])
  const { kind, name, checks } = seen[0].body.items[0].data
  expect((await head.send('POST', lists, { data: { kind, checks, name: `${name} 2` } })).status).toBe(403)
  const refused = async (more: object) =>
    (await auditor.send('POST', '/api/cases', { flow: AUDIT, data: { ...form, ...more } })).body.errors.map(
      ({ field }: { field: string }) => field,
    )
  // A department that is no longer requested does not count.
  expect(await refused({ audited: 'unit' })).toEqual(['/unit'])
  expect(await refused({ period_to: dayjs(day(0)).subtract(1, 'year').format('YYYY-MM-DD') })).toEqual(['/period_to'])
  expect(await refused({ requests: [] })).toEqual(['/requests'])
})

test('nobody acts in their own audit, and assistants never verify', async () => {
  const [deputy, verifier, assistant] = (await Promise.all(
    ['auditor', 'audit.verifier', 'audit.assistant'].map(as),
  )) as [any, any, any]
  const own = await verifier.submit(AUDIT, await anAudit())
  await agree(own, { upTo: desks.verify })
  const id = await until('it waits for verification', async () => {
    const rows = await asOwner<{ id: string }>(
      `select id from app.task where case_id = $1 and desk = $2 and state = 'open'`,
      [own.id, desks.verify],
    )
    return rows[0]?.id
  })
  const verify = (who: any) => who.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'verify' } })
  expect([403, 404]).toContain((await verify(verifier)).status)
  expect([403, 404]).toContain((await verify(assistant)).status)
  expect([403, 404]).toContain((await verify(deputy)).status)
  await verifier.withdraws(own)
})
