import { expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner, giveStatus, whileLocked } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import {
  INSTALLMENT,
  aScheme,
  agree,
  anInstallment,
  desks,
  lineOf,
  run,
  signAll,
  studentId,
  sums,
} from './installment.ts'

const STUDENTS = ['nuwan', 'selvi', 'kavindi', 'tharindu']

test('a desk queries, holds, releases and strikes single students; the others continue, and earlier approvers are notified', async () => {
  const [preparer, ar, bursar, registrar] = await Promise.all([
    as('ma.welfare'),
    as('head.welfare'),
    as('bursar'),
    as('registrar'),
  ])
  const scheme = await aScheme(STUDENTS)
  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  const lines = `/api/cases/${of.id}/run/lines`
  await ar.task(of, desks.decideByAR)
  const act = async (person: typeof ar, name: string, what: string, text = 'Asked for') => {
    const { id } = await lineOf(person, of, name)
    return person.send('POST', `${lines}/${id}/acts`, { act: what, text })
  }
  expect((await act(preparer, 'Nuwan', 'hold')).status).toBe(403)
  expect((await act(bursar, 'Nuwan', 'hold')).status).toBe(403)

  expect((await act(ar, 'Nuwan', 'question', 'Is the account right?')).status).toBe(200)
  await expectMail(preparer).about('platform.mail.line-questioned', of)
  expect((await act(preparer, 'Nuwan', 'answer', 'Yes, I have the passbook.')).status).toBe(200)
  const answered = await expectMail(ar).about('platform.mail.line-answered', of)
  expect(answered.body).toContain('Yes, I have the passbook.')
  expect(await lineOf(ar, of, 'Nuwan')).toMatchObject({ hasHistory: true })
  expect(await lineOf(ar, of, 'Selvi')).toMatchObject({ hasHistory: false })
  expect((await act(preparer, 'Nuwan', 'answer')).body.code).toBe('platform.run-question-missing')
  const { items } = await ar.get(`${lines}/${(await lineOf(ar, of, 'Nuwan')).id}/events`)
  expect(items).toMatchObject([
    { kind: 'questioned', text: 'Is the account right?' },
    { kind: 'answered', text: 'Yes, I have the passbook.' },
  ])

  // A desk waits for the answers to its own questions, but for those about lines that it holds back or strikes.
  expect((await act(ar, 'Selvi', 'question', 'Whose account?')).status).toBe(200)
  expect((await act(ar, 'Kavindi', 'question', 'Still here?')).status).toBe(200)
  const early = await ar.send('POST', `/api/tasks/${(await ar.task(of)).id}/complete`, { data: { outcome: 'approve' } })
  expect(early.status).toBe(422)
  expect(early.body.errors).toMatchObject([
    {
      field: '/outcome',
      code: 'platform.run-questions-open',
      message: expect.stringContaining('wait for an answer: 2'),
    },
  ])
  expect((await act(preparer, 'Selvi', 'withdraw')).status).toBe(403)
  expect((await act(ar, 'Selvi', 'withdraw', 'Found it')).status).toBe(200)
  expect((await act(ar, 'Kavindi', 'hold', 'Not sure')).status).toBe(200)
  await ar.decides(of, 'approve', {}, desks.decideByAR)
  const asked = await expectMail(await as('student.nuwan')).about('platform.mail.signature-awaited', of)
  expect(asked.body).toContain('Rs. 5,050.00')
  expect(asked.body).toContain('/mahapola/student/payment_details')

  await bursar.task(of, desks.decideByBursar)
  // The question of another desk is seen, and does not hold this one.
  expect(await lineOf(bursar, of, 'Kavindi')).toMatchObject({ questionOpen: true, questionDesk: desks.decideByAR })
  expect((await act(bursar, 'Kavindi', 'withdraw')).body.code).toBe('platform.run-question-of-others')
  expect((await act(bursar, 'Kavindi', 'release')).status).toBe(200)
  expect((await act(bursar, 'Selvi', 'hold', 'Two accounts')).status).toBe(200)
  expect((await act(bursar, 'Kavindi', 'strike', 'Has left')).body).toMatchObject({ lines: 2, total: 2 * 505_000 })
  expect((await act(bursar, 'Kavindi', 'release')).body.code).toBe('platform.run-line-final')
  expect((await act(bursar, 'Selvi', 'release')).body).toMatchObject({ lines: 3 })
  expect((await act(bursar, 'Tharindu', 'hold', 'Wait')).status).toBe(200)
  const names = ['Selvi', 'Tharindu', 'Kavindi']
  const many = async (person: typeof ar, what: string, of_ = names) => {
    const ids = await Promise.all(of_.map(async (name) => (await lineOf(bursar, of, name)).id))
    const together = { act: what, text: 'Asked by the bank', lines: ids }
    return person.send('POST', `/api/cases/${of.id}/run/acts`, together)
  }
  for (const person of [preparer, ar]) expect((await many(person, 'hold')).status).toBe(403)
  expect((await many(bursar, 'hold', [])).status).toBe(400)
  const stranger = { act: 'hold', text: 'Not here', lines: [(await lineOf(bursar, of, 'Selvi')).id, of.id] }
  expect((await bursar.send('POST', `/api/cases/${of.id}/run/acts`, stranger)).status).toBe(404)
  expect(await lineOf(bursar, of, 'Selvi')).toMatchObject({ state: 'included' })
  // One of them is held back already, another one is struck.
  const { body: held } = await many(bursar, 'hold')
  expect([held.done, held.refused.map(({ name }: any) => name.split(' ')[0]).toSorted()]).toEqual([
    1,
    ['Kavindi', 'Tharindu'],
  ])
  expect(await lineOf(bursar, of, 'Selvi')).toMatchObject({ state: 'held', reason: 'Asked by the bank' })
  expect((await many(bursar, 'release', ['Selvi'])).body).toEqual({ done: 1, refused: [] })
  await bursar.decides(of, 'approve', {}, desks.decideByBursar)

  expect(await lineOf(ar, of, 'Selvi')).toMatchObject({ changedSince: [{ you: true }] })
  await registrar.task(of, desks.decideByRegistrar)
  expect(await lineOf(registrar, of, 'Kavindi')).toMatchObject({ state: 'struck', reason: 'Has left' })
  expect((await lineOf(registrar, of, 'Nuwan')).changedSince).toEqual([])
  const changed = await registrar.get(`${lines}?changed=true`)
  expect(changed.items).toHaveLength(3)

  // The sheet was printed before the desks changed lines.
  const { items: printed } = await preparer.get(`${lines}?limit=100`)
  const ids = printed.map(({ id }: { id: string }) => id)
  const both = { lines: ids, codes: ['0'.repeat(32)] }
  expect((await preparer.send('POST', `/api/cases/${of.id}/run/signatures`, both)).status).toBe(400)
  const entered = await preparer.ok('POST', `/api/cases/${of.id}/run/signatures`, { lines: ids })
  expect(entered.signed).toBe(2)
  expect(entered.refused.map(({ name, message }: { name: string; message: string }) => [name, message])).toEqual([
    [expect.stringContaining('Kavindi'), 'Struck out: Has left'],
    [expect.stringContaining('Tharindu'), 'Held back: Wait'],
  ])
  await registrar.decides(of, 'approve', {}, desks.decideByRegistrar)
  await (await as('vc')).decides(of, 'approve', {}, desks.decideByViceChancellor)
  await expectCase(of).toBe('sent&closed')
  expect(await sums(of)).toMatchObject({ total: 2 * 505_000, lines: 2 * 505_000, ledger: 2 * 505_000 })
  // Once, however many desks have agreed.
  const { items: mails } = await (await as('student.nuwan')).get('/api/mailbox')
  const sameMail = ({ template, caseId }: { template: string; caseId: string }) =>
    template === 'platform.mail.signature-awaited' && caseId === of.id
  expect(mails.filter(sameMail)).toHaveLength(1)
}, 180_000)

