import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { LITTLE, SMALL, VOUCHER, aVote, aVoucher, agree, clerk, desks, edits, balance } from './voucher.ts'

/** A voucher of Western Music that has reached this desk. */
const at =
  (upTo: string, amount = LITTLE) =>
  async (vote: string): Promise<Case> => {
    const voucher = await (await clerk()).submit(VOUCHER, await aVoucher({ vote }, amount))
    await agree(voucher, { upTo, ...(amount === LITTLE && { chain: SMALL }) })
    return voucher
  }

/** Every desk that may reject: its person, and how a voucher gets there. */
const table: Record<string, { by: string; reach: (vote: string) => Promise<Case> }> = {
  [desks.confirm]: { by: 'hod.western-music', reach: at(desks.confirm) },
  [desks.recommendByDean]: { by: 'dean.music', reach: at(desks.recommendByDean, 30_000_000) },
  [desks.approveByDean]: { by: 'dean.music', reach: at(desks.approveByDean) },
  [desks.approveByRegistrar]: { by: 'registrar', reach: at(desks.approveByRegistrar, 30_000_000) },
  [desks.approveByViceChancellor]: { by: 'vc', reach: at(desks.approveByRegistrar, 60_000_000) },
  [desks.checkByFinanceMA]: { by: 'finance', reach: at(desks.checkByFinanceMA) },
  [desks.checkByBookKeeper]: { by: 'book.keeper', reach: at(desks.checkByBookKeeper) },
  [desks.certify]: { by: 'bursar', reach: at(desks.certify) },
  [desks.checkCorrections]: {
    by: 'hod.western-music',
    async reach(vote) {
      const voucher = await at(desks.confirm)(vote)
      await (await as('hod.western-music')).decides(voucher, 'return', { reason: 'Which room?' }, desks.confirm)
      await edits(await clerk(), voucher, { purpose: 'For room 12.' })
      return voucher
    },
  },
  [desks.confirmIssues]: {
    by: 'hod.western-music',
    async reach(vote) {
      const voucher = await at(desks.checkByFinanceMA)(vote)
      const issues = [{ kind: 'document', issue: 'No receipt.' }]
      await (await as('finance')).decides(voucher, 'issues', { issues }, desks.checkByFinanceMA)
      return voucher
    },
  },
  [desks.recommendByRegistrar]: {
    by: 'registrar',
    async reach(vote) {
      const { items } = await (await as('admin')).get('/api/registers/platform/division/items?search=General')
      const { department: _, ...data } = await aVoucher({ asked_for: 'division', division: items[0].id, vote })
      const { lines } = data
      const library = await (await as('admin')).get('/api/registers/vouchers/section/items?search=Library')
      const voucher = await (
        await as('ma.administration')
      ).submit(VOUCHER, { ...data, section: library.items[0].id, lines: [{ ...lines[0]!, amount: 30_000_000 }] })
      await (await as('ar.administration')).decides(voucher, 'confirm', {}, desks.confirm)
      return voucher
    },
  },
}

test('a voucher rejected at any desk ends with the reason, and nothing stays committed', async () => {
  const all = Object.entries(table).map(async ([desk, { by, reach }]) => {
    const vote = await aVote()
    const voucher = await reach(vote)
    const person = await as(by)
    const task = await person.task(voucher, desk)
    const silent = await person.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'reject' } })
    expect([desk, silent.body.errors]).toEqual([desk, [expect.objectContaining({ field: '/reason' })]])
    await person.decides(voucher, 'reject', { reason: `Not from this vote: ${desk}.` }, desk)
    await expectCase(voucher).toBe('Rejected')
    await expectEnded(voucher)
    const who = await as(desk === desks.recommendByRegistrar ? 'ma.administration' : (await clerk()).username)
    expect((await expectMail(who).about('vouchers.mail.rejected', voucher)).body).toContain(desk)
    expect([desk, await balance(vote)]).toEqual([desk, { available: 100_000_000, committed: 0, spent: 0 }])
  })
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason
})

test('a desk is reminded after one working day, and the level above is notified after three', async () => {
  const who = await clerk()
  const voucher = await who.submit(VOUCHER, await aVoucher())
  const head = await as('hod.western-music')
  await head.task(voucher, desks.confirm)
  await clock.passes('P10D', voucher)
  await expectMail(head).about('vouchers.mail.reminder', voucher)
  await expectMail(await as('dean.music')).about('vouchers.mail.escalation', voucher)
  await head.decides(voucher, 'confirm', {}, desks.confirm)
})
