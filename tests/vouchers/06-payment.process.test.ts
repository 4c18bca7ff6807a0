import { expect, test } from '@jest/globals'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person } from '../platform/kit/people.ts'
import {
  VOUCHER,
  aBankAccount,
  aPayeeWithAccount,
  aVote,
  aVoucher,
  agree,
  changesPayee,
  clerk,
  desks,
  pays,
  refusals,
  sendsBatch,
  settles,
  balance,
} from './voucher.ts'

test('a voided cheque leads back to the paying desk: its paper is void, and the voucher is paid by another number', async () => {
  const who = await clerk()
  const vote = await aVote()
  const account = await aBankAccount()
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote }))
  await agree(voucher)
  await pays(voucher, { bank_account: account })
  const shroff = await as('shroff')
  await shroff.task(voucher, desks.settle)
  const { facts, documents } = await shroff.get(`/api/cases/${voucher.id}`)
  const { id: paper } = documents.find(({ kind }: { kind: string }) => kind === 'vouchers/cheque')
  const print = (by: Person) => by.send('GET', `/api/cases/${voucher.id}/documents/${paper}`)
  const good = await print(shroff)
  expect(good.headers.get('content-type')).toBe('application/pdf')
  // Access to the voucher does not include its cheque, except for people who deal with money.
  for (const one of [who, await as('hod.western-music')]) {
    expect((await one.get(`/api/cases/${voucher.id}`)).documents).not.toContainEqual(
      expect.objectContaining({ kind: 'vouchers/cheque' }),
    )
    expect((await print(one)).status).toBe(404)
  }
  expect(
    await refusals(shroff, voucher, desks.settle, { outcome: 'return_payment', reason: 'x', bank_reference: 'R' }),
  ).toEqual({ '/reason': 'vouchers.cheque-not-returned' })
  await shroff.decides(voucher, 'void', { reason: 'The name is misspelt.' }, desks.settle)

  const payer = await as('assistant.bursar')
  await payer.task(voucher, desks.pay)
  await expectCase(voucher).toBe('Certified')
  expect(await balance(vote)).toMatchObject({ committed: 30_000_000, spent: 0 })
  expect((await shroff.get(`/api/cases/${voucher.id}`)).documents).toContainEqual(
    expect.objectContaining({ id: paper, endedAt: expect.any(String) }),
  )
  expect((await print(shroff)).body.length).not.toBe(good.body.length)
  const again = { outcome: 'pay', method: 'cheque', bank_account: account }
  const typed = (cheque_no: string) => refusals(payer, voucher, desks.pay, { ...again, cheque_no })
  expect(await typed(facts.payment.cheque)).toEqual({ '/cheque_no': 'vouchers.cheque-used' })
  expect(await typed('000500')).toEqual({ '/cheque_no': 'vouchers.cheque-outside-book' })
  await pays(voucher, { bank_account: account })
  await settles(voucher)
  await expectEnded(voucher)
  await expectCase(voucher).toBe('Settled Payment')
  expect(await balance(vote)).toMatchObject({ committed: 0, spent: 30_000_000 })
})

test('a transfer is returned by the bank only; payment to a new account is certified again, by another person', async () => {
  const [who, finance] = [await clerk(), await as('finance')]
  const [payer, shroff] = [await as('assistant.bursar'), await as('shroff')]
  const [vote, payee, bank_account] = [await aVote(), await aPayeeWithAccount(), await aBankAccount()]
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote, payee: payee.id }))
  await agree(voucher)
  const transfer = { method: 'transfer', bank_account }
  await pays(voucher, transfer)
  const settled_on = day(0)
  const settling = (data: object) => refusals(shroff, voucher, desks.settle, data)
  expect(await settling({ outcome: 'settle', settled_on })).toEqual({
    '/settled_on': 'vouchers.transfer-not-at-bank',
  })
  const { facts } = await finance.get(`/api/cases/${voucher.id}`)
  const file = async () =>
    (await finance.get(`/api/reports/vouchers/bank-file?filter.batch=${await batchOf(finance, facts.payment.batch)}`))
      .rows
  expect(await file()).toEqual([])
  await sendsBatch(finance, facts.payment.batch)
  const sent = await file()
  expect(sent).toMatchObject([{ line: 1, accountNumber: '002144556677', payee: payee.name, amount: 30_000_000 }])
  expect(await settling({ outcome: 'void', reason: 'A slip' })).toEqual({ '/reason': 'vouchers.transfer-at-bank' })
  const back = { reason: 'There is no such account.' }
  expect(await settling({ outcome: 'return_payment', ...back })).toEqual({
    '/bank_reference': 'platform.field-required',
  })
  await shroff.decides(voucher, 'return_payment', { ...back, bank_reference: 'RET-7' }, desks.settle)
  await payer.task(voucher, desks.pay)
  expect(await balance(vote)).toMatchObject({ committed: 30_000_000, spent: 0 })
  expect(await file()).toEqual(sent)

  const deputy = await as('deputy.bursar')
  const renamed = `${payee.name} and Sons`
  await changesPayee(deputy, payee.id, { account_number: '0021 4455 6678', name: renamed })
  expect(await refusals(payer, voucher, desks.pay, { outcome: 'pay', ...transfer })).toEqual({
    '/method': 'vouchers.payee-changed',
  })
  await payer.decides(voucher, 'certify_again', { reason: 'The account is another one.' }, desks.pay)
  expect(await refusals(deputy, voucher, desks.certifyPayee, { outcome: 'certify' })).toEqual({
    '': 'vouchers.payee-changed-by-you',
  })
  await (await as('bursar')).decides(voucher, 'certify', {}, desks.certifyPayee)
  await payer.task(voucher, desks.pay)
  // The document is replaced too: it names the present payee, and the old one is no longer valid.
  const papers = await asOwner(
    `select v.holder, v.replaced_by is null as valid from app.document_verification v join app.document d on d.id = v.document_id
     where d.case_id = $1 order by d.issued_at`,
    [voucher.id],
  )
  expect(papers).toEqual([
    { holder: payee.name, valid: false },
    { holder: renamed, valid: true },
  ])
  await pays(voucher, transfer)
  await expectCase(voucher).toBe('Received Payment')
  const { payment } = (await finance.get(`/api/cases/${voucher.id}`)).facts
  expect(payment.batch).not.toBe(facts.payment.batch)
  await sendsBatch(finance, payment.batch)
  await settles(voucher)
  await expectCase(voucher).toBe('Settled Payment')
  const told = (await finance.get(`/api/reports/vouchers/payments?filter.payee=${payee.id}`)).rows
  expect(told).toMatchObject([
    { number: payment.number, state: 'vouchers.payment-state.settled' },
    { state: 'vouchers.payment-state.returned', note: 'RET-7 · There is no such account.' },
  ])
})

async function batchOf(who: Person, number: string): Promise<string> {
  return (await who.get(`/api/registers/vouchers/payment-batch/items?search=${number}`)).items[0].id
}
