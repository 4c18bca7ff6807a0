import { beforeAll, expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { studentRequest } from '../../processes/students/student-request.generated.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Case, type Person, send } from '../platform/kit/people.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { uploads } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = studentRequest
const KINDS = '/api/registers/students/request-kind/items'
const STUDENTS = '/api/registers/platform/student/items'

let yalini: Person, imran: Person, affairs: Person, registrar: Person, admin: Person
let kinds: { id: string; title: string }[]
beforeAll(async () => {
  ;[yalini, imran, affairs, registrar, admin] = await Promise.all([
    as('student.yalini'),
    as('student.imran'),
    as('ma.welfare'),
    as('registrar'),
    as('admin'),
  ])
  kinds = (await yalini.get(KINDS)).items
})

const kind = (english: string) => kinds.find(({ title }) => title.startsWith(`${english} ·`))!.id
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
    bank_reference: 'B-1',
  }
}

async function theLetter(of: Case, by: Person): Promise<{ text: string; number: string; code: string }> {
  const { documents } = await by.get(`/api/cases/${of.id}`)
  const pdf = await by.bytes(`/api/cases/${of.id}/documents/${documents[0].id}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  const [row] = await asOwner<{ code: string }>('select code from app.document_verification where case_id = $1', [
    of.id,
  ])
  return { text, number: documents[0].number, code: row!.code }
}

test('a letter of registration in Tamil, from the request to the paper that everybody can verify', async () => {
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
  for (const words of ['பதிவுக் கடிதம்', 'சான்றளிக்கிறோம்', student.data.full_name, student.data.reg_no, number])
    expect(text).toContain(words)
  expect(text).toContain('Nirmala Wickramasinghe')
  expect(text).not.toContain('This is to certify')
  expect((await theLetter(sent, affairs)).text).toBe(text)

  const verified = await send('GET', `/api/public/documents/${code}`, { headers: { 'accept-language': 'ta' } })
  expect(verified.body).toMatchObject({ state: 'valid', title: 'பதிவுக் கடிதம்', holder: student.data.full_name, number })
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
  await imran.ok('POST', `/api/tasks/${correction.id}/complete`, { data: { ...change, bank_reference: 'B-2' } })
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
