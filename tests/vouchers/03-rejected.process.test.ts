import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { CHAIN, VOUCHER, aVote, aVoucher, agree, clerk, desks, standing } from './voucher.ts'

test.each(CHAIN.map(([desk, username]) => ({ desk, username })))(
  'rejected at $desk it ends with its reason, and nothing stays committed',
  async ({ desk, username }) => {
    const who = await clerk()
    const vote = await aVote()
    const voucher = await who.submit(VOUCHER, await aVoucher({ vote }))
    await agree(voucher, { upTo: desk })
    const person = await as(username)
    const task = await person.task(voucher, desk)
    const silent = await person.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'reject' } })
    expect(silent.body.errors).toEqual([expect.objectContaining({ field: '/reason' })])
    await person.decides(voucher, 'reject', { reason: 'Not from this vote.' }, desk)
    await expectCase(voucher).toBe('Rejected')
    await expectEnded(voucher)
    expect((await expectMail(who).about('vouchers.mail.rejected', voucher)).body).toContain('Not from this vote')
    expect(await standing(vote)).toEqual({ available: 100_000_000, committed: 0, spent: 0 })
  },
)

test('a desk is reminded after one working day, and those above it are told after three', async () => {
  const who = await clerk()
  const voucher = await who.submit(VOUCHER, await aVoucher())
  const head = await as('hod.western-music')
  await head.task(voucher, desks.confirm)
  await clock.passes('P10D', voucher)
  await expectMail(head).about('vouchers.mail.reminder', voucher)
  await expectMail(await as('dean.music')).about('vouchers.mail.escalation', voucher)
  await head.decides(voucher, 'confirm', {}, desks.confirm)
})
