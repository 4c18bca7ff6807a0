import { expect, test } from '@jest/globals'
import { expectCase, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { VOUCHER, aVote, aVoucher, agree, clerk, desks, edits, standing } from './voucher.ts'

test('a budget that ran out since the request leads back with the sentence that says what is left', async () => {
  const [who, head] = [await clerk(), await as('hod.western-music')]
  const vote = await aVote(40_000_000)
  const [first, second] = [
    await who.submit(VOUCHER, await aVoucher({ vote })),
    await who.submit(VOUCHER, await aVoucher({ vote })),
  ]
  await agree(first, { upTo: desks.checkByFinanceMA })
  await (await as('finance')).task(first, desks.checkByFinanceMA)
  await agree(second, { upTo: desks.checkByFinanceMA })
  const { body } = await expectMail(who).about('vouchers.mail.vote-exceeded', second)
  expect(body).toContain('100,000.00')
  await who.task(second, desks.edit)
  await expectCase(second).toBe('Request Edit')
  expect(await standing(vote)).toEqual({ available: 10_000_000, committed: 30_000_000, spent: 0 })

  // With a larger budget it is sent as it is: those who agreed do not see it again.
  await raise(vote, 70_000_000)
  await edits(who, second, {})
  await head.decides(second, 'confirm', {}, desks.checkCorrections)
  await (await as('finance')).task(second, desks.checkByFinanceMA)
  expect(await standing(vote)).toEqual({ available: 10_000_000, committed: 60_000_000, spent: 0 })
})

async function raise(vote: string, budget: number): Promise<void> {
  const bursar = await as('bursar')
  const { data, version } = await bursar.get(`/api/registers/vouchers/vote/items/${vote}`)
  await bursar.ok(
    'PUT',
    `/api/registers/vouchers/vote/items/${vote}`,
    { data: { ...data, budget } },
    {
      'if-match': `"${version}"`,
    },
  )
}

test('of two approvals at once on the last rupees one commits, and the other comes back', async () => {
  const who = await clerk()
  const vote = await aVote(30_000_000)
  const both = [
    await who.submit(VOUCHER, await aVoucher({ vote })),
    await who.submit(VOUCHER, await aVoucher({ vote })),
  ]
  for (const one of both) await agree(one, { upTo: desks.approveByRegistrar })
  const registrar = await as('registrar')
  await Promise.all(both.map((one) => registrar.decides(one, 'approve', {}, desks.approveByRegistrar)))
  const reached = await until('both have gone on', async () => {
    const seen = await Promise.all(both.map((one) => who.get(`/api/cases/${one.id}`)))
    const at = seen.flatMap(({ waitsWith }) => waitsWith.map(({ desk }: { desk: string }) => desk)).toSorted()
    return at.length === 2 && at.every((desk) => desk !== desks.approveByRegistrar) && at
  })
  expect(reached).toEqual([desks.checkByFinanceMA, desks.edit].toSorted())
  expect(await standing(vote)).toEqual({ available: 0, committed: 30_000_000, spent: 0 })
})
