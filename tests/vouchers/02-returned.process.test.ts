import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import {
  CHAIN,
  LITTLE,
  SMALL,
  VOUCHER,
  aFile,
  aPayee,
  aVote,
  aVoucher,
  agree,
  changesPayee,
  clerk,
  desks,
  edits,
  refusals,
  balance,
} from './voucher.ts'

const reason = 'The invoice does not name the department.'

test('a voucher returned at any desk is edited, its head confirms the corrections, and desks whose approval still applies are skipped', async () => {
  const [who, head] = [await clerk(), await as('hod.western-music')]
  const [vote, payee] = [await aVote(), await aPayee()]
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote, payee }))
  const bursar = await as('bursar')
  for (const [at, [desk, username]] of CHAIN.entries()) {
    if (desk === desks.certify) await changesPayee(bursar, payee, { name: 'Nobody at all' })
    await (await as(username)).decides(voucher, 'return', { reason }, desk)
    await who.task(voucher, desks.edit)
    await expectCase(voucher).toBe('Request Edit')
    expect(await balance(vote)).toMatchObject({ committed: 0 })

    // An attachment is only that; supporting documents are part of what was agreed to.
    const file = await aFile(who)
    const shows = at === CHAIN.length - 1
    await edits(who, voucher, shows ? { supporting_documents: [{ kind: 'invoice', file }] } : { attachments: [file] })
    await head.task(voucher, desks.checkCorrections)
    await expectCase(voucher).toBe('Resubmission with corrections')
    await head.decides(voucher, 'confirm', {}, desks.checkCorrections)
    // People who agreed to the same data do not see it again; the others do, Finance always.
    const next = CHAIN[shows || at < 2 ? 1 : Math.min(at, 3)]!
    await (await as(next[1])).task(voucher, next[0])
    await expectCase(voucher).toBe(next[3])
    const after = CHAIN[at + 1]
    if (after) await agree(voucher, { from: next[0], upTo: after[0] })
  }
  expect((await expectMail(who).about('vouchers.mail.returned', voucher)).body).toContain(reason)
  // A payee changed meanwhile counts as changed, however often the voucher went back and forth.
  await agree(voucher, { from: CHAIN[1]![0], upTo: desks.certify })
  expect(await refusals(bursar, voucher, desks.certify, { outcome: 'certify' })).toEqual({
    '': 'vouchers.payee-changed-by-you',
  })
})

test('edited amounts pass every desk again, also after several returns', async () => {
  const who = await clerk()
  const data = await aVoucher()
  const voucher = await who.submit(VOUCHER, data)
  await agree(voucher, { upTo: desks.checkByBookKeeper })
  await (await as('book.keeper')).decides(voucher, 'return', { reason }, desks.checkByBookKeeper)
  const line = data.lines[0]!
  await edits(who, voucher, { lines: [{ ...line, amount: 31_000_000 }] })
  const head = await as('hod.western-music')
  await head.decides(voucher, 'return', { reason: 'And the quotation?' }, desks.checkCorrections)
  // Only a document is added now, but the Dean has never agreed to the new amount.
  await edits(who, voucher, { attachments: [await aFile(who)] })
  await head.decides(voucher, 'confirm', {}, desks.checkCorrections)
  await (await as('dean.music')).decides(voucher, 'recommend', {}, desks.recommendByDean)
  await (await as('registrar')).decides(voucher, 'approve', {}, desks.approveByRegistrar)
  await (await as('finance')).task(voucher, desks.checkByFinanceMA)
  expect(await balance(line.vote)).toMatchObject({ committed: 31_000_000 })
  const { submissions } = await head.get(`/api/cases/${voucher.id}`)
  const versions = submissions.filter(({ formKey }: { formKey: string }) => formKey === 'vouchers/voucher')
  expect(versions.map(({ data: said }: { data: { total: number } }) => said.total)).toEqual([
    30_000_000, 31_000_000, 31_000_000,
  ])
})

test('the voucher’s owner may ask to edit it; its unit stays, and after fourteen days it lapses with a reminder', async () => {
  const who = await clerk()
  const vote = await aVote()
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote }, LITTLE))
  await agree(voucher, { upTo: desks.checkByFinanceMA, chain: SMALL })
  await (await as('finance')).task(voucher, desks.checkByFinanceMA)
  expect(await balance(vote)).toMatchObject({ committed: LITTLE })
  await who.ok('POST', `/api/cases/${voucher.id}/acts/edit`, {
    data: { reason: 'The supplier has sent a new invoice.' },
  })
  const task = await who.task(voucher, desks.edit)
  await expectCase(voucher).toBe('Request Edit')
  expect(await balance(vote)).toMatchObject({ committed: 0 })
  const { data } = await who.get(`/api/cases/${voucher.id}`)
  const { items } = await (await as('admin')).get('/api/registers/platform/department/items?search=Painting')
  const other = await who.send('POST', `/api/tasks/${task.id}/complete`, { data: { ...data, department: items[0].id } })
  expect(other.body.errors).toEqual([expect.objectContaining({ code: 'platform.cannot-change' })])

  await clock.passes('P10D', voucher)
  await expectMail(who).about('vouchers.mail.edit-reminder', voucher)
  await clock.passes('P15D', voucher)
  await expectMail(who).about('vouchers.mail.lapsed', voucher)
  await expectEnded(voucher)
})

test('a withdrawn voucher releases its money', async () => {
  const who = await clerk()
  const vote = await aVote()
  const voucher = await who.submit(VOUCHER, await aVoucher({ vote }, LITTLE))
  await agree(voucher, { upTo: desks.checkByBookKeeper, chain: SMALL })
  await (await as('book.keeper')).task(voucher, desks.checkByBookKeeper)
  expect(await balance(vote)).toMatchObject({ committed: LITTLE })
  await who.withdraws(voucher)
  await expectMail(who).about('vouchers.mail.withdrawn', voucher)
  await expectEnded(voucher)
  expect(await balance(vote)).toEqual({ available: 100_000_000, committed: 0, spent: 0 })
})
