import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { yearEnd } from '../../processes/vouchers/year-end.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { VOUCHER, aVoucher, agree, clerk, desks, pays, settles, balance } from './voucher.ts'

const { flow: YEAR_END, desks: own } = yearEnd
/** A past year with only this test's votes. */
const YEAR = 2021

async function aVoteOf(year: number, number: string): Promise<string> {
  const bursar = await as('bursar')
  const data = { number, title: 'Carried over', year, budget: 50_000_000 }
  return (await bursar.ok('POST', '/api/registers/vouchers/vote/items', { data })).id
}

test('a year ends when the Bursar agrees: open vouchers carry over to the next vote, the rest lapses, the vote is closed', async () => {
  const [who, keeper, bursar] = [await clerk(), await as('book.keeper'), await as('bursar')]
  const number = `Y${randomBytes(4).toString('hex').toUpperCase()}`
  const vote = await aVoteOf(YEAR, number)
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote }))
  await agree(voucher, { upTo: desks.checkByFinanceMA })
  await (await as('finance')).task(voucher, desks.checkByFinanceMA)

  const thisYear = new Date().getFullYear()
  const early = await keeper.send('POST', '/api/cases', { flow: YEAR_END, data: { year: thisYear } })
  expect(early.body.errors).toEqual([expect.objectContaining({ field: '/year', code: 'vouchers.year-not-over' })])

  // Without a vote in a later year, the voucher's commitment cannot be carried over.
  const stuck = await keeper.submit(YEAR_END, { year: YEAR })
  await bursar.task(stuck, own.approveYearEnd)
  const twice = await (await as('finance')).send('POST', '/api/cases', { flow: YEAR_END, data: { year: YEAR } })
  expect(twice.body.errors).toEqual([expect.objectContaining({ field: '/year', code: 'vouchers.year-asked' })])
  await clock.passes('P10D', stuck)
  await expectMail(bursar).about('vouchers.mail.year-end-reminder', stuck)
  await bursar.decides(stuck, 'approve')
  await expectCase(stuck).toBe('Not closed')
  await expectMail(keeper).about('vouchers.mail.year-end-stuck', stuck)
  expect(await balance(vote)).toEqual({ available: 20_000_000, committed: 30_000_000, spent: 0 })

  const next = await aVoteOf(YEAR + 1, number)
  const refused = await keeper.submit(YEAR_END, { year: YEAR })
  await bursar.decides(refused, 'reject', { reason: 'After the audit.' })
  await expectCase(refused).toBe('Rejected')
  const ending = await keeper.submit(YEAR_END, { year: YEAR })
  await bursar.decides(ending, 'approve')
  await expectCase(ending).toBe('Closed')
  await expectEnded(ending)
  expect(await balance(vote)).toEqual({ available: 0, committed: 0, spent: 0 })
  expect(await balance(next)).toEqual({ available: 50_000_000, committed: 30_000_000, spent: 0 })
  const { status, version, data } = await bursar.get(`/api/registers/vouchers/vote/items/${vote}`)
  expect(status).toBe('Closed')
  const more = { data: { ...data, budget: 60_000_000 } }
  const late = await bursar.send('PUT', `/api/registers/vouchers/vote/items/${vote}`, more, {
    'if-match': `"${version}"`,
  })
  expect(late).toMatchObject({ status: 409, body: { code: 'platform.item-final' } })

  await agree(voucher, { from: desks.checkByFinanceMA })
  await pays(voucher)
  await settles(voucher)
  await expectCase(voucher).toBe('Settled Payment')
  expect(await balance(next)).toEqual({ available: 50_000_000, committed: 0, spent: 30_000_000 })

  const ledger = `/api/reports/vouchers/vote-ledger?filter.year=`
  const rowOf = async (year: number) =>
    (await keeper.get(ledger + year)).rows.find((row: { number: string }) => row.number === number)
  expect(await rowOf(YEAR)).toMatchObject({
    budget: 50_000_000,
    carried: -30_000_000,
    lapsed: 20_000_000,
    available: 0,
  })
  expect(await rowOf(YEAR + 1)).toMatchObject({ carried: 30_000_000, spent: 30_000_000, available: 50_000_000 })
})

test('nobody ends a year alone', async () => {
  const deputy = await as('deputy.bursar')
  await aVoteOf(YEAR - 1, `Z${randomBytes(4).toString('hex').toUpperCase()}`)
  const ending = await deputy.submit(YEAR_END, { year: YEAR - 1 })
  const bursar = await as('bursar')
  const task = await bursar.task(ending, own.approveYearEnd)
  const answer = await deputy.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'approve' } })
  expect(answer).toMatchObject({ status: 403, body: { code: 'platform.own-case' } })
  await deputy.withdraws(ending)
  await expectEnded(ending)
})
