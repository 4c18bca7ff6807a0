import { afterEach, expect, test } from '@jest/globals'
import { expectCase } from '../platform/kit/expectations.ts'
import { asOwner, whileLocked } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { ready } from '../platform/kit/product.ts'
import { pidOf, stack } from '../platform/kit/stack.ts'
import { INSTALLMENT, aScheme, agree, anInstallment, desks, signAll, sums } from './installment.ts'

afterEach(async () => {
  await ready()
})

test('workers that crash between approval and payment pay once, and the ledger agrees', async () => {
  const preparer = await as('ma.welfare')
  const scheme = await aScheme(['nuwan', 'selvi'])
  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  await signAll(preparer, of)
  await agree(of, { upTo: desks.decideByViceChancellor })
  const pid = pidOf('workers')
  await whileLocked('select from app.run where case_id = $1 for update', [of.id], async () => {
    // The decision itself only reads the run, without a lock on it.
    await (await as('vc')).decides(of, 'approve', {}, desks.decideByViceChancellor)
    await until('the worker is in the middle of it', async () => {
      const [seen] = await asOwner(
        `select count(*)::int as waiting from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%"run"%' and pid <> pg_backend_pid()`,
      )
      return seen!['waiting'] > 0
    })
    process.kill(pid, 'SIGKILL')
  })
  await until('workers run again', async () => stack().parts.workers.pid !== pid && (await ready()), { seconds: 120 })
  await expectCase(of).toBe('sent&closed')
  expect(await sums(of)).toMatchObject({ state: 'paid', total: 1_010_000, ledger: 1_010_000, entries: 1 })
}, 240_000)
