import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from '@jest/globals'
import { documentRejection } from '../../processes/students/document-rejection.generated.ts'
import { registration } from '../../processes/students/registration.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner, whileLocked } from '../platform/kit/owner.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { PIXEL, uploads } from '../platform/kit/uploads.ts'
import { aReference } from '../platform/kit/payments.ts'

const { flow: FLOW, desks } = registration
const DOCUMENTS = '/api/registers/students/document/items'
const STUDENTS = '/api/registers/platform/student/items'

let kasun: Person, tharushi: Person, nadeesha: Person, ma: Person, elsewhere: Person, shroff: Person
let affairs: Person, head: Person, nuwan: Person
let setups: { id: string; title: string }[]
beforeAll(async () => {
  ;[kasun, tharushi, nadeesha, ma, elsewhere, shroff, affairs, head, nuwan] = await Promise.all([
    as('student.kasun'),
    as('student.tharushi'),
    as('student.nadeesha'),
    as('ma.music'),
    as('ma.western-music'),
    as('shroff'),
    as('ma.welfare'),
    as('head.welfare'),
    as('student.nuwan'),
  ])
  setups = (await kasun.get('/api/registers/students/registration-setup/items')).items
})

interface Row {
  [column: string]: unknown
  name: string
}

const setup = (title: string) => setups.find((one) => one.title.startsWith(title))!.id
const fee = (title: string) => ({
  setup: setup(title),
  bank_reference: aReference(),
  paid_on: day(0),
  declaration: true,
})

/** The rows of a student's desk, each with a file, and the named electives taken. */
async function filled(who: Person, of: Case, take: string[]) {
  const { id } = await who.task(of, desks.sendDocuments)
  const { facts } = await who.get(`/api/cases/${of.id}`)
  const wanted: Row[] = facts.wanted
  const documents = await Promise.all(
    wanted.map(async (row) => ({ ...row, file: await uploads(who, `${row.name}.pdf`) })),
  )
  const electives = facts.electives.map((row: { subject: string }) => ({
    ...row,
    choice: take.some((code) => row.subject.startsWith(code)) ? 'take' : 'leave',
  }))
  return { task: id, data: { outcome: 'send', documents, core: facts.core, electives } }
}

async function sends(who: Person, of: Case, take: string[]) {
  const { task, data } = await filled(who, of, take)
  await who.ok('POST', `/api/tasks/${task}/complete`, { data })
}

const wrongWith = async (who: Person, task: string, data: object) => {
  const { status, body } = await who.send('POST', `/api/tasks/${task}/complete`, { data })
  return [status, body.errors?.map(({ field, code }: { field: string; code: string }) => [field, code])]
}
const statusesOf = async (who: Person) =>
  Object.fromEntries((await who.get(DOCUMENTS)).items.map((one: any) => [one.title, one.status]))

const seats = async (who: Person) =>
  (await who.get('/api/registers/students/subject-registration-seat/items')).items.map(({ status }: any) => status)

/** Notes a change of status of a student that becomes unregistered. */
async function noted(regNo: string, was: string): Promise<string> {
  const [row] = await asOwner<{ id: string }>(
    `insert into app.register_item (id, register, status, title, data)
     select gen_random_uuid(), 'intakes/student-change', 'Active', 'A day', jsonb_build_object(
       'student', id, 'status_was', $2::text, 'status_becomes', 'unregistered')
     from app.register_item where register = 'platform/student' and data ->> 'reg_no' = $1 returning id`,
    [regNo, was],
  )
  return row!.id
}
const forgotten = (change: string) => asOwner('delete from app.register_item where id = $1', [change])

