import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBrowser, type Visitors } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { VOUCHER, aVote, aVoucher, agree, clerk, pays } from './voucher.ts'

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('the Bursar follows the money: vote ledger, a vote with its entries, the cash book and its file', async () => {
  const vote = await aVote(40_000_000)
  const who = await clerk()
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote }))
  await agree(voucher)
  await pays(voucher)
  await expectCase(voucher).toBe('Received Payment')

  const bursar = await visitors.arrives()
  const { page } = bursar
  await bursar.signsIn('bursar', '/vouchers/reports/vote-ledger')
  await page.getByRole('heading', { name: 'Vote ledger', level: 1 }).waitFor()
  await page.getByRole('row', { name: 'Musical instruments' }).waitFor()
  await looks(bursar, 'voucher-vote-ledger')

  await bursar.goes(`/registers/vouchers/vote/${vote}`)
  await page.getByRole('link', { name: 'Entries of a vote' }).click()
  await page.getByRole('heading', { name: 'Entries of a vote', level: 1 }).waitFor()
  const paid = page.getByRole('row').filter({ hasText: 'Paid' }).filter({ hasText: voucher.reference })
  await paid.waitFor()
  expect(await page.locator('tfoot').innerText()).toContain('Rs. 100,000.00')
  await looks(bursar, 'voucher-vote-entries')
  await paid.getByRole('link', { name: voucher.reference }).click()
  await page.waitForURL(`**/cases/${voucher.id}`)
  await page.getByRole('heading', { name: /Payment voucher|Supplier/, level: 1 }).waitFor()

  await bursar.goes('/vouchers/reports/cash-book')
  await page.getByRole('heading', { name: 'Cash book', level: 1 }).waitFor()
  await page.getByRole('row').filter({ hasText: voucher.reference }).waitFor()
  await looks(bursar, 'voucher-cash-book')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'As an Excel sheet' }).click()
  expect((await download).suggestedFilename()).toMatch(/^cash-book-\d{4}-\d{2}-\d{2}\.xlsx$/)

  await bursar.goes('/vouchers/payment_batches')
  await page.getByRole('heading', { name: /Batches of payments/, level: 1 }).waitFor()
  await page.getByRole('link', { name: /^PB-/ }).first().click()
  await page.getByRole('link', { name: 'Bank file' }).waitFor()
  expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0)
  await looks(bursar, 'voucher-batch')
  expect(bursar.troubles()).toEqual([])
})
