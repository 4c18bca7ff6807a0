import { expect, test } from '@jest/globals'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as } from '../platform/kit/people.ts'
import { LITTLE, SMALL, VOUCHER, aFile, aVoucher, agree, clerk, desks, edits } from './voucher.ts'

const issues = [
  { kind: 'document', issue: 'No goods received note.' },
  { kind: 'amount', issue: 'The invoice says 299,000.' },
]

test('issues found by the Finance MA are confirmed or not by the head, answered one by one, and checked again', async () => {
  const [who, finance, head] = [await clerk(), await as('finance'), await as('hod.western-music')]
  const voucher = await who.submit(VOUCHER, await aVoucher({}, LITTLE))
  await agree(voucher, { upTo: desks.checkByFinanceMA, chain: SMALL })
  const task = await finance.task(voucher, desks.checkByFinanceMA)
  const none = await finance.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'issues' } })
  expect(none.body.errors).toEqual([expect.objectContaining({ field: '/issues' })])

  await finance.decides(voucher, 'issues', { issues: issues.slice(1) }, desks.checkByFinanceMA)
  await head.task(voucher, desks.confirmIssues)
  await expectCase(voucher).toBe('Attachment Issues')
  await head.decides(voucher, 'dismiss', { reason: 'The rest is the deposit.' }, desks.confirmIssues)
  await finance.task(voucher, desks.checkByFinanceMA)
  await expectCase(voucher).toBe('Approved')

  await finance.decides(voucher, 'issues', { issues }, desks.checkByFinanceMA)
  await head.decides(voucher, 'confirm', {}, desks.confirmIssues)
  await expectMail(who).about('vouchers.mail.issues', voucher)
  const answers = issues.map((one) => ({ ...one, answer: 'Attached.' }))
  // The findings are answered row by row.
  const { id } = await who.task(voucher, desks.answerIssues)
  for (const other of [answers.slice(1), answers.toReversed(), [{ ...answers[0]!, issue: 'None.' }, answers[1]]])
    expect(
      (await who.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'answer', answers: other } })).body
        .errors,
    ).toEqual([expect.objectContaining({ field: '/answers', code: 'platform.not-as-given' })])
  await who.decides(voucher, 'answer', { answers, files: [await aFile(who)] }, desks.answerIssues)
  // The voucher is unchanged: only the Finance MA sees it again.
  await finance.decides(voucher, 'check', {}, desks.checkByFinanceMA)
  await (await as('book.keeper')).task(voucher, desks.checkByBookKeeper)
  const { submissions, files } = await finance.get(`/api/cases/${voucher.id}`)
  const answered = submissions.find(({ desk }: { desk: string }) => desk === desks.answerIssues)
  expect(answered.data.answers).toEqual(answers)
  expect(files).toHaveLength(1)
})

test('issues that need a correction lead to one, and unanswered issues let the voucher lapse', async () => {
  const [who, finance, head] = [await clerk(), await as('finance'), await as('hod.western-music')]
  const voucher = await who.submit(VOUCHER, await aVoucher({}, LITTLE))
  await agree(voucher, { upTo: desks.checkByFinanceMA, chain: SMALL })
  await finance.decides(voucher, 'issues', { issues }, desks.checkByFinanceMA)
  await head.decides(voucher, 'confirm', {}, desks.confirmIssues)
  const answers = issues.map((one) => ({ ...one, answer: 'I correct it.' }))
  await who.decides(voucher, 'correct', { answers }, desks.answerIssues)
  await edits(who, voucher, { invoice_no: 'INV-corrected' })
  await head.decides(voucher, 'confirm', {}, desks.checkCorrections)
  await (await as('dean.music')).decides(voucher, 'approve', {}, desks.approveByDean)
  await finance.decides(voucher, 'issues', { issues }, desks.checkByFinanceMA)
  await head.decides(voucher, 'confirm', {}, desks.confirmIssues)
  await who.task(voucher, desks.answerIssues)
  await clock.passes('P15D', voucher)
  await expectMail(who).about('vouchers.mail.issues-reminder', voucher)
  await expectMail(who).about('vouchers.mail.lapsed', voucher)
  await expectEnded(voucher)
})
