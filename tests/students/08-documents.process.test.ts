import { beforeAll, expect, test } from '@jest/globals'
import { documentRejection } from '../../processes/students/document-rejection.generated.ts'
import { documentSubmission } from '../../processes/students/document-submission.generated.ts'
import { clock } from '../platform/kit/clock.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { giveStatus } from '../platform/kit/owner.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = documentSubmission
const DOCUMENTS = '/api/registers/students/document/items'

let praveen: Person, ma: Person, elsewhere: Person, affairs: Person
let intake: string
let withdrawn: string
beforeAll(async () => {
  ;[praveen, ma, elsewhere, affairs] = await Promise.all([
    as('student.praveen'),
    as('ma.music'),
    as('ma.western-music'),
    as('ma.welfare'),
  ])
  const { items } = await praveen.get('/api/registers/platform/student/items?mine=true')
  intake = items[0].data.intake
})

interface Row {
  [column: string]: unknown
  name: string
}
interface Entry {
  id: string
  title: string
  status: string
}

const sent = async (): Promise<Entry[]> => (await praveen.get(`${DOCUMENTS}?mine=true`)).items
const statusesOf = async () => Object.fromEntries((await sent()).map((one) => [one.title, one.status]))

/** The rows of the desk of the student, each with a file. */
async function filled(of: Case) {
  const wanted: Row[] = (await praveen.get(`/api/cases/${of.id}`)).facts.wanted
  return Promise.all(wanted.map(async (row) => ({ ...row, file: await uploads(praveen, `${row.name}.pdf`) })))
}

const send = async (of: Case, desk: string, documents: Row[]) => {
  const { id } = await praveen.task(of, desk)
  return praveen.send('POST', `/api/tasks/${id}/complete`, { data: { outcome: 'send', documents } })
}

test('what a withdrawn submission has sent waits for an upload again', async () => {
  const own = await praveen.submit(FLOW, { intake })
  await praveen.task(own, desks.uploadDocuments)
  expect((await send(own, desks.uploadDocuments, await filled(own))).status).toBe(200)
  await expectCase(own).toBe('Uploaded')
  expect(new Set(Object.values(await statusesOf()))).toEqual(new Set(['Uploaded']))
  await praveen.withdraws(own)
  await expectEnded(own)
  expect(new Set(Object.values(await statusesOf()))).toEqual(new Set(['Pending Upload']))
  withdrawn = own.id
})

test('student affairs ask an intake for its documents; one is rejected, uploaded again and approved', async () => {
  const batch = `/api/batches/${FLOW}/${intake}`
  expect((await ma.send('POST', batch)).status).toBe(403)
  await affairs.ok('POST', batch)
  const asked: Case = await until('the student is asked', async () => {
    const { items } = await praveen.get(`/api/cases?mine=true&flow=${FLOW}`)
    return items.find(({ id }: Case) => id !== withdrawn)
  })
  await expectMail(praveen).about('students.mail.documents-asked', asked)
  const rows = await filled(asked)
  const { body } = await send(
    asked,
    desks.uploadDocuments,
    rows.map((row) => ({ ...row, file: undefined })),
  )
  expect(body.errors[0]).toMatchObject({ field: expect.stringMatching(/file$/), code: 'platform.field-required' })
  expect(Object.values(await statusesOf()).every((status) => status === 'Pending Upload')).toBe(true)
  await clock.passes('P4D', asked)
  await expectMail(praveen).about('students.mail.documents-reminder', asked)
  expect((await send(asked, desks.uploadDocuments, rows)).status).toBe(200)

  const check = await ma.task(asked, desks.checkUploads)
  const { facts } = await ma.get(`/api/cases/${asked.id}`)
  const [first, ...others] = facts.toCheck as (Row & { decision: string; file: string })[]
  const [wrong] = [{ ...first!, decision: 'reject', reason: 'The stamp cannot be read' }]
  const documents = [wrong, ...others]
  const early = await ma.send('POST', `/api/tasks/${check.id}/complete`, { data: { outcome: 'approve', documents } })
  expect(early.body.errors).toMatchObject([{ code: 'students.rejected-among-approved' }])
  for (const none of [{}, { documents: facts.toCheck }]) {
    const data = { outcome: 'return', reason: 'See the list', ...none }
    const { body: refused } = await ma.send('POST', `/api/tasks/${check.id}/complete`, { data })
    expect(refused.errors).toMatchObject([{ code: 'students.none-rejected' }])
  }
  const entry = (await sent()).find(({ title }) => title === wrong.name)!
  expect((await ma.send('GET', `/api/files/${first!.file}`)).status).toBe(200)
  expect((await elsewhere.send('GET', `/api/files/${first!.file}`)).status).toBe(404)
  expect((await elsewhere.send('GET', `${DOCUMENTS}/${entry.id}`)).status).toBe(404)
  await ma.ok('POST', `/api/tasks/${check.id}/complete`, {
    data: { outcome: 'return', documents, reason: 'See the list' },
  })
  await expectCase(asked).toBe('Rejected')
  await expectMail(praveen).about('students.mail.documents-rejected', asked)
  const { data } = await praveen.get(`${DOCUMENTS}/${entry.id}`)
  expect(data).toMatchObject({ reason: 'The stamp cannot be read', file: first!.file })

  const again = await filled(asked)
  expect(again.map(({ name }) => name)).toEqual([wrong.name])
  expect((await send(asked, desks.uploadAgain, again)).status).toBe(200)
  await ma.decides(asked, 'approve')
  await expectCase(asked).toBe('Approved')
  await expectEnded(asked)
  expect(new Set(Object.values(await statusesOf()))).toEqual(new Set(['Approved']))
})

