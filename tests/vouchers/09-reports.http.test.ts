import { expect, test } from '@jest/globals'
import { expectCase } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import {
  VOUCHER,
  aBankAccount,
  aPayeeWithAccount,
  aVote,
  aVoucher,
  agree,
  changesPayee,
  clerk,
  pays,
  sendsBatch,
} from './voucher.ts'

test('payments are in ledger, cash book, payments and, once its batch is sent, in the bank file; for finance only', async () => {
  const [who, finance, keeper] = [await clerk(), await as('finance'), await as('book.keeper')]
  const [payee, vote] = [await aPayeeWithAccount(), await aVote(40_000_000)]
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote, payee: payee.id }))
  await agree(voucher)
  const report = (name: string, filter = '') => finance.get(`/api/reports/vouchers/${name}?${filter}`)
  expect((await report('ageing')).rows).toContainEqual(
    expect.objectContaining({ voucher: { id: voucher.id, text: voucher.reference }, days: 0, upto30: 30_000_000 }),
  )
  await pays(voucher, { method: 'transfer', bank_account: await aBankAccount() })
  await expectCase(voucher).toBe('Received Payment')
  const { facts } = await finance.get(`/api/cases/${voucher.id}`)
  const { number, batch } = facts.payment

  const entries = await report('vote-entries', `filter.vote=${vote}`)
  expect(entries.rows.map(({ kind, available, committed, spent }: any) => [kind, available, committed, spent])).toEqual(
    [
      ['vouchers.entry.paid', 0, -30_000_000, 30_000_000],
      ['vouchers.entry.committed', -30_000_000, 30_000_000, 0],
      ['vouchers.entry.amount-of-item', 40_000_000, 0, 0],
    ],
  )
  expect(entries.totals).toEqual({ available: 10_000_000, committed: 0, spent: 30_000_000 })
  expect((await report('cash-book')).rows).toContainEqual(
    expect.objectContaining({ number, payee: payee.name, out: 30_000_000, back: null, cheque: null }),
  )
  const paid = { number, amount: 30_000_000, batch, state: 'vouchers.payment-state.issued' }
  expect((await report('payments', `filter.payee=${payee.id}`)).rows).toEqual([expect.objectContaining(paid)])
  expect((await report('lead-times')).rows).toContainEqual(
    expect.objectContaining({ desk: 'Pay', slowest: expect.any(Number) }),
  )

  // The money goes to the account that the payee had at the time of payment.
  await changesPayee(finance, payee.id, { account_number: '9999 9999' })
  // Only payments create a batch; people can only send it, once.
  const at = '/api/registers/vouchers/payment-batch/items'
  const [found] = (await finance.get(`${at}?search=${batch}`)).items
  const { data, version } = await finance.get(`${at}/${found.id}`)
  expect((await finance.send('POST', at, { data })).status).toBe(403)
  expect((await finance.send('PUT', `${at}/${found.id}`, { data }, { 'if-match': `"${version}"` })).status).toBe(403)
  const fileOf = (batchOf: string) =>
    keeper.send('GET', `/api/reports/vouchers/bank-file/file?filter.batch=${batchOf}&format=csv`, undefined, {
      'accept-language': 'si',
    })
  expect((await fileOf(found.id)).body).not.toContain(number)
  const batchId = await sendsBatch(finance, batch)
  expect(await finance.get(`${at}/${batchId}`)).toMatchObject({ mayChange: false })
  expect((await finance.send('POST', `${at}/${batchId}/status`, { status: 'Open' })).body.code).toBe(
    'platform.item-final',
  )
  const file = await fileOf(batchId)
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="bank-file-.*\.csv"$/)
  expect(file.body.split('\r\n').slice(0, 2)).toEqual([
    'line,bank,branch,accountNumber,payee,amount,reference,fromBank,fromBranch,fromAccount',
    expect.stringContaining(`1,9001,021,002144556677,${payee.name},300000.00,${number},9001,021,`),
  ])
  const [noted] = await asOwner(
    `select count(*)::int as read from app.audit_entry where actor = $1 and action = 'report.read'
       and object = 'report:vouchers/bank-file'`,
    [keeper.id],
  )
  expect(noted!['read']).toBeGreaterThan(0)
  const sheet = await finance.send('GET', `/api/reports/vouchers/cash-book/file?format=xlsx`)
  expect(sheet.body.slice(0, 2)).toBe('PK')

  for (const name of ['cash-book', 'bank-file', 'none'])
    expect((await who.send('GET', `/api/reports/vouchers/${name}`)).status).toBe(404)
  const wrong = await finance.send('GET', '/api/reports/vouchers/cash-book?filter.from=yesterday&filter.colour=red')
  expect(wrong.status).toBe(400)
  expect(wrong.body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
    'query/filter.colour',
    'query/filter.from',
  ])
})

test('finance reads a payee’s bank data, others only the name', async () => {
  const payee = await aPayeeWithAccount()
  const seen = await (await clerk()).get(`/api/registers/vouchers/payee/items/${payee.id}`)
  expect(seen).toMatchObject({ title: payee.name, mayChange: false })
  expect(seen.data).not.toHaveProperty('account_number')
  const shroff = await (await as('shroff')).get(`/api/registers/vouchers/payee/items/${payee.id}`)
  expect(shroff.data).toHaveProperty('account_number')
  const student = await as('student.nuwan')
  expect((await student.send('GET', `/api/registers/vouchers/payee/items/${payee.id}`)).status).toBe(404)
  expect((await student.send('GET', '/api/registers/vouchers/vote/items')).status).toBe(404)
})
