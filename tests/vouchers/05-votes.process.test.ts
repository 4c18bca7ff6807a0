import { expect, test } from '@jest/globals'
import { expectCase, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { LITTLE, SMALL, VOUCHER, aVote, aVoucher, agree, clerk, desks, edits, balance } from './voucher.ts'

test('a budget used up since the request leads back with the sentence that says what is left', async () => {
  const [who, head] = [await clerk(), await as('hod.western-music')]
  const vote = await aVote(3_000_000)
  const [first, second] = [
    await who.submit(VOUCHER, await aVoucher({ vote }, LITTLE)),
    await who.submit(VOUCHER, await aVoucher({ vote }, LITTLE)),
  ]
  await agree(first, { upTo: desks.checkByFinanceMA, chain: SMALL })
  await (await as('finance')).task(first, desks.checkByFinanceMA)
  await agree(second, { upTo: desks.checkByFinanceMA, chain: SMALL })
  const { body } = await expectMail(who).about('vouchers.mail.vote-exceeded', second)
  expect(body).toContain('10,000.00')
  await who.task(second, desks.edit)
  await expectCase(second).toBe('Request Edit')
  expect(await balance(vote)).toEqual({ available: 1_000_000, committed: LITTLE, spent: 0 })

  // With a larger budget it is sent unchanged: people who agreed do not see it again.
  await raise(vote, 5_000_000)
  await edits(who, second, {})
  await head.decides(second, 'confirm', {}, desks.checkCorrections)
  await (await as('finance')).task(second, desks.checkByFinanceMA)
  expect(await balance(vote)).toEqual({ available: 1_000_000, committed: 2 * LITTLE, spent: 0 })
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

test('of two concurrent approvals of the last rupees one commits, and the other returns', async () => {
  const who = await clerk()
  const vote = await aVote(LITTLE)
  const both = [
    await who.submit(VOUCHER, await aVoucher({ vote }, LITTLE)),
    await who.submit(VOUCHER, await aVoucher({ vote }, LITTLE)),
  ]
  await Promise.all(both.map((one) => agree(one, { upTo: desks.approveByDean, chain: SMALL })))
  const dean = await as('dean.music')
  await Promise.all(both.map((one) => dean.decides(one, 'approve', {}, desks.approveByDean)))
  const reached = await until('both have gone on', async () => {
    const seen = await Promise.all(both.map((one) => who.get(`/api/cases/${one.id}`)))
    const at = seen.flatMap(({ waitsWith }) => waitsWith.map(({ desk }: { desk: string }) => desk)).toSorted()
    return at.length === 2 && at.every((desk) => desk !== desks.approveByDean) && at
  })
  expect(reached).toEqual([desks.checkByFinanceMA, desks.edit].toSorted())
  expect(await balance(vote)).toEqual({ available: 0, committed: LITTLE, spent: 0 })
})
