import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { expectCase } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { VOUCHER, aVote, aVoucher, agree, clerk, desks, pays } from './voucher.ts'

const itemOf = async (register: string, search: string): Promise<string> => {
  const { items } = await (await as('finance')).get(`/api/registers/vouchers/${register}/items?search=${search}`)
  return items[0].id
}

/** A payee with a bank account, and its name. */
async function aPayeeWithAccount(): Promise<{ id: string; name: string }> {
  const code = randomBytes(4).toString('hex')
  const name = `Transfers ${code}`
  const [bank, branch] = await Promise.all([itemOf('bank', 'Demonstration'), itemOf('branch', 'Kandy')])
  const data = { code: `T-${code}`, name, kind: 'supplier', bank, branch, account_number: '0021 4455 6677' }
  return { id: (await (await as('finance')).ok('POST', '/api/registers/vouchers/payee/items', { data })).id, name }
}

test('what is paid stands in ledger, cash book, payments and bank file, as a page, as CSV and as XLSX, for finance alone', async () => {
  const [who, finance, keeper] = [await clerk(), await as('finance'), await as('book.keeper')]
  const [payee, vote] = [await aPayeeWithAccount(), await aVote(40_000_000)]
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote, payee: payee.id }))
  await agree(voucher)
  const report = (name: string, filter = '') => finance.get(`/api/reports/vouchers/${name}?${filter}`)
  expect((await report('ageing')).rows).toContainEqual(
    expect.objectContaining({ voucher: { id: voucher.id, text: voucher.reference }, days: 0, upto30: 30_000_000 }),
  )
  await pays(voucher, { method: 'transfer' })
  await expectCase(voucher).toBe('Received Payment')
  const { facts } = await finance.get(`/api/cases/${voucher.id}`)
  const { number, batch } = facts.payment

  const entries = await report('vote-entries', `filter.vote=${vote}`)
  expect(entries.rows.map(({ kind, available, committed, spent }: any) => [kind, available, committed, spent])).toEqual(
    [
      ['vouchers.entry.amount-of-item', 40_000_000, 0, 0],
      ['vouchers.entry.committed', -30_000_000, 30_000_000, 0],
      ['vouchers.entry.paid', 0, -30_000_000, 30_000_000],
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

  // The account to which it goes is the one that the payee had when it was paid.
  const { version, data } = await finance.get(`/api/registers/vouchers/payee/items/${payee.id}`)
  const changed = { ...data, account_number: '9999 9999' }
  await finance.ok(
    'PUT',
    `/api/registers/vouchers/payee/items/${payee.id}`,
    { data: changed },
    { 'if-match': `"${version}"` },
  )
  const batchId = await itemOf('payment-batch', batch)
  const file = await keeper.send('GET', `/api/reports/vouchers/bank-file/file?filter.batch=${batchId}&format=csv`)
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="bank-file-.*\.csv"$/)
  expect(file.body).toContain(`9001,021,002144556677,${payee.name},300000.00,${number},`)
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

test('a batch is made by paying alone; who sends it closes it, and the next transfer lies in another', async () => {
  const [who, finance] = [await clerk(), await as('finance')]
  const payee = await aPayeeWithAccount()
  const batchOf = async () => {
    const voucher = await who.submit(VOUCHER, await aVoucher({ payee: payee.id }))
    await agree(voucher)
    await pays(voucher, { method: 'transfer' })
    await (await as('shroff')).task(voucher, desks.settle)
    return itemOf('payment-batch', (await who.get(`/api/cases/${voucher.id}`)).facts.payment.batch)
  }
  const first = await batchOf()
  const at = `/api/registers/vouchers/payment-batch/items`
  const { data, version } = await finance.get(`${at}/${first}`)
  const match = { 'if-match': `"${version}"` }
  expect((await finance.send('POST', at, { data })).status).toBe(403)
  expect((await finance.send('PUT', `${at}/${first}`, { data }, match)).status).toBe(403)
  expect(await finance.ok('POST', `${at}/${first}/status`, { status: 'Sent' }, match)).toMatchObject({
    mayChange: false,
  })
  expect((await finance.send('POST', `${at}/${first}/status`, { status: 'Open' })).body.code).toBe(
    'platform.item-final',
  )
  expect(await batchOf()).not.toBe(first)
})

test('a payee’s bank data are read by finance, and by others only its name', async () => {
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
