import { beforeAll, expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person, send } from '../platform/kit/people.ts'
import {
  APPLICATION,
  OPEN,
  aNic,
  aSlip,
  aTest,
  anAddress,
  anApplicant,
  answersFor,
  applies,
  confirms,
  desks,
  triesToConfirm,
} from './application.ts'

let ma: Person
beforeAll(async () => {
  ma = await as('ma.examinations')
})

test('a guest applies, confirms the address, pays, and gets an admission card and the exam links', async () => {
  const exam = await aTest()
  const links = '/api/registers/aptitude-tests/exam-link/items'
  const mode = (await ma.get('/api/registers/aptitude-tests/test-mode/items?search=Practical')).items[0].id
  const link = (programme: string) =>
    ma.ok('POST', links, {
      data: { test: exam.id, programme, mode, starts: `${day(30)}T09:00:00+05:30`, place: 'Music Hall' },
    })
  await Promise.all([link('BPA in Western Music'), link('BVA in Painting')])

  const { status, body } = await applies(answersFor(exam))
  expect(status).toBe(201)
  const application = { id: body.caseId, reference: body.reference }
  const applicant = await as(body.username)
  await expectCase(application).toBe('Submitted')
  const before = await applicant.get(`/api/cases/${application.id}`)
  expect(before.shows).toEqual([
    expect.objectContaining({ name: 'payment', items: [expect.objectContaining({ id: exam.id })] }),
    expect.objectContaining({ name: 'exam', items: null }),
  ])
  expect(before.facts).toMatchObject({ programmes: 'BPA in Western Music', toPay: 150_000 })
  const me = await applicant.get('/api/me')
  expect(me.grants).toEqual([expect.objectContaining({ role: 'Temporary Aptitude Student' })])

  await confirms(body.username)
  await expectCase(application).toBe('Pending Payment')
  await expectMail(applicant).about('aptitude-tests.mail.payment', application)
  await applicant.decides(application, 'send', await aSlip(applicant), desks.sendSlip)
  await expectCase(application).toBe('Pending Payment Verification')
  await ma.decides(application, 'verify', { receipt_no: 'EX-1' }, desks.checkPayment)
  await expectCase(application).toBe('Admission Card Issued')
  await expectMail(applicant).about('aptitude-tests.mail.admitted', application)
  await expectEnded(application)

  const after = await applicant.get(`/api/cases/${application.id}`)
  const [payment, exams] = after.shows
  expect(payment.items).toBeNull()
  expect(exams.items.map(({ data }: any) => data.programme)).toEqual(['BPA in Western Music'])
  const [card] = after.documents
  const pdf = await applicant.bytes(`/api/cases/${application.id}/documents/${card.id}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  expect(text).toContain('Kumari Perera')
  expect(text).toContain('BPA in Western Music')
  const ofCase = 'select code from app.document_verification where case_id = $1'
  const [row] = await asOwner<{ code: string }>(ofCase, [application.id])
  const verified = await send('GET', `/api/public/documents/${row?.code}`)
  expect(verified.body).toMatchObject({ holder: 'Kumari Perera' })
}, 120_000)

test('one NIC, in its old or its new form, has one application per academic year, unless the first came to nothing', async () => {
  const exam = await aTest()
  const nic = '197412304567'
  const first = await anApplicant(answersFor(exam, { nic }))
  const again = await applies(answersFor(exam, { nic: '741234567v' }))
  expect([again.status, again.body.code]).toEqual([409, 'platform.sole-only'])
  expect(again.body.errors).toContainEqual(expect.objectContaining({ field: '/nic' }))
  const sameYear = await aTest({ academic_year: exam.data.academic_year })
  expect((await applies(answersFor(sameYear, { nic }))).status).toBe(409)
  expect((await applies(answersFor(await aTest(), { nic }))).status).toBe(201)

  await first.applicant.withdraws(first.application)
  await expectEnded(first.application)
  expect((await applies(answersFor(exam, { nic }))).status).toBe(201)
}, 120_000)

test('an unconfirmed application holds no NIC; of two that are confirmed at the same time, one goes on', async () => {
  const exam = await aTest()
  const nic = aNic()
  const emails = [anAddress(), anAddress()]
  const begun = await Promise.all(emails.map((email) => applies(answersFor(exam, { nic }), { email })))
  expect(begun.map(({ status }) => status)).toEqual([201, 201])
  const answers = await Promise.all(emails.map(triesToConfirm))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409])
  const second = answers.findIndex(({ status }) => status === 409)
  expect(answers[second]?.body).toMatchObject({ code: 'platform.sole-only', errors: [{ field: '/nic' }] })
  const caseOf = (index: number) => ({ id: begun[index]?.body.caseId, reference: begun[index]?.body.reference })
  const [first, other] = [caseOf(1 - second), caseOf(second)]
  await expectCase(first).toBe('Pending Payment')
  // A visitor with this number is refused, and leaves no account.
  const email = anAddress()
  expect((await applies(answersFor(exam, { nic }), { email })).body.code).toBe('platform.sole-only')
  await expect(as(email)).rejects.toThrow('cannot sign in')
  // Once the first is withdrawn, the same link works.
  await (await as(String(emails[1 - second]))).withdraws(first)
  await expectEnded(first)
  await confirms(String(emails[second]))
  await expectCase(other).toBe('Pending Payment')
}, 120_000)

test('the same request sent again answers as at first, also with a form that was begun, and doubles nothing', async () => {
  const exam = await aTest()
  const email = anAddress()
  const opened = await send('POST', '/api/public/applications/begun', { body: { flow: APPLICATION, item: exam.id } })
  expect(opened.body).toMatchObject({ id: expect.any(String), finishUntil: expect.any(String) })
  const data = answersFor(exam)
  const again = () => applies(data, { email }, { key: `again-${email}`, begun: opened.body.id })
  const first = await again()
  expect(first.status).toBe(201)
  expect(await again()).toMatchObject({ status: 201, body: first.body })
  const rows = await asOwner<{ cases: number; mails: number }>(
    `select (select count(*)::int from app.flow_case where requester_id = a.id) as cases,
       (select count(*)::int from app.mail where recipient_id = a.id and template like '%confirm%') as mails
     from app.account a join app.begun_form b on b.account_id = a.id where a.email = $1 and b.id = $2`,
    [email, opened.body.id],
  )
  expect(rows).toEqual([{ cases: 1, mails: 1 }])
  const other = await applies(answersFor(exam), { email }, { key: `again-${email}` })
  expect(other.body.code).toBe('platform.idempotency-key-reused')
  const closed = await aTest({ start_date: day(-20), end_date: day(-3) })
  const late = await send('POST', '/api/public/applications/begun', { body: { flow: APPLICATION, item: closed.id } })
  expect([late.status, late.body.errors?.[0]?.code]).toEqual([422, 'platform.closed'])
}, 60_000)

test('a returned application is corrected by the applicant, and its test cannot be changed', async () => {
  const exam = await aTest()
  const { applicant, application } = await anApplicant(answersFor(exam))
  await applicant.decides(application, 'send', await aSlip(applicant), desks.sendSlip)
  await ma.decides(application, 'new-slip', { reason: 'The slip cannot be read' }, desks.checkPayment)
  await expectMail(applicant).about('aptitude-tests.mail.new-slip', application)
  await applicant.decides(application, 'send', await aSlip(applicant), desks.sendSlip)
  await ma.decides(application, 'return', { reason: 'The index number is wrong' }, desks.checkPayment)
  await expectCase(application).toBe('Returned for Correction')

  const { data } = await applicant.get(`/api/cases/${application.id}`)
  const task = await applicant.task(application, desks.correct)
  const correct = (more: object) =>
    applicant.send('POST', `/api/tasks/${task.id}/complete`, { data: { ...data, ...more } })
  const other = await correct({ test: (await aTest()).id })
  expect(other.body.errors).toContainEqual(expect.objectContaining({ field: '/test', code: 'platform.cannot-change' }))
  const taken = aNic()
  await anApplicant(answersFor(exam, { nic: taken }))
  expect((await correct({ nic: taken })).body.code).toBe('platform.sole-only')
  const three = ['BPA in Dance', 'BVA in Painting', 'BVA in Sculpture']
  const programmes = three.map((programme) => ({ programme, grade: 'A' }))
  const done = await correct({ index_no: '3012500', programmes, nic: aNic() })
  expect(done.status).toBe(200)
  await expectCase(application).toBe('Pending Payment Verification')
  const { facts } = await ma.get(`/api/cases/${application.id}`)
  expect(facts).toMatchObject({ toPay: 450_000, programmes: three.join('; ') })
  await ma.decides(application, 'reject', { reason: 'The results are not these' }, desks.checkPayment)
  await expectCase(application).toBe('Rejected')
  await expectMail(applicant).about('aptitude-tests.mail.rejected', application)
}, 120_000)

test('without a slip an application lapses, and its NIC may apply again', async () => {
  const exam = await aTest()
  const nic = aNic()
  const { applicant, application } = await anApplicant(answersFor(exam, { nic }))
  await applicant.task(application, desks.sendSlip)
  await clock.passes('P14D', application)
  await expectCase(application).toBe('Lapsed')
  await expectMail(applicant).about('aptitude-tests.mail.lapsed', application)
  expect((await applies(answersFor(exam, { nic }))).status).toBe(201)
}, 120_000)

test('the window is open from the day before the first day through the day after the last', async () => {
  const tests = {
    early: await aTest({ start_date: day(1), end_date: day(20) }),
    late: await aTest({ start_date: day(-20), end_date: day(-1) }),
    coming: await aTest({ start_date: day(2), end_date: day(20) }),
    over: await aTest({ start_date: day(-20), end_date: day(-2) }),
  }
  const { body } = await send('GET', OPEN)
  const stateOf = ({ id }: { id: string }) => body.items.find((one: any) => one.id === id)?.state
  expect(Object.values(tests).map(stateOf)).toEqual(['open', 'open', 'coming', 'closed'])
  const answers = await Promise.all(Object.values(tests).map((one) => applies(answersFor(one))))
  expect(answers.map((one) => one.body.errors?.[0]?.code ?? one.status)).toEqual([
    201,
    201,
    'platform.not-open-yet',
    'platform.closed',
  ])
  expect(body.items[0].data).not.toHaveProperty('bank_details')
}, 60_000)

test('nobody applies for a test without a proof, with an address that is taken, or as somebody of the staff', async () => {
  const exam = await aTest()
  const data = answersFor(exam)
  const unproved = await send('POST', '/api/public/applications', { body: { flow: APPLICATION, data, account: {} } })
  expect(unproved.status).toBe(428)
  const taken = await applies(data, {
    email: 'vc@prakriya.example',
    password: 'Moonstone26',
    confirm_password: 'Moonstone26',
  })
  expect(taken.body.errors).toEqual([
    { field: '/account/email', code: 'platform.email-taken', message: 'This Email is Already Taken!' },
  ])
  const asStaff = await ma.send('POST', '/api/cases', { flow: APPLICATION, data })
  expect(asStaff.status).toBe(403)
  // The flow of bookings gives no account with a password.
  const other = await send('GET', '/api/public/flows/resource-reservation/resource-booking/open')
  expect(other.status).toBe(404)
})