test('who has sent all is left out, and is told so', async () => {
  await expect(praveen.submit(FLOW, { intake })).rejects.toThrow('students.documents-complete')
  const { members } = await affairs.get(`/api/batches/${FLOW}/${intake}/members?state=left-out`)
  const message = 'All documents are approved already'
  expect(members).toContainEqual(expect.objectContaining({ title: 'Praveen Sivakumar', message }))
  // Whose documents wait for the check is neither asked again nor left out.
  const { members: waiting } = await affairs.get(`/api/batches/${FLOW}/${intake}/members?state=under-way`)
  expect(waiting).toMatchObject([{ title: 'Chathura Bandara', status: 'Uploaded' }])
})

test('an approved document that is wrong is rejected, and the student sends it again', async () => {
  const { id: document, title } = (await sent())[0]!
  const student = (await praveen.get('/api/registers/platform/student/items?mine=true')).items[0].id
  const wrong = { student, document, reason: 'The certificate is of somebody else' }
  const refusedFor = async (who: Person, data: object) => {
    const { status, body } = await who.send('POST', '/api/cases', { flow: documentRejection.flow, data })
    return [status, (body.errors ?? []).map(({ field, code }: any) => [field, code])]
  }
  expect(await refusedFor(elsewhere, wrong)).toEqual([422, [['/student', 'students.student-elsewhere']]])
  expect((await refusedFor(praveen, wrong))[0]).toBe(403)
  const rejection = await ma.submit(documentRejection.flow, wrong)
  await expectCase(rejection).toBe('Rejected')
  await expectEnded(rejection)
  expect(await statusesOf()).toMatchObject({ [title]: 'Rejected' })
  expect((await praveen.get(`${DOCUMENTS}/${document}`)).data).toMatchObject({ reason: wrong.reason })
  const { body } = await expectMail(praveen).about('students.mail.document-rejected', rejection)
  expect(body).toContain(wrong.reason)

  const again = await praveen.submit(FLOW, { intake })
  await praveen.task(again, desks.uploadDocuments)
  const rows = await filled(again)
  expect(rows.map(({ name }) => name)).toEqual([title])
  expect((await send(again, desks.uploadDocuments, rows)).status).toBe(200)
  // What is being checked is rejected at the desk.
  await ma.decides(again, 'approve')
  await expectCase(again).toBe('Approved')
  expect(await statusesOf()).toMatchObject({ [title]: 'Approved' })
})

test('what a running registration asks for passes to no submission, and is rejected at its desks', async () => {
  const dulani = await as('student.dulani')
  const registration = (await dulani.get('/api/cases?mine=true&flow=students/registration')).items[0]
  const own = (await dulani.get('/api/registers/platform/student/items?mine=true')).items[0]
  const entries = async (): Promise<(Entry & { data: Row })[]> => (await dulani.get(`${DOCUMENTS}?mine=true`)).items
  const before = await entries()
  const approved = before.find(({ status }) => status === 'Approved')!
  const wrong = { student: own.id, document: approved.id, reason: 'The certificate is of somebody else' }
  await expect(ma.submit(documentRejection.flow, wrong)).rejects.toThrow('students.document-under-way')

  // Somebody made the student active otherwise.
  await giveStatus(own.id, 'active')
  const call = { intake: own.data.intake }
  await expect(dulani.submit(FLOW, call)).rejects.toThrow('students.documents-under-way')
  const KINDS = '/api/registers/setup/registration-document/items'
  const more = { name: `Certificate ${Date.now()}`, intake: own.data.intake, required: false }
  const { id: kind } = await affairs.ok('POST', KINDS, { data: more })
  const submission = await dulani.submit(FLOW, call)
  await dulani.task(submission, desks.uploadDocuments)
  const { facts } = await dulani.get(`/api/cases/${submission.id}`)
  expect(facts.wanted.map(({ name }: Row) => name)).toEqual([more.name])
  const caseOf = (all: (Entry & { data: Row })[]) =>
    Object.fromEntries(all.map(({ id, data, status }) => [id, [data['case_reference'], status]]))
  expect(caseOf(await entries())).toMatchObject(caseOf(before))
  expect(Object.values(caseOf(before)).every(([reference]) => reference === registration.reference)).toBe(true)
  await dulani.withdraws(submission)
  await expectEnded(submission)
  await affairs.ok('POST', `${KINDS}/${kind}/status`, { status: 'Inactive' })
  await giveStatus(own.id, 'unregistered')
})
