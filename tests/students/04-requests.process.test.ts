import { beforeAll, expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { letterWithdrawal } from '../../processes/students/letter-withdrawal.generated.ts'
import { studentRequest } from '../../processes/students/student-request.generated.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person, send } from '../platform/kit/people.ts'
import { asOwner, giveStatus } from '../platform/kit/owner.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'

const { flow: FLOW, desks } = studentRequest
const KINDS = '/api/registers/students/request-kind/items'
const LETTERS = '/api/registers/students/letter-kind/items'
const RESULTS = '/api/registers/scholarships/results/items'
const DEFERMENTS = '/api/registers/students/request-deferment/items'
const STUDENTS = '/api/registers/platform/student/items'

let yalini: Person, imran: Person, hasini: Person, affairs: Person, registrar: Person, admin: Person
let kinds: { id: string; title: string }[]
beforeAll(async () => {
  ;[yalini, imran, hasini, affairs, registrar, admin] = await Promise.all([
    as('student.yalini'),
    as('student.imran'),
    as('student.hasini'),
    as('ma.welfare'),
    as('registrar'),
    as('admin'),
  ])
  kinds = (await yalini.get(KINDS)).items
})

const kind = (english: string) => kinds.find(({ title }) => title === english)!.id
const own = async (who: Person) => (await admin.get(`${STUDENTS}?search=${who.email}`)).items[0]

async function aNameChange(who: Person, name: string) {
  return {
    kind: kind('Change of name'),
    details: 'I have married.',
    new_full_name: name,
    new_name_with_initials: `I. ${name.split(' ').at(-1)}`,
    proof: await uploads(who, 'proof.pdf'),
    slip: await uploads(who, 'slip.pdf'),
    paid_on: day(0),
    bank_reference: aReference(),
  }
}

/** An entry as it was written earlier, by a case that has ended if its data names one. */
async function entered(register: string, status: string, data: { [name: string]: unknown }): Promise<string> {
  const [made] = await asOwner<{ id: string }>(
    `with made as (insert into app.register_item (id, register, status, title, data, of_case)
         values (gen_random_uuid(), $1, $2, 'Earlier', $3::jsonb, $3::jsonb ->> 'case_reference') returning *),
       version as (insert into app.register_item_version (item_id, version, status, data)
         select id, version, status, data from made)
     insert into app.register_reference (item_id, path, target_id)
       select made.id, '/' || f.key, i.id from made cross join jsonb_each_text(made.data) as f
         join app.register_item i on i.id::text = f.value returning item_id as id`,
    [register, status, JSON.stringify(data)],
  )
  return made!.id
}

async function theLetter(of: Case, by: Person): Promise<{ text: string; number: string; code: string }> {
  const { documents } = await by.get(`/api/cases/${of.id}`)
  const pdf = await by.bytes(`/api/cases/${of.id}/documents/${documents[0].id}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  const [row] = await asOwner<{ code: string }>('select code from app.document_verification where case_id = $1', [
    of.id,
  ])
  return { text: text.replaceAll(/\s+/g, ' '), number: documents[0].number, code: row!.code }
}

test('a letter of registration in Tamil, from the request to the paper that everybody can verify', async () => {
  const tamil = await yalini.send('GET', KINDS, undefined, { 'accept-language': 'ta' })
  expect(tamil.body.items.map(({ title }: { title: string }) => title)).toContain('பதிவுக் கடிதம்')
  const request = { kind: kind('Letter of registration'), details: 'For my bank.' }
  await expect(yalini.submit(FLOW, request)).rejects.toThrow('/language')
  const sent = await yalini.submit(FLOW, { ...request, language: 'ta' })
  await affairs.decides(sent, 'approve', {}, desks.approveRequestByAffairs)
  await registrar.decides(sent, 'approve', {}, desks.approveRequestByRegistrar)
  await expectCase(sent).toBe('Approved')
  await expectMail(yalini).about('students.mail.request-letter', sent)

  const student = await own(yalini)
  const { text, number, code } = await theLetter(sent, yalini)
  expect(number).toMatch(/^SL-\d{4}-\d{6}$/)
  // Readers of PDFs take some Tamil words apart; these stay whole.
  for (const words of ['அன்று வழங்கப்பட்டது', 'ஆம் ஆண்டில்', student.data.full_name, student.data.reg_no, number])
    expect(text).toContain(words)
  expect(text).toContain('Nirmala Wickramasinghe')
  expect(text).not.toContain('This is to certify')
  expect((await theLetter(sent, affairs)).text).toBe(text)

  const verified = await send('GET', `/api/public/documents/${code}`, { headers: { 'accept-language': 'ta' } })
  expect(verified.body).toMatchObject({ state: 'valid', title: 'பதிவுக் கடிதம்', holder: student.data.full_name, number })
})

test('student affairs withdraw a letter with a reason: /verify says so, and the student is told', async () => {
  const sent: Case = (await yalini.get(`/api/cases?mine=true&flow=${FLOW}`)).items[0]
  const { number, code } = await theLetter(sent, yalini)
  const [reason, WITHDRAWAL] = ['Issued for the wrong year', letterWithdrawal.flow]
  await expect(yalini.submit(WITHDRAWAL, { letter: number, reason })).rejects.toThrow('platform.not-allowed')
  await expect(affairs.submit(WITHDRAWAL, { letter: 'SL-1999-000001', reason })).rejects.toThrow(
    'students.letter-unknown',
  )
  const withdrawal = await affairs.submit(WITHDRAWAL, { letter: number, reason })
  await expectCase(withdrawal).toBe('Withdrawn')
  expect((await expectMail(yalini).about('students.mail.letter-withdrawn', sent)).body).toContain(reason)
  expect((await send('GET', `/api/public/documents/${code}`)).body).toMatchObject({ state: 'withdrawn' })
  await expect(affairs.submit(WITHDRAWAL, { letter: number, reason })).rejects.toThrow('students.letter-withdrawn')
})

test('a change of name needs its proof, and is written into the register once', async () => {
  const before = await own(imran)
  const change = await aNameChange(imran, 'Imran Cassim Marikar')
  const { proof: _proof, ...without } = change
  await expect(imran.submit(FLOW, without)).rejects.toThrow('/proof')
  const sent = await imran.submit(FLOW, change)
  await expect(imran.submit(FLOW, change)).rejects.toThrow('platform.once-only')
  await affairs.decides(sent, 'return', { reason: 'The slip cannot be read' }, desks.approveRequestByAffairs)
  const correction = await imran.task(sent, desks.correctRequest)
  await imran.ok('POST', `/api/tasks/${correction.id}/complete`, { data: { ...change, bank_reference: aReference() } })
  await affairs.decides(sent, 'approve', {}, desks.approveRequestByAffairs)
  expect((await own(imran)).data.full_name).toBe(before.data.full_name)
  await registrar.decides(sent, 'approve', {}, desks.approveRequestByRegistrar)
  await expectCase(sent).toBe('Approved')
  await expectEnded(sent)
  const after = await own(imran)
  expect(after).toMatchObject({ version: before.version + 1, data: { full_name: 'Imran Cassim Marikar' } })
  const { documents, facts } = await imran.get(`/api/cases/${sent.id}`)
  expect(documents).toEqual([])
  expect(facts).toMatchObject({ formerName: before.data.full_name })
})

test('a deferment is noted for the student; other students and other departments do not see it', async () => {
  const [head, dean, otherHead, other] = await Promise.all(
    ['hod.painting', 'dean.visual-arts', 'hod.music', 'student.nuwan'].map((name) => as(name)),
  )
  const { items: years } = await hasini.get('/api/registers/year-renewals/academic-year/items?search=2027')
  const deferment = {
    kind: kind('Deferment of an academic year'),
    details: 'I am ill.',
    deferred_year: years[0].id,
    proof: await uploads(hasini, 'certificate.pdf'),
  }
  // A year that is over, or was before the studies, is not deferred any more.
  const { items: past } = await hasini.get('/api/registers/year-renewals/academic-year/items?search=2023')
  await giveStatus(past[0].id, 'Active')
  const late = { ...deferment, deferred_year: past[0].id }
  await expect(hasini.submit(FLOW, late)).rejects.toThrow('students.year-over')
  await giveStatus(past[0].id, 'Inactive')
  // She is registered for the year already, with a place that somebody else wants.
  const { id: student } = await own(hasini)
  const [{ subject } = { subject: '' }] = await asOwner<{ subject: string }>(
    `select id as subject from app.register_item where register = 'setup/subject' order by id limit 1`,
  )
  const had = await entered('students/subject-registration', 'Active', {
    ...{ student, academic_year: years[0].id, subjects: [{ subject }], credits: 2, year: 2, case_reference: 'SUB-1' },
  })
  const setup = await entered('students/subject-registration-setup', 'Active', { academic_year: years[0].id })
  const seat = await entered('students/subject-registration-seat', 'Taken', { student, setup, subject, number: 1 })
  const sent = await hasini.submit(FLOW, deferment)
  for (const stranger of [otherHead!, other!])
    expect((await stranger.send('GET', `/api/cases/${sent.id}`)).status).toBe(404)
  await head!.decides(sent, 'approve', {}, desks.approveRequestByHead)
  await dean!.decides(sent, 'approve', {}, desks.approveRequestByDean)
  expect((await hasini.get(DEFERMENTS)).items).toEqual([])
  await registrar.decides(sent, 'approve', {}, desks.approveRequestByRegistrar)
  await expectCase(sent).toBe('Approved')
  const states = await asOwner<{ status: string }>(
    `select status from app.register_item where id = any($1) order by status`,
    [[had, seat]],
  )
  expect(states.map(({ status }) => status)).toEqual(['Cancelled', 'Released'])
  const { items } = await hasini.get(DEFERMENTS)
  expect(items).toMatchObject([{ status: 'Active', data: { case_reference: sent.reference } }])
  expect((await other!.send('GET', `${DEFERMENTS}/${items[0].id}`)).status).toBe(404)
  await expectEnded(sent)
  await expect(hasini.submit(FLOW, deferment)).rejects.toThrow('students.year-deferred')
})

test('the Registrar decides on a character certificate, and sees why the student was suspended', async () => {
  const [head, dean] = await Promise.all(['hod.painting', 'dean.visual-arts'].map((name) => as(name)))
  const { id: student } = await own(hasini)
  const reason = 'Decision 9 of the Board of Residence and Discipline'
  const noted = { student, effective_on: day(-90), kind: 'Status', reason, case_reference: 'STC-1' }
  const [change] = await asOwner<{ id: string }>(
    `insert into app.register_item (id, register, status, title, data)
       values (gen_random_uuid(), 'intakes/student-change', 'Active', 'A suspension', $1) returning id`,
    [JSON.stringify({ ...noted, status_was: 'active', status_becomes: 'suspended' })],
  )
  const sent = await hasini.submit(FLOW, {
    kind: kind('Character certificate'),
    details: 'For an employer.',
    language: 'en',
    slip: await uploads(hasini, 'slip.pdf'),
    paid_on: day(0),
    bank_reference: aReference(),
  })
  await head!.decides(sent, 'approve', {}, desks.approveRequestByHead)
  await dean!.decides(sent, 'approve', {}, desks.approveRequestByDean)
  await affairs.decides(sent, 'approve', {}, desks.approveRequestByAffairs)
  await registrar.task(sent, desks.approveRequestByRegistrar)
  const { shows } = await registrar.get(`/api/cases/${sent.id}`)
  expect(shows).toMatchObject([{ name: 'changes', items: [{ data: { status_becomes: 'suspended', reason } }] }])
  await registrar.decides(sent, 'reject', { reason: 'You were suspended' }, desks.approveRequestByRegistrar)
  await expectCase(sent).toBe('Rejected')
  expect((await hasini.get(`/api/cases/${sent.id}`)).documents).toEqual([])
  await asOwner('delete from app.register_item where id = $1', [change!.id])
})

test('nobody approves their own request, and a withdrawn one is over', async () => {
  const arun = await as('student.arun')
  const reason = 'Helps student affairs'
  const grant = await admin.ok('POST', `/api/people/${arun.id}/grants`, { role: 'SSW MA', scope: null, reason })
  try {
    const sent = await arun.submit(FLOW, {
      kind: kind('Letter of registration'),
      details: 'For a visa.',
      language: 'si',
    })
    const { id } = await affairs.task(sent, desks.approveRequestByAffairs)
    const approval = await arun.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'approve' } })
    expect([approval.status, approval.body.code]).toEqual([403, 'platform.own-case'])
    await arun.withdraws(sent)
    await expectEnded(sent)
    expect((await arun.get(`/api/cases/${sent.id}`)).documents).toEqual([])
    const late = await affairs.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'approve' } })
    expect(late.status).toBe(409)
  } finally {
    await admin.ok('POST', `/api/grants/${grant.id}/end`, { reason })
  }
})

test('a letter without a value comes back to student affairs, who complete the register', async () => {
  const dean = await as('dean.dance-and-drama')
  const sent = await imran.submit(FLOW, {
    kind: kind('Letter of results'),
    details: 'For a scholarship.',
    language: 'en',
    slip: await uploads(imran, 'slip.pdf'),
    paid_on: day(0),
    bank_reference: aReference(),
  })
  await dean.decides(sent, 'approve', {}, desks.approveRequestByDean)
  await affairs.decides(sent, 'approve', {}, desks.approveRequestByAffairs)
  const { body } = await expectMail(affairs).about('students.mail.request-stuck', sent)
  expect(body).toContain('gpa, results_year')
  const { id: student } = await own(imran)
  await admin.ok('POST', RESULTS, { data: { year: '2025', student, gpa: 3.45 } })
  await affairs.decides(sent, 'again', {}, desks.settleRequest)
  await expectCase(sent).toBe('Approved')
  expect((await theLetter(sent, imran)).text).toContain('grade point average of 3.45 out of 4')
})

test('a field that a letter does not have is refused when its text is saved', async () => {
  const { items } = await admin.get(`${LETTERS}?search=registration`)
  const { id, version, data } = items[0]
  const saves = (text_en: string) =>
    admin.send('PUT', `${LETTERS}/${id}`, { data: { ...data, text_en } }, { 'if-match': `"${version}"` })
  const { status, body } = await saves('This is {{name}}, born on {{birthday}}.')
  expect([status, body.errors]).toMatchObject([
    422,
    [{ field: '/text_en', code: 'platform.check-x-placeholders', message: expect.stringContaining('{{birthday}}') }],
  ])
})

test('a student who is suspended meanwhile gets no letter before they are reinstated', async () => {
  const sent = await hasini.submit(FLOW, {
    kind: kind('Letter of registration'),
    details: 'For a visa.',
    language: 'en',
  })
  await affairs.decides(sent, 'approve', {}, desks.approveRequestByAffairs)
  const student = await own(hasini)
  await giveStatus(student.id, 'suspended')
  try {
    await registrar.decides(sent, 'approve', {}, desks.approveRequestByRegistrar)
    const { body } = await expectMail(affairs).about('students.mail.request-stuck', sent)
    expect(body).toContain(`is not in use in its register: ${student.data.full_name}`)
  } finally {
    await giveStatus(student.id, 'active')
  }
  await affairs.decides(sent, 'again', {}, desks.settleRequest)
  await expectCase(sent).toBe('Approved')
})

test('a kind counts once a second person has approved it, and one without desks goes to student affairs', async () => {
  const made = await affairs.ok('POST', KINDS, {
    data: {
      ...{ title_en: 'Use of the rehearsal rooms', title_si: 'පුහුණු කාමර භාවිතය', title_ta: 'ஒத்திகை அறைகளின் பயன்பாடு' },
      ...{ by_head: false, by_dean: false, by_affairs: false, by_registrar: false },
      asked_documents: [
        { title: 'Plan of the room', required: true },
        { title: 'Programme', required: false },
      ],
    },
  })
  expect(made.status).toBe('Awaiting Approval')
  const becomes = (who: Person, status: string) => who.send('POST', `${KINDS}/${made.id}/status`, { status })
  expect((await becomes(affairs, 'Active')).body.code).toBe('platform.certified-by-changer')
  const asked_documents = [{ title: 'Plan of the room', file: await uploads(imran, 'plan.pdf') }]
  const request = { kind: made.id, details: 'For a play.', asked_documents }
  await expect(imran.submit(FLOW, request)).rejects.toThrow('/kind')
  expect((await becomes(admin, 'Active')).body.status).toBe('Active')
  try {
    await expect(imran.submit(FLOW, { ...request, asked_documents: [] })).rejects.toThrow('/asked_documents')
    const sent = await imran.submit(FLOW, request)
    await affairs.decides(sent, 'approve', {}, desks.approveRequestByAffairs)
    await expectCase(sent).toBe('Approved')
  } finally {
    await becomes(admin, 'Inactive')
  }
})

test('a letter has the blocks that its kind names, signed by who decided at their desks', async () => {
  const [bursar, vc] = await Promise.all(['bursar', 'vc'].map((name) => as(name)))
  const titles = (of: string) => ({ title_en: of, title_si: of, title_ta: of })
  const text = 'This is to certify that {{name}} ({{reg_no}}) owes nothing to this university.'
  const letter = await registrar.ok('POST', LETTERS, {
    data: {
      ...{ ...titles('Certificate of clearance'), text_en: text, text_si: text, text_ta: text },
      ...{ signs_registrar: false, signs_bursar: true, signs_vice_chancellor: true },
    },
  })
  const activates = (id: string, of: string) => admin.ok('POST', `${of}/${id}/status`, { status: 'Active' })
  await activates(letter.id, LETTERS)
  const made = await affairs.ok('POST', KINDS, {
    data: {
      ...{ ...titles('Clearance'), letter: letter.id, by_head: false, by_dean: false, by_affairs: false },
      ...{ by_bursar: true, by_registrar: false, by_vice_chancellor: true },
    },
  })
  await activates(made.id, KINDS)
  try {
    const sent = await imran.submit(FLOW, { kind: made.id, details: 'For my studies abroad.', language: 'en' })
    await bursar!.decides(sent, 'approve', {}, desks.approveRequestByBursar)
    await vc!.decides(sent, 'approve', {}, desks.approveRequestByViceChancellor)
    await expectCase(sent).toBe('Approved')
    const { text: printed } = await theLetter(sent, imran)
    const names = await Promise.all([bursar!, vc!, registrar].map(async (who) => (await who.get('/api/me')).name))
    expect(printed).toContain('owes nothing to this university')
    expect(names.map((name) => printed.includes(name))).toEqual([true, true, false])
    expect(['Bursar', 'Vice Chancellor', 'Registrar'].map((post) => printed.includes(post))).toEqual([
      true,
      true,
      false,
    ])
  } finally {
    await admin.ok('POST', `${KINDS}/${made.id}/status`, { status: 'Inactive' })
  }
})