test('a document is rejected, sent again and approved; with the fee verified the student is registered', async () => {
  await expect(kasun.submit(FLOW, { ...fee('Music'), bank_reference: undefined })).rejects.toThrow(
    'students.slip-or-reference',
  )
  await expect(kasun.submit(FLOW, fee('Dance'))).rejects.toThrow('platform.requester-not-meant')
  await expect(nuwan.submit(FLOW, fee('Music'))).rejects.toThrow('platform.requester-status-differs')
  const own = await kasun.submit(FLOW, fee('Music'))
  const { task, data } = await filled(kasun, own, ['MUS1204'])
  expect(await statusesOf(kasun)).toMatchObject({ 'Certificate of birth': 'Pending Upload' })

  // Each required document, and one elective: no more, no less.
  const without = data.documents.map((row) => (row.name === 'Certificate of birth' ? { ...row, file: undefined } : row))
  const at = without.findIndex(({ file }) => file === undefined)
  expect(await wrongWith(kasun, task, { ...data, documents: without })).toEqual([
    422,
    [[`/documents/${at}/file`, 'platform.field-required']],
  ])
  const both = data.electives.map((row: object) => ({ ...row, choice: 'take' }))
  expect(await wrongWith(kasun, task, { ...data, electives: both })).toEqual([
    422,
    [['/electives', 'students.credits-outside']],
  ])
  await kasun.ok('POST', `/api/tasks/${task}/complete`, { data })
  await expectCase(own).toBe('Pending Approval')

  // The MA of another department sees none of it.
  expect((await elsewhere.send('GET', `/api/cases/${own.id}`)).status).toBe(404)
  const ofKasun = `${DOCUMENTS}?limit=100&search=birth`
  const seenBy = async (who: Person) => (await who.get(ofKasun)).items.map((one: any) => one.status)
  expect(await seenBy(ma)).toContain('Uploaded')
  expect(await seenBy(elsewhere)).toEqual([])

  const check = await ma.task(own, desks.checkDocuments)
  const { facts } = await ma.get(`/api/cases/${own.id}`)
  const rows = facts.toCheck.map((row: Row) =>
    row.name === 'Photograph' ? { ...row, decision: 'reject', reason: 'Too dark' } : row,
  )
  expect(await wrongWith(ma, check.id, { outcome: 'approve', documents: rows })).toEqual([
    422,
    [
      [
        `/documents/${rows.findIndex((row: Row) => row['decision'] === 'reject')}/decision`,
        'students.rejected-among-approved',
      ],
    ],
  ])
  await ma.ok('POST', `/api/tasks/${check.id}/complete`, {
    data: { outcome: 'return', documents: rows, reason: 'Please send a better photograph' },
  })
  await expectMail(kasun).about('students.mail.registration-returned', own)
  await expectCase(own).toBe('Pending Documents')
  expect(await statusesOf(kasun)).toMatchObject({ Photograph: 'Rejected', 'Certificate of birth': 'Approved' })

  const again = await filled(kasun, own, ['MUS1204'])
  expect(again.data.documents).toMatchObject([{ name: 'Photograph', wrong: 'Too dark' }])
  await kasun.ok('POST', `/api/tasks/${again.task}/complete`, { data: again.data })
  await ma.decides(own, 'approve', {}, desks.checkDocuments)
  await expectCase(own).toBe('Pending Payment Verification')
  await shroff.decides(own, 'new-slip', { reason: 'Unknown reference' })
  const slip = await kasun.task(own, desks.sendAnotherSlip)
  const data2 = { ...fee('Music'), bank_reference: aReference() }
  await kasun.ok('POST', `/api/tasks/${slip.id}/complete`, { data: data2 })
  await shroff.decides(own, 'verify', { receipt_no: 'R 1' })
  // Admissions need not say the year of study; the renewal of the next year asks for it.
  await asOwner(`update app.register_item set data = data - 'year' where data ->> 'reg_no' = 'FOM/2026/0004'`)
  await affairs.decides(own, 'confirm', {}, desks.confirmRegistration)
  await expectCase(own).toBe('Registered')
  await expectEnded(own)
  await expectMail(kasun).about('students.mail.registration-registered', own)
  // The place of the limited elective stays theirs.
  expect(await seats(kasun)).toEqual(['Taken'])

  const { items } = await head.get(`${STUDENTS}?search=FOM/2026/0004`)
  const { items: batches } = await head.get('/api/registers/batches/batch/items?search=Oriental Music 2026/2027')
  expect(items).toMatchObject([{ status: 'active', data: { batch: batches[0].id, year: 1 } }])
  const { items: subjects } = await kasun.get('/api/registers/students/subject-registration/items')
  expect(subjects).toMatchObject([{ data: { credits: 20, year: 1 } }])
  expect(subjects[0].data.subjects).toHaveLength(7)
  await expect(kasun.submit(FLOW, fee('Music'))).rejects.toThrow('platform.requester-status-differs')
})