test('the Bursar records returned payments, and the next month pays them', async () => {
  const [preparer, bursar] = await Promise.all([as('ma.welfare'), as('bursar')])
  const scheme = await aScheme(['nuwan', 'selvi'])
  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  await signAll(preparer, of)
  await agree(of)
  await expectEnded(of)
  const { id } = await lineOf(bursar, of, 'Nuwan')
  const given = { reason: 'The account is closed', bankReference: 'R-17' }
  const back = `/api/cases/${of.id}/run/lines/${id}/return`
  expect((await preparer.send('POST', back, given)).status).toBe(403)
  // What the bank has not got does not come back. Whole account numbers are for those who pay.
  expect((await bursar.send('POST', back, given)).body.code).toBe('platform.run-file-not-taken')
  const file = `/api/cases/${of.id}/run/export?sheet=bank-file&format=csv`
  for (const person of [preparer, await as('registrar')]) expect((await person.send('GET', file)).status).toBe(403)
  expect((await run(bursar, of)).bankFileAt).toBeNull()
  await bursar.bytes(file)
  expect((await run(bursar, of)).bankFileAt).not.toBeNull()
  expect(await bursar.ok('POST', back, given)).toMatchObject({ returned: 505_000, state: 'paid' })
  expect((await bursar.send('POST', back, given)).status).toBe(409)
  expect(await sums(of)).toMatchObject({ total: 1_010_000, returned: 505_000, ledger: 505_000 })
  // The student reads why, and the cash book of the account has both.
  const student = await as('student.nuwan')
  const own = (await student.get('/api/me/run-lines')).items.find((one: any) => one.id === id)
  expect(own).toMatchObject({ state: 'returned', said: given.reason })
  const told = await expectMail(student).about('platform.mail.instalment-returned-transfer', of)
  expect(told.body).toContain(given.reason)
  const [account] = (await student.get('/api/me/awards')).accounts
  expect(account).toMatchObject({ ending: expect.stringMatching(/^\d{4}$/), active: true })
  const { rows } = await bursar.get('/api/reports/vouchers/cash-book')
  expect(rows.filter(({ voucher }: any) => voucher.id === of.id).map((one: any) => [one.out, one.back])).toEqual([
    [null, 505_000],
    [1_010_000, null],
  ])

  const next = await preparer.submit(INSTALLMENT, await anInstallment(scheme, scheme.next))
  expect(await lineOf(preparer, next, 'Nuwan')).toMatchObject({ amount: 505_000, arrears: 505_000, total: 1_010_000 })
  expect(await run(preparer, next)).toMatchObject({ total: 1_515_000 })
  await preparer.withdraws(next)
  await expectEnded(next)
}, 180_000)

