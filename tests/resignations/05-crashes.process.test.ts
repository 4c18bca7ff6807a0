import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { ready } from '../platform/kit/product.ts'
import { pidOf, stack } from '../platform/kit/stack.ts'
import { CLEARANCES, RESIGNATION, aResignation, agree, anEmployee } from './resignation.ts'

afterEach(async () => {
  await ready()
})

/** Does something that a worker must handle, and kills the workers in the middle of it. */
async function withoutWorkers(act: () => Promise<unknown>): Promise<void> {
  const pid = pidOf('workers')
  const done = act()
  process.kill(pid, 'SIGKILL')
  await done
  await until('the workers run again', async () => stack().parts.workers.pid !== pid && (await ready()), {
    seconds: 120,
  })
}

test('a repeated submission is one case, and however often workers crash there is one letter and one end of the account', async () => {
  const employee = await anEmployee()
  const data = await aResignation(employee)
  const key = randomUUID()
  const leave = await employee.submit(RESIGNATION, data, key)
  expect((await employee.submit(RESIGNATION, data, key)).id).toBe(leave.id)
  await withoutWorkers(() => agree(leave))
  await expectCase(leave).toBe('approved by vc')
  for (const [desk, username] of CLEARANCES) await (await as(username)).decides(leave, 'clear', {}, desk)
  await withoutWorkers(() => clock.passes('P60D', leave))
  await expectEnded(leave)

  const [counted] = await asOwner(
    `select (select count(*)::int from app.document where case_id = $1) as letters,
       (select count(*)::int from app.audit_entry where case_id = $1 and action = 'account.left') as ends,
       (select count(*)::int from app.role_grant where account_id = $2 and ends_at is null) as roles`,
    [leave.id, employee.id],
  )
  expect(counted).toEqual({ letters: 1, ends: 1, roles: 0 })
})