test('student affairs check documents where there is no MA; who checked them does not confirm', async () => {
  // Who was never on the roll has not left it.
  const before = await noted('FDD/2026/0001', 'deactivated')
  const slip = randomBytes(8)
  const bySlip = async (who: Person) => {
    const file = await uploads(who, 'slip.png', Buffer.concat([PIXEL, slip]))
    return { ...fee('Dance'), bank_reference: undefined, slip: file }
  }
  const own = await tharushi.submit(FLOW, await bySlip(tharushi))
  await expect(nadeesha.submit(FLOW, await bySlip(nadeesha))).rejects.toThrow('platform.slip-used')
  // The last place of a subject is taken: the files stay, and another choice is asked for.
  const other = await nadeesha.submit(FLOW, fee('Dance'))
  await sends(nadeesha, other, ['DAN1201'])
  await expectCase(other).toBe('Pending Approval')
  expect(await seats(nadeesha)).toEqual(['Taken'])
  await sends(tharushi, own, ['DAN1201'])
  await expectMail(tharushi).about('students.mail.registration-full', own)
  await tharushi.task(own, desks.sendDocuments)
  const { facts } = await tharushi.get(`/api/cases/${own.id}`)
  expect(facts.wanted).not.toHaveLength(0)
  expect(facts.wanted.every(({ file }: Row) => typeof file === 'string')).toBe(true)
  expect(facts.electives).toMatchObject([{ choice: 'take' }])
  expect(await seats(tharushi)).toEqual([])
  await nadeesha.withdraws(other)
  await expectEnded(other)
  expect(await seats(nadeesha)).toEqual(['Released'])
  await sends(tharushi, own, ['DAN1201'])
  await expectCase(own).toBe('Pending Approval')
  expect(await seats(tharushi)).toEqual(['Taken'])
  await affairs.decides(own, 'return', { reason: 'Too few teachers this year' }, desks.checkDocuments)
  await sends(tharushi, own, [])
  await expectCase(own).toBe('Pending Approval')
  expect(await seats(tharushi)).toEqual(['Released'])
  await affairs.decides(own, 'approve', {}, desks.checkDocuments)
  await shroff.decides(own, 'verify', { receipt_no: 'R 2' })
  const task = await head.task(own, desks.confirmRegistration)
  const { status } = await affairs.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'confirm' } })
  expect([403, 404, 409]).toContain(status)
  await head.decides(own, 'recheck', { reason: 'Is the photograph the right one?' })
  await affairs.decides(own, 'approve', {}, desks.recheckDocuments)
  const { id: confirmation } = await head.task(own, desks.confirmRegistration)
  const left = await noted('FDD/2026/0001', 'suspended')
  expect(await wrongWith(head, confirmation, { outcome: 'confirm' })).toEqual([
    422,
    [['/outcome', 'platform.requester-excepted-now']],
  ])
  await Promise.all([before, left].map(forgotten))
  await head.decides(own, 'reject', { reason: 'The certificate is forged' }, desks.confirmRegistration)
  await expectCase(own).toBe('Rejected')
  await expectMail(tharushi).about('students.mail.registration-rejected', own)
  const { items } = await head.get(`${STUDENTS}?search=FDD/2026/0001`)
  expect(items).toMatchObject([{ status: 'unregistered' }])
})

