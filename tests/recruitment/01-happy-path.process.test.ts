import { beforeAll, expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case, type Person, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { uploads } from '../platform/kit/uploads.ts'
import {
  ADVERTISEMENT,
  APPLICATION,
  PUBLIC,
  SCHEME,
  VACANCIES,
  aDraft,
  aVacancy,
  advertising,
  anApplication,
  desks,
  isInterviewed,
} from './vacancy.ts'
import { aReference } from '../platform/kit/payments.ts'

let senuri: Person, kavinda: Person, ma: Person, ar: Person, registrar: Person, vc: Person
beforeAll(async () => {
  ;[senuri, kavinda, ma, ar, registrar, vc] = await Promise.all([
    as('applicant.senuri'),
    as('applicant.kavinda'),
    as('hr.ma'),
    as('hr.ar'),
    as('registrar'),
    as('vc'),
  ])
})

const RECORD = '/api/records/applicant-accounts/applicant'

const isPublic = async ({ id }: Case) => (await send('GET', `${PUBLIC}/${id}`)).status === 200

test('a vacancy is advertised after two approvals, closes by itself, and its applicants get results and letters', async () => {
  const file = await uploads(ma, 'notice.pdf')
  const isReadable = async () => (await send('GET', `/api/files/${file}`)).status === 200
  const draft = await aDraft({ positions: 1, documents: [{ title: 'The notice as printed', file }] })
  const advertisement = await ma.submit(ADVERTISEMENT, draft)
  await expectCase(advertisement).toBe('Pending HR AR')
  expect([await isPublic(advertisement), await isReadable()]).toEqual([false, false])
  await ar.decides(
    advertisement,
    'return',
    { reason: 'The closing day is too early' },
    advertising.approveByAssistantRegistrar,
  )
  await expectMail(ma).about('recruitment.mail.vacancy-returned', advertisement)
  const task = await ma.task(advertisement, advertising.correct)
  await ma.ok('POST', `/api/tasks/${task.id}/complete`, { data: { ...draft, closing_day: day(25) } })
  await ar.decides(advertisement, 'approve', {}, advertising.approveByAssistantRegistrar)
  await registrar.decides(advertisement, 'approve', {}, advertising.approveByRegistrar)
  await expectCase(advertisement).toBe('Active')
  const { body: shown } = await send('GET', `${PUBLIC}/${advertisement.id}`)
  expect(shown.data).toMatchObject({
    number: advertisement.reference,
    notice_subject: draft['notice_subject'],
    mandatory: 'A degree in the subject',
    qualifications: 'Stage experience',
    opens: day(0),
    closing_day: day(25),
  })
  expect(await isReadable()).toBe(true)
  // For HR only.
  for (const field of ['scheme', 'panel']) expect(shown.data).not.toHaveProperty(field)

  const data = await anApplication(senuri, advertisement)
  // Without a fee there is nothing to pay, whatever is sent.
  const application = await senuri.submit(APPLICATION, { ...data, bank_reference: aReference() })
  expect((await senuri.get(`/api/cases/${application.id}`)).data).not.toHaveProperty('bank_reference')
  const second = await kavinda.submit(APPLICATION, await anApplication(kavinda, advertisement))
  await expectCase(application).toBe('Submitted')
  const again = await senuri.send('POST', '/api/cases', { flow: APPLICATION, data })
  expect([again.status, again.body.code]).toEqual([409, 'platform.once-only'])

  // Who has begun may finish within ten minutes: until then it stays open.
  await clock.firesNext(advertisement)
  expect(await isPublic(advertisement)).toBe(true)
  await clock.passes('PT11M', advertisement)
  await expectCase(advertisement).toBe('Closed')
  await expectEnded(advertisement)
  expect(await isPublic(advertisement)).toBe(false)
  const late = await (
    await as('applicant.thilini')
  ).send('POST', '/api/cases', {
    flow: APPLICATION,
    data: await anApplication(await as('applicant.thilini'), advertisement),
  })
  expect(late.body.errors).toContainEqual(
    expect.objectContaining({ field: '/vacancy', code: 'platform.item-inactive' }),
  )
  for (const one of [application, second]) {
    await clock.passes('P26D', one)
    await expectCase(one).toBe('Eligibility Check')
    await isInterviewed(one)
  }
  await expectMail(senuri).about('recruitment.mail.called', application)
  const { rows } = await registrar.get(`/api/reports/recruitment/ranking?filter.vacancy=${advertisement.id}`)
  // Both got 70 and 71.
  expect(rows).toEqual(
    [application, second].map(({ id, reference }) =>
      expect.objectContaining({ rank: 1, marks: 70.5, application: { id, text: reference } }),
    ),
  )
  expect((await senuri.send('GET', '/api/reports/recruitment/ranking')).status).toBe(404)

  const appointed = { appointed_as: 'Accompanist, Grade III', report_on: day(40) }
  await registrar.decides(application, 'select', appointed, desks.recordResult)
  // What the panel and the Registrar think is for them until the Vice Chancellor approves it.
  const before = await senuri.get(`/api/cases/${application.id}`)
  const seenDesks = before.submissions.map(({ desk }: { desk: string | null }) => desk)
  expect([seenDesks, before.facts.marks]).toEqual([[null, desks.schedule], undefined])
  const { items: told } = await senuri.get(`/api/cases/${application.id}/history`)
  expect(told.filter(({ kind }: { kind: string }) => kind === 'decided')).toHaveLength(1)
  const { items: listed } = await senuri.get(`/api/cases?mine=true&search=${application.reference}`)
  expect(listed[0].facts.marks).toBeUndefined()
  expect((await registrar.get(`/api/cases/${application.id}`)).facts.marks).toBe(70.5)
  await vc.decides(application, 'approve', {}, desks.approveResult)
  await expectCase(application).toBe('Selected')
  await expectMail(senuri).about('recruitment.mail.selected', application)
  await readsLetter(application)

  // There is one post.
  await registrar.decides(second, 'select', appointed, desks.recordResult)
  await vc.decides(second, 'approve', {}, desks.approveResult)
  const { body } = await expectMail(registrar).about('recruitment.mail.no-post-left', second)
  expect(body).toContain('All 1 posts of this vacancy are given')
  await registrar.decides(second, 'reserve', { reserve_place: 1 }, desks.recordResult)
  await vc.decides(second, 'approve', {}, desks.approveResult)
  await expectCase(second).toBe('Reserved')
  const { documents, facts } = await kavinda.get(`/api/cases/${second.id}`)
  expect(documents.map(({ kind }: { kind: string }) => kind)).toEqual([
    'recruitment/interview-call',
    'recruitment/reserve-letter',
  ])
  expect(facts).toMatchObject({ result: 'Reserved', reservePlace: 1, interviewPlace: 'Board Room' })
}, 180_000)

test('a demoted applicant gets the lower grade, and one who is not selected a letter of regret', async () => {
  const { case: vacancy } = await aVacancy({ positions: 2 })
  const [demoted, refused] = [
    await senuri.submit(APPLICATION, await anApplication(senuri, vacancy)),
    await kavinda.submit(APPLICATION, await anApplication(kavinda, vacancy)),
  ]
  const reason = 'The service required is short'
  for (const [one, outcome, more, status, letter] of [
    [
      demoted,
      'demote',
      { appointed_as: 'Temporary Accompanist', report_on: day(40), reason },
      'Demoted',
      'lower-appointment-letter',
    ],
    [refused, 'not-select', { reason }, 'Not Selected', 'regret-letter'],
  ] as const) {
    await clock.passes('P21D', one)
    await isInterviewed(one)
    await registrar.decides(one, outcome, more, desks.recordResult)
    await vc.decides(one, 'approve', {}, desks.approveResult)
    await expectCase(one).toBe(status)
    const { documents } = await ma.get(`/api/cases/${one.id}`)
    expect(documents.at(-1)).toMatchObject({ kind: `recruitment/${letter}` })
  }
}, 180_000)

test('HR withdraws a vacancy and puts it back; one that stays withdrawn ends its applications', async () => {
  const { case: vacancy } = await aVacancy()
  const application = await senuri.submit(APPLICATION, await anApplication(senuri, vacancy))
  const act = (name: string, reason: string, by = ma) =>
    until(`HR may ${name}`, async () => {
      const { acts } = await by.get(`/api/cases/${vacancy.id}`)
      if (!acts.some((one: { name: string }) => one.name === name)) return false
      return by.ok('POST', `/api/cases/${vacancy.id}/acts/${name}`, { data: { reason } })
    })
  await act('withdraw-vacancy', 'The cadre is under review')
  await expectCase(vacancy).toBe('Withdrawn')
  expect(await isPublic(vacancy)).toBe(false)
  const { data } = await ma.get(`${VACANCIES}/${vacancy.id}`)
  expect(data.withdrawn_because).toBe('The cadre is under review')
  await expectMail(registrar).about('recruitment.mail.vacancy-withdrawn', vacancy)
  // Neither the drafter has to do it, nor may others who see the case.
  expect((await registrar.get(`/api/cases/${vacancy.id}`)).acts).toEqual([])
  const others = await registrar.send('POST', `/api/cases/${vacancy.id}/acts/take-back`, { data: { reason: 'It is' } })
  expect(others.status).toBe(403)
  await act('take-back', 'The cadre is confirmed', ar)
  const told = await expectMail(ma).about('recruitment.mail.vacancy-taken-back', vacancy)
  expect(told.body).toContain('The cadre is confirmed')
  const { submissions } = await ma.get(`/api/cases/${vacancy.id}`)
  expect(submissions.at(-1)).toMatchObject({ act: 'take-back', by: { name: 'Dayani Vithanage' }, actedAs: 'HR AR' })
  await expectCase(vacancy).toBe('Active')
  expect(await isPublic(vacancy)).toBe(true)
  await act('withdraw-vacancy', 'The post was abolished')
  await expectCase(vacancy).toBe('Withdrawn')
  await clock.passes('P21D', vacancy)
  await expectEnded(vacancy)
  await clock.passes('P21D', application)
  await expectCase(application).toBe('Vacancy Withdrawn')
  await expectMail(senuri).about('recruitment.mail.vacancy-off', application)
}, 120_000)

test('a mandatory line decides, a fee wants its slip, a withdrawn application does not count, and others see none', async () => {
  const { case: vacancy } = await aVacancy({ fee: 50_000, bank_account: 'Demonstration Bank' })
  const unpaid = await senuri.send('POST', '/api/cases', {
    flow: APPLICATION,
    data: await anApplication(senuri, vacancy),
  })
  expect(unpaid.body.errors.map(({ field, code }: any) => [field, code])).toEqual(
    ['/slip', '/paid_on', '/bank_reference'].map((field) => [field, 'recruitment.fee-unpaid']),
  )
  const documents = await Promise.all(
    ['cv.pdf', 'degree.pdf'].map(async (title) => ({ title, file: await uploads(senuri, title) })),
  )
  const large = 'update app.file set size = 15000001 where id = any($1)'
  await asOwner(large, [documents.map(({ file }) => file)])
  const paid = () => ({ paid_on: day(0), bank_reference: aReference() })
  const [{ file: slip } = { file: '' }] = documents
  const heavy = { vacancy: vacancy.id, documents, slip, declaration: true, ...paid() }
  expect((await senuri.send('POST', '/api/cases', { flow: APPLICATION, data: heavy })).body.errors).toEqual([
    expect.objectContaining({ field: '/documents', message: 'The files are together larger than 30 MB' }),
  ])
  const apply = async (who: Person) => {
    const application = await anApplication(who, vacancy, paid())
    const [{ file }] = (application as { documents: { file: string }[] }).documents as [{ file: string }]
    return who.submit(APPLICATION, { ...application, slip: file })
  }
  const [first, second] = [await apply(senuri), await apply(kavinda)]
  await refusesOtherAccounts(apply)
  await senuri.withdraws(first)
  await expectEnded(first)
  // A withdrawn application does not count.
  const renewed = await apply(senuri)
  // HR withdraws one for its applicant, who learns who it was and why.
  const withdraw = (who: Person) =>
    who.send('POST', `/api/cases/${renewed.id}/withdraw`, { reason: 'Asked by telephone' })
  expect([(await ar.get(`/api/cases/${renewed.id}`)).withdrawable, (await withdraw(ma)).status]).toEqual([true, 403])
  expect((await withdraw(ar)).status).toBe(200)
  await expectEnded(renewed)
  expect((await expectMail(senuri).about('platform.mail.withdrawn', renewed)).body).toContain('Asked by telephone')

  await clock.passes('P21D', second)
  const lines = SCHEME.map((line) => ({ ...line, met: line.kind === 'mandatory' ? 'no' : 'yes' }))
  const task = await ma.task(second, desks.checkEligibility)
  const { bank_reference } = (await ma.get(`/api/cases/${second.id}`)).data
  const refused = async (more: object) => {
    const data = { outcome: 'eligible', lines, ...more }
    const { body } = await ma.send('POST', `/api/tasks/${task.id}/complete`, { data })
    return body.errors.map(({ field, code }: any) => [field, code])
  }
  expect(await refused({})).toEqual([['/paid', 'platform.field-required']])
  expect(await refused({ bank_reference, paid: 'not-received' })).toEqual([
    ['/lines/0/met', 'recruitment.line-not-met'],
    ['/paid', 'recruitment.fee-not-received'],
  ])
  // An application of before desks looked for the payment: its form does not ask.
  const noted = (await asOwner<{ facts: object }>('select facts from app.flow_case where id = $1', [second.id]))[0]!
  expect(noted.facts).toMatchObject({ fee: 50_000 })
  await asOwner(`update app.flow_case set facts = facts - 'fee' where id = $1`, [second.id])
  expect(await refused({})).toEqual([['/lines/0/met', 'recruitment.line-not-met']])
  await asOwner('update app.flow_case set facts = $2 where id = $1', [second.id, JSON.stringify(noted.facts)])
  const reason = 'No degree in the subject'
  const checked = { lines, reason, bank_reference, paid: 'received' }
  await ma.decides(second, 'not-eligible', checked, desks.checkEligibility)
  await ar.decides(second, 'leave-out', { reason }, desks.shortList)
  await expectCase(second).toBe('Not Selected')
  const { body } = await expectMail(kavinda).about('recruitment.mail.not-selected-early', second)
  expect(body).toContain(reason)
  // The fee was for this application, and pays for no other.
  const posted = `select l.amount::int from app.ledger_entry e join app.ledger_line l on l.entry_id = e.id
    where e.case_id = $1 and l.account_id = 'fees:recruitment'`
  expect(await asOwner(posted, [second.id])).toEqual([{ amount: -50_000 }])
  const { case: another } = await aVacancy({ fee: 50_000, bank_account: 'Demonstration Bank' })
  const twice = await anApplication(kavinda, another, { paid_on: day(0), bank_reference })
  const { documents: sent } = twice as { documents: { file: string }[] }
  await expect(kavinda.submit(APPLICATION, { ...twice, slip: sent[0]?.file })).rejects.toThrow('platform.payment-used')

  // Applications are for applicants and HR, not for other applicants and staff.
  for (const other of ['applicant.thilini', 'lecturer.fernando'])
    expect((await (await as(other)).send('GET', `/api/cases/${renewed.id}`)).status).toBe(404)
  for (const other of [ma, registrar, vc])
    expect((await other.send('POST', '/api/cases', { flow: APPLICATION, data: {} })).status).toBe(403)
  expect((await senuri.send('POST', '/api/cases', { flow: ADVERTISEMENT, data: {} })).status).toBe(403)
}, 180_000)

/** Somebody who has an account without a confirmed address, or one more with their NIC in its old form. */
async function refusesOtherAccounts(apply: (who: Person) => Promise<Case>): Promise<void> {
  const thilini = await as('applicant.thilini')
  const address = `${RECORD}/steps/basic_information`
  const stepOf = async () =>
    (await thilini.get(RECORD)).steps.find(({ name }: { name: string }) => name === 'basic_information')
  const { data, version } = await stepOf()
  const confirmed = (at: string) =>
    asOwner(`update app.account set email_confirmed_at = ${at} where username = 'applicant.thilini'`, [])
  try {
    // Senuri's is 199265401234.
    await thilini.ok('PUT', address, { data: { ...data, nic: '926541234V' }, version, complete: true })
    await expect(apply(thilini)).rejects.toThrow('There is already an application for this')
    await confirmed('null')
    await expect(apply(thilini)).rejects.toThrow('Confirm your email address first')
  } finally {
    await confirmed('now()')
    await thilini.ok('PUT', address, { data, version: (await stepOf()).version, complete: true })
  }
}

/** The letter of appointment, which anybody can verify. */
async function readsLetter({ id }: Case): Promise<void> {
  const { documents } = await senuri.get(`/api/cases/${id}`)
  const letter = documents.find(({ kind }: { kind: string }) => kind === 'recruitment/appointment-letter')
  const [row] = await asOwner<{ code: string }>(
    `select v.code from app.document_verification v where v.case_id = $1 and v.document_id = $2`,
    [id, letter.id],
  )
  const { body: verified } = await send('GET', `/api/public/documents/${row!.code}`)
  expect(verified).toMatchObject({ state: 'valid', signedBy: ['Registrar', 'Vice Chancellor'] })
  const pdf = await senuri.bytes(`/api/cases/${id}/documents/${letter.id}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  expect(text.replaceAll(/\s+/g, ' ')).toContain('appointed as Accompanist, Grade III from')
}
