import { expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import {
  CHAIN,
  SMALL,
  VOUCHER,
  aFile,
  aVote,
  aVoucher,
  agree,
  clerk,
  desks,
  edits,
  pays,
  settles,
  balance,
} from './voucher.ts'

test('a voucher passes every desk, is paid by cheque, handed over and settled; its money follows it', async () => {
  const who = await clerk()
  const vote = await aVote(50_000_000)
  const file = await aFile(who)
  const supporting_documents = [{ kind: 'invoice', file }]
  // Values sent for computed fields are ignored.
  const voucher = await who.submit(VOUCHER, { ...(await aVoucher({ vote, supporting_documents })), total: 1 })
  expect(voucher.reference).toMatch(/^PV-\d{4}-\d{6}$/)
  const { data, subject } = await who.get(`/api/cases/${voucher.id}`)
  expect(data).toMatchObject({
    total: 30_000_000,
    amount_in_words: 'Rupees three hundred thousand only',
  })
  expect(subject).toMatchObject({ payee: expect.stringContaining('Supplier'), total: 30_000_000 })

  for (const [desk, username, outcome, status] of CHAIN) {
    const person = await as(username)
    await person.task(voucher, desk)
    await expectCase(voucher).toBe(status)
    const committed = ['Approved', 'Checked by Finance MA', 'Checked by Bookkeeper'].includes(status)
    expect(await balance(vote)).toEqual(
      committed
        ? { available: 20_000_000, committed: 30_000_000, spent: 0 }
        : { available: 50_000_000, committed: 0, spent: 0 },
    )
    await person.decides(voucher, outcome, {}, desk)
  }

  await expectCase(voucher).toBe('Certified')
  await pays(voucher)
  await expectCase(voucher).toBe('Received Payment')
  await (await as('shroff')).task(voucher, desks.settle)
  expect(await balance(vote)).toEqual({ available: 20_000_000, committed: 0, spent: 30_000_000 })
  await settles(voucher)
  await expectCase(voucher).toBe('Settled Payment')
  await expectEnded(voucher)
  await expectMail(who).about('vouchers.mail.settled', voucher)
  expect((await who.get(`/api/cases/${voucher.id}`)).facts).toMatchObject({
    payment: { amount: 30_000_000, method: 'cheque', cheque: expect.stringMatching(/^\d{6}$/) },
  })
})

test('a small voucher is never described as recommended, because nobody is asked to', async () => {
  const who = await clerk()
  const voucher = await who.submit(VOUCHER, await aVoucher({}, 100_000))
  for (const [desk, username, outcome, status] of SMALL.slice(0, 3)) {
    const person = await as(username)
    await person.task(voucher, desk)
    await expectCase(voucher).toBe(status)
    if (desk !== desks.checkByFinanceMA) await person.decides(voucher, outcome, {}, desk)
  }
  const { items } = await who.get(`/api/cases/${voucher.id}/history`)
  const told = items.flatMap(({ status }: { status?: string }) => status ?? [])
  expect(told).toEqual(['Confirmed', 'Approved'])
})

test('the certified voucher is printed with its approvals, and anybody with the paper can verify it', async () => {
  const [who, head, vote] = [await clerk(), await as('hod.western-music'), await aVote()]
  const data = await aVoucher({ vote })
  const voucher = await who.submit(VOUCHER, data)
  // The Registrar approves another amount than the final one, which the Vice Chancellor must approve.
  await agree(voucher, { upTo: desks.checkByFinanceMA })
  await (await as('finance')).decides(voucher, 'return', { reason: 'Twice as many.' }, desks.checkByFinanceMA)
  await edits(who, voucher, { lines: [{ ...data.lines[0]!, amount: 60_000_000 }] })
  await head.decides(voucher, 'confirm', {}, desks.checkCorrections)
  await (await as('dean.music')).decides(voucher, 'recommend', {}, desks.recommendByDean)
  await (await as('vc')).decides(voucher, 'approve', {}, desks.approveByViceChancellor)
  await agree(voucher, { from: desks.checkByFinanceMA })
  const document = await until('the voucher is issued', async () => {
    const { documents } = await who.get(`/api/cases/${voucher.id}`)
    return documents.find(({ kind }: { kind: string }) => kind === 'vouchers/payment-voucher')
  })
  expect(document.number).toMatch(/^PVP-\d{4}-\d{6}$/)
  const [row] = await asOwner<{ code: string }>('select code from app.document_verification where document_id = $1', [
    document.id,
  ])
  const { body } = await send('GET', `/api/public/documents/${row!.code}`)
  expect(body).toMatchObject({ title: 'Payment voucher', state: 'valid', holder: expect.stringContaining('Supplier') })
  expect(body.signedBy).toEqual([
    'Confirmed',
    'Recommended: Dean',
    'Vice Chancellor',
    'Checked: Finance MA',
    'Checked: Book Keeper',
    'Bursar',
  ])
  const pdf = new Uint8Array(await who.bytes(`/api/cases/${voucher.id}/documents/${document.id}`))
  const { text } = await extractText(await getDocumentProxy(pdf), { mergePages: true })
  expect(text).toContain((await who.get(`/api/registers/vouchers/vote/items/${vote}`)).title)
  expect(text).not.toContain('Registrar')
  // Rejected at the desk that pays, it is no longer valid, and the money is released.
  await (await as('assistant.bursar')).decides(voucher, 'reject', { reason: 'Paid by petty cash.' }, desks.pay)
  await expectCase(voucher).toBe('Rejected')
  await expectMail(who).about('vouchers.mail.rejected', voucher)
  expect((await send('GET', `/api/public/documents/${row!.code}`)).body.state).toBe('withdrawn')
})