test('a second preparer is told that the run exists; a suspended student is left out; a returned run is approved again', async () => {
  const [preparer, second, ar] = await Promise.all([as('ma.welfare'), as('assistant.welfare'), as('head.welfare')])
  const scheme = await aScheme(['dinuka', 'yalini'])
  const suspended = await studentId('yalini')
  await giveStatus(suspended, 'suspended')
  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  await giveStatus(suspended, 'active')
  expect(await run(preparer, of)).toMatchObject({
    lines: 1,
    counts: { leftOut: [{ reason: 'student-not-active', count: 1 }] },
  })
  const data = await anInstallment(scheme)
  const refused = await second.send('POST', '/api/cases', { flow: INSTALLMENT, data })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toMatchObject([
    { field: '/month', code: 'platform.run-exists', message: expect.stringContaining(of.reference) },
  ])

  await ar.decides(of, 'return', { reason: 'Yalini is back' }, desks.decideByAR)
  const task = await preparer.task(of, desks.correct)
  await preparer.ok('POST', `/api/tasks/${task.id}/complete`, { data })
  expect(await run(preparer, of)).toMatchObject({ lines: 2, counts: { leftOut: [] } })
  await ar.decides(of, 'reject', { reason: 'Not this month' }, desks.decideByAR)
  await expectCase(of).toBe('rejected')
  await expectEnded(of)
  const again = await second.submit(INSTALLMENT, data)
  await second.withdraws(again)
  await expectEnded(again)
}, 180_000)

test('a question and an approval at the same moment: whichever comes first counts', async () => {
  const [preparer, ar] = await Promise.all([as('ma.welfare'), as('head.welfare')])
  const scheme = await aScheme(['nuwan', 'selvi'])
  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  const { id: task } = await ar.task(of, desks.decideByAR)
  const { id: line } = await lineOf(ar, of, 'Nuwan')
  const asks = () => ar.send('POST', `/api/cases/${of.id}/run/lines/${line}/acts`, { act: 'question', text: 'Whose?' })
  const approves = () => ar.send('POST', `/api/tasks/${task}/complete`, { data: { outcome: 'approve' } })
  const waiting = (count: number) =>
    until(`${count} wait for a lock`, async () => {
      const [seen] = await asOwner(
        `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and pid <> pg_backend_pid()
           and (query like '%"run"%' or query like '%"task"%')`,
      )
      return seen!['waiting'] >= count
    })
  // The question holds the task and waits for the run.
  const [asked, early] = await whileLocked('select from app.run where case_id = $1 for update', [of.id], async () => {
    const question = asks()
    await waiting(1)
    const approval = approves()
    await waiting(2)
    return [question, approval] as const
  })
  expect((await asked).status).toBe(200)
  expect((await early).body.errors).toMatchObject([{ code: 'platform.run-questions-open' }])
  await ar.ok('POST', `/api/cases/${of.id}/run/lines/${line}/acts`, { act: 'withdraw', text: 'Found it' })

  const [decided, late] = await whileLocked('select from app.task where id = $1 for update', [task], async () => {
    const approval = approves()
    await waiting(1)
    const question = asks()
    await waiting(2)
    return [approval, question] as const
  })
  expect((await decided).status).toBeLessThan(300)
  expect((await late).body.code).toBe('platform.task-gone')
}, 120_000)
