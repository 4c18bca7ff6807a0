import { afterEach, expect, test } from '@jest/globals'
import { expectCase } from '../platform/kit/expectations.ts'
import { killRandom } from '../platform/faults/kill-random.ts'
import { asOwner, whileLocked } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { ready } from '../platform/kit/product.ts'
import { pidOf, stack } from '../platform/kit/stack.ts'
import { vouchersForFaults } from './faults.ts'
import { VOUCHER, aBankAccount, aVote, aVoucher, agree, clerk, desks, settles, balance } from './voucher.ts'

afterEach(async () => {
  await ready()
})

test('workers and API crash during a payment, and the payer sends again: it is paid once', async () => {
  const who = await clerk()
  const [vote, bank_account] = [await aVote(), await aBankAccount()]
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote }))
  await agree(voucher)
  const payer = await as('assistant.bursar')
  const { id: task } = await payer.task(voucher, desks.pay)
  const data = { outcome: 'pay', method: 'cheque', bank_account }
  const send = () =>
    payer.send('POST', `/api/tasks/${task}/complete`, { data }).then(
      ({ status }) => status,
      () => 0,
    )
  const pids = [pidOf('workers'), pidOf('api')] as const
  await whilePaying(bank_account, async () => {
    await Promise.all([send(), send(), send()])
    await until('the worker is in the middle of it', async () => {
      const [seen] = await asOwner(
        `select count(*)::int as waiting from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%register_item%' and pid <> pg_backend_pid()`,
      )
      return seen!['waiting'] > 0
    })
    process.kill(pids[0], 'SIGKILL')
    process.kill(pids[1], 'SIGKILL')
  })
  await until(
    'workers and API run again',
    async () => {
      const { workers, api } = stack().parts
      return workers.pid !== pids[0] && api.pid !== pids[1] && (await ready())
    },
    { seconds: 120 },
  )
  await until('the payment was sent', async () => [200, 409].includes(await send()))
  await expectCase(voucher).toBe('Received Payment')

  const [paid] = await asOwner(
    `select (select count(*)::int from app.voucher_payment where case_id = $1) as payments,
       (select count(*)::int from app.ledger_entry where case_id = $1 and kind = 'paid') as entries,
       (select count(*)::int from app.worker_run where case_id = $1 and topic = 'vouchers.pay') as runs,
       (select string_agg(cheque_number, ' ') from app.voucher_payment where case_id = $1) as cheques`,
    [voucher.id],
  )
  expect(paid).toEqual({ payments: 1, entries: 1, runs: 1, cheques: '000001' })
  expect(await balance(vote)).toMatchObject({ committed: 0, spent: 30_000_000 })
  await settles(voucher)
  await expectCase(voucher).toBe('Settled Payment')
}, 200_000)

test('components are killed at random while vouchers are paid: none is lost, paid twice or stuck, and no money stays held', async () => {
  const seed = 20_261_122
  const verdict = await killRandom([await vouchersForFaults()], {
    requests: 3,
    seed,
    everySeconds: 6,
    most: 3,
    say: (line) => process.stdout.write(`    ${line}\n`),
  })
  expect(Object.values(verdict.kills).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(0)
  expect(verdict).toMatchObject({ seed, lost: 0, doubled: 0, stuck: 0, problems: [] })
  // All of this would also hold if nobody were paid.
  const paid = await asOwner(
    `select count(*)::int as payments, bool_and(state = 'settled') as settled from app.voucher_payment
     where case_id = any($1::uuid[]) group by case_id`,
    [verdict.confirmed],
  )
  expect(verdict.confirmed).toHaveLength(2)
  expect(paid).toEqual(verdict.confirmed.map(() => ({ payments: 1, settled: true })))
}, 400_000)

/** Locks an account of the university, so that payments from it block halfway until the act is over. */
async function whilePaying(account: string, act: () => Promise<void>): Promise<void> {
  await whileLocked('select from app.register_item where id = $1 for update', [account], act)
}
