import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { SMALL, VOUCHER, aPayeeWithAccount, aVote, agree, changesPayee, clerk, desks, edits } from './voucher.ts'

let visitors: Visitors
let visitor: Visitor
let voucher: Case & { payee: string }

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())
afterEach(() => expect(visitor.troubles()).toEqual([]))

const itemOf = async (register: string, id: string) =>
  (await (await as('admin')).get(`/api/registers/${register}/items/${id}`)) as { title: string; data: { code: string } }

/** Opens the only task of this payee in the list. */
async function opensTask({ page }: Visitor): Promise<void> {
  await page.getByRole('link', { name: voucher.payee }).first().click()
}

test('a clerk prepares a voucher: the amounts add up in figures and words, and the page shows its status', async () => {
  const [{ id: payee }, vote] = await Promise.all([aPayeeWithAccount(), aVote()])
  const [supplier, chosen] = await Promise.all([itemOf('vouchers/payee', payee), itemOf('vouchers/vote', vote)])
  await (await clerk()).ok('DELETE', `/api/flows/${VOUCHER}/draft`)
  visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn('ma.western-music', '/vouchers/new_request')
  const choose = async (label: string, search: string, title = search) => {
    await page.getByRole('combobox', { name: label }).fill(search)
    await page.locator('.ant-select-item-option:visible', { hasText: title }).first().click()
  }
  await page.getByText('A department', { exact: true }).click()
  await choose('Department', 'Department of Western Music')
  await choose('Section', 'Academic departments')
  await choose('Kind of payment', 'Goods and materials')
  await choose('Payee', supplier.title)
  await page.getByLabel('Invoice number').fill('SB-2291')
  await page.getByLabel('What it is for').fill('Strings')
  for (const [row, amount] of [
    [1, '10,000'],
    [2, '12,500.50'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a line' }).click()
    await choose(`Vote, row ${row}`, chosen.title.split(' ')[0]!, chosen.title)
    await page.getByLabel(`Description, row ${row}`).fill('Strings')
    await page.getByLabel(`Amount, row ${row}`).fill(amount)
  }
  await reads(page, 'Rs. 22,500.50')
  await reads(page, 'Rupees twenty-two thousand five hundred and cents fifty only')
  await looks(visitor, 'voucher-form')
  await reads(page, 'Saved as a draft')
  const elsewhere = await visitors.arrives()
  await elsewhere.signsIn('ma.western-music', '/vouchers/new_request')
  await reads(elsewhere.page, 'Rs. 22,500.50')
  expect(await elsewhere.page.getByLabel('Invoice number').inputValue()).toBe('SB-2291')
  expect(elsewhere.troubles()).toEqual([])
  // Input sent at once leaves no draft, even if sending is slow.
  const saved: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && saved.push(request.url()))
  await page.clock.install()
  await page.route('**/api/cases', async (route) => {
    await page.clock.runFor(5_000)
    await route.continue()
  })
  await page.getByLabel('What it is for').fill('Strings for the practice rooms.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.waitForURL(/\/cases\/[0-9a-f-]+/)
  expect(saved).toEqual([])
  await page.clock.resume()
  await page.getByText('Malini Peiris').or(page.getByText('HOD')).first().waitFor()
  await looks(visitor, 'voucher-case')
  const id = /cases\/([0-9a-f-]+)/.exec(page.url())![1]!
  const { reference } = await (await clerk()).get(`/api/cases/${id}`)
  voucher = { id, reference, payee: supplier.title }
  await visitor.goes('/vouchers/all_voucher_requests')
  await page.getByRole('link', { name: reference }).waitFor()
})

test('the head sees the payee’s earlier vouchers, returns it, and sees what was changed', async () => {
  const who = await clerk()
  // The same invoice again: the desks see the match.
  const { data } = await who.get(`/api/cases/${voucher.id}`)
  const twin = await who.submit(VOUCHER, data)
  visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn('hod.western-music', `/vouchers/confirm_recommend_approve/${twin.id}`)
  await reads(page, `Same payee, invoice number and amount as ${voucher.reference}`)
  await looks(visitor, 'voucher-head-alike')
  await (await as('hod.western-music')).decides(voucher, 'return', { reason: 'Which rooms?' }, desks.confirm)
  await edits(who, voucher, { purpose: 'Strings for rooms 12 to 16.' })
  await (await as('hod.western-music')).task(voucher, desks.checkCorrections)
  await visitor.goes(`/vouchers/Resubmit_view_request/${voucher.id}`)
  await reads(page, 'Strings for rooms 12 to 16.')
  await page.locator('del', { hasText: 'Strings for the practice rooms.' }).waitFor()
  await looks(visitor, 'voucher-head-corrections')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expectCase(voucher).toBe('Confirmed')
})

test('the Finance MA lists issues, the head confirms them, the clerk answers each, and the desk shows the list', async () => {
  await agree(voucher, { from: desks.approveByDean, upTo: desks.checkByFinanceMA, chain: SMALL })
  await (await as('finance')).task(voucher, desks.checkByFinanceMA)
  visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn('finance', '/vouchers/all_voucher_requests_for_fma')
  await opensTask(visitor)
  await page.getByRole('button', { name: 'Attachment issues…' }).click()
  await page.getByRole('button', { name: 'Add an issue' }).click()
  await page.getByRole('combobox', { name: 'Kind, row 1' }).selectOption('A document is missing')
  await page.getByLabel('Issue, row 1').fill('The goods received note.')
  await looks(visitor, 'voucher-finance-issues')
  await page.getByRole('button', { name: 'Attachment issues', exact: true }).click()
  await (await as('hod.western-music')).decides(voucher, 'confirm', {}, desks.confirmIssues)

  await (await clerk()).task(voucher, desks.answerIssues)
  const atClerk = await visitors.arrives()
  await atClerk.signsIn('ma.western-music', `/vouchers/issues_identified_by_MA/View/${voucher.id}`)
  await reads(atClerk.page, 'The goods received note.')
  await atClerk.page.getByLabel('Answer, row 1').fill('It came with the second delivery; see the note.')
  await looks(atClerk, 'voucher-answers')
  await atClerk.page.getByRole('button', { name: 'Send answers' }).click()
  expect(atClerk.troubles()).toEqual([])

  await (await as('finance')).task(voucher, desks.checkByFinanceMA)
  await visitor.goes(`/vouchers/finance_MA/${voucher.id}`)
  await reads(page, 'It came with the second delivery; see the note.')
  await page.getByRole('button', { name: 'Checked', exact: true }).click()
  await expectCase(voucher).toBe('Checked by Finance MA')
})

test('the Book Keeper checks what the Finance MA has checked, and a Bursar certifies it', async () => {
  await (await as('book.keeper')).task(voucher, desks.checkByBookKeeper)
  visitor = await visitors.arrives()
  await visitor.signsIn('book.keeper', '/vouchers/checkedbyFinanceMA')
  await opensTask(visitor)
  await visitor.page.getByRole('button', { name: 'Checked', exact: true }).waitFor()
  await visitor.page.getByRole('button', { name: 'Checked', exact: true }).click()
  await expectCase(voucher).toBe('Checked by Bookkeeper')
  expect(visitor.troubles()).toEqual([])

  const bursar = await as('bursar')
  const { case: of } = await bursar.get(`/api/tasks/${(await bursar.task(voucher, desks.certify)).id}`)
  await changesPayee(await as('deputy.bursar'), of.data.payee, { account_number: '0021 9900 1122' })
  visitor = await visitors.arrives()
  await visitor.signsIn('bursar', '/vouchers/checkedbyFinanceMAforBursar')
  await opensTask(visitor)
  await reads(visitor.page, '0021 9900 1122')
  await reads(visitor.page, /^Changed on .*, after this was sent/)
  await looks(visitor, 'voucher-certify')
  await visitor.page.getByRole('button', { name: 'Certify', exact: true }).click()
  await expectCase(voucher).toBe('Certified')
  await visitor.goes(`/vouchers/view_request/${voucher.id}`)
  await visitor.page.getByRole('button', { name: /PVP-/ }).waitFor()
  await looks(visitor, 'voucher-certified')
})