test('documents not sent in 14 days end it; those that were approved before are not asked for again', async () => {
  const first = await nadeesha.submit(FLOW, fee('Dance'))
  await nadeesha.task(first, desks.sendDocuments)
  await clock.passes('P15D', first)
  await expectCase(first).toBe('Lapsed')
  await expectMail(nadeesha).about('students.mail.registration-lapsed', first)
  await expectEnded(first)

  // What a withdrawn one has sent waits for an upload again: nobody checks it any more.
  const withdrawn = await nadeesha.submit(FLOW, fee('Dance'))
  await sends(nadeesha, withdrawn, ['DAN1201'])
  await expectCase(withdrawn).toBe('Pending Approval')
  expect(Object.values(await statusesOf(nadeesha))).toContain('Uploaded')
  await nadeesha.withdraws(withdrawn)
  await expectEnded(withdrawn)
  expect(new Set(Object.values(await statusesOf(nadeesha)))).toEqual(new Set(['Pending Upload']))

  const second = await nadeesha.submit(FLOW, fee('Dance'))
  await sends(nadeesha, second, ['DAN1201'])
  const { items } = await affairs.get(`/api/registers/platform/student/items?search=FDD/2026/0002`)
  await affairs.task(second, desks.checkDocuments)
  const { facts } = await affairs.get(`/api/cases/${second.id}`)
  expect([items.length, facts.credits]).toEqual([1, 12])
  await affairs.decides(second, 'approve', {}, desks.checkDocuments)
  await expectCase(second).toBe('Pending Payment Verification')
  await nadeesha.withdraws(second)
  await expectEnded(second)
  const third = await nadeesha.submit(FLOW, fee('Dance'))
  await nadeesha.task(third, desks.sendDocuments)
  expect((await nadeesha.get(`/api/cases/${third.id}`)).facts.wanted).toEqual([])

  // What was approved earlier is not rejected while this registration runs, which asks for nothing.
  const { items: sent } = await nadeesha.get(`${DOCUMENTS}?mine=true`)
  const approved: string[] = sent.filter((one: any) => one.status === 'Approved').map((one: any) => one.id)
  const { id: student } = (await nadeesha.get(`${STUDENTS}?mine=true`)).items[0]
  const wrong = (document: string | undefined) => ({ student, document, reason: 'It is of somebody else' })
  const data = wrong(approved[0])
  const { status, body } = await affairs.send('POST', '/api/cases', { flow: documentRejection.flow, data })
  expect([status, body.errors]).toMatchObject([
    422,
    [{ code: 'students.registration-under-way', message: expect.stringContaining(third.reference) }],
  ])
  await nadeesha.withdraws(third)
  await expectEnded(third)

  // Who may register again is sent there, who has left the roll to the office.
  const rejected = await affairs.submit(documentRejection.flow, data)
  await expectCase(rejected).toBe('Rejected')
  const asked = await expectMail(nadeesha).about('students.mail.document-rejected', rejected)
  expect(asked.body).toContain('/student/paymet/registration')
  const left = await noted('FDD/2026/0002', 'active')
  const another = await affairs.submit(documentRejection.flow, wrong(approved[1]))
  await expectCase(another).toBe('Rejected')
  const told = await expectMail(nadeesha).about('students.mail.document-rejected-office', another)
  expect(told.body).toContain('ask the office of your faculty')
  await forgotten(left)

  // What is not approved any more once it is to be rejected stays as it is.
  const sees = `with changed as (update app.register_item set status = 'Uploaded', version = version + 1 where id = $1
      returning id, version, status, data)
    insert into app.register_item_version (item_id, version, status, data) select id, version, status, data from changed`
  const late = await whileLocked(sees, [approved[2]], () => affairs.submit(documentRejection.flow, wrong(approved[2])))
  await expectCase(late).toBe('Not Rejected')
  await expectEnded(late)
  expect((await affairs.get(`${DOCUMENTS}/${approved[2]}`)).status).toBe('Uploaded')
})

test('a set-up is for one batch and academic year, and the batch needs a curriculum, which then stays', async () => {
  const SETUPS = '/api/registers/students/registration-setup/items'
  const BATCHES = '/api/registers/batches/batch/items'
  const { items: all } = await affairs.get(SETUPS)
  const { name: _, ...music } = all.find((one: any) => one.title.startsWith('Music')).data
  const refused = async (wrong: object) =>
    (await affairs.send('POST', SETUPS, { data: wrong })).body.errors?.map((one: any) => [one.field, one.code])
  // A second person approves what students pay and where, and then only one set-up counts.
  const data = { ...music, name: `Music ${day(0)} ${Date.now()}` }
  expect(await refused(data)).toEqual([['/closes', 'students.setups-overlap']])
  const later = { ...data, opens: day(300), closes: day(310) }
  const again = await affairs.ok('POST', SETUPS, { data: later })
  expect(again.status).toBe('Awaiting Approval')
  const approves = async (who: Person) =>
    (await who.send('POST', `${SETUPS}/${again.id}/status`, { status: 'Active' }, { 'if-match': '"1"' })).body
  expect((await approves(affairs)).code).toBe('platform.certified-by-changer')
  expect((await approves(head)).errors).toMatchObject([{ field: '/batch', code: 'platform.value-taken' }])
  const { items: older } = await affairs.get(`${BATCHES}?search=Painting 2024`)
  expect(await refused({ ...music, limits: [], name: 'Painting', batch: older[0].id })).toEqual([
    ['/batch', 'students.batch-without-curriculum'],
  ])

  const admin = await as('admin')
  const batch = await admin.get(`${BATCHES}/${music.batch}`)
  const change = { ...batch.data, curriculum: undefined }
  const answer = await admin.send(
    'PUT',
    `${BATCHES}/${batch.id}`,
    { data: change },
    { 'if-match': `"${batch.version}"` },
  )
  expect(answer.body.errors).toMatchObject([{ field: '/curriculum', code: 'platform.item-frozen' }])
})
