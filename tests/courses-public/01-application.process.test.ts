import { beforeAll, expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { asOwner } from '../platform/kit/owner.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { as, type Person, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import {
  APPLICATION,
  aLargeFile,
  aNic,
  aSlip,
  anApplicant,
  anIntake,
  answersFor,
  applies,
  desks,
} from './application.ts'

const INTAKES = '/api/registers/courses-public/intake/items'

let faculty: Person
let shroff: Person
beforeAll(async () => {
  ;[faculty, shroff] = await Promise.all([as('ar.music'), as('shroff')])
})

type Applicant = Awaited<ReturnType<typeof anApplicant>>

/** Where each application stands, once all have a place or a number on the waiting list. */
const placed = (all: Applicant[]) =>
  until('each application has a place or a number', async () => {
    const cases = await Promise.all(
      all.map(({ applicant, application }) => applicant.get(`/api/cases/${application.id}`)),
    )
    const settled = cases.every(({ status }) => ['Pending Payment', 'Waiting List'].includes(status.key))
    return settled && cases.map(({ status, facts }) => ({ status: status.key, number: facts.waitingNumber ?? 0 }))
  })

/** Sets the number of places of an intake; returns the answer. */
async function becomes(id: string, places: number) {
  const { data, version } = await faculty.get(`${INTAKES}/${id}`)
  return faculty.send('PUT', `${INTAKES}/${id}`, { data: { ...data, places } }, { 'if-match': `"${version}"` })
}

const offered = async (id: string) => {
  const { body } = await send('GET', `/api/public/flows/${APPLICATION}/open`)
  return body.items.find((one: any) => one.id === id)
}

test('of three who are accepted at once one has the place; those who wait follow in order, and one gets the letter', async () => {
  const offer = await anIntake(1)
  expect(await offered(offer.intake.id)).toMatchObject({ state: 'open', places: { there: 1, free: 1 } })
  const all = await Promise.all([1, 2, 3].map(() => anApplicant(answersFor(offer))))
  await Promise.all(all.map(({ application }) => faculty.decides(application, 'accept', {}, desks.check)))
  const places = await placed(all)
  expect(places.map(({ number }) => number).toSorted()).toEqual([0, 1, 2])
  expect(await offered(offer.intake.id)).toMatchObject({ places: { there: 1, free: 0 } })
  const [holder, next, last] = [0, 1, 2].map((number) => all[places.findIndex((one) => one.number === number)]!)
  await expectMail(last!.applicant).about('courses-public.mail.waiting', last!.application)

  await holder!.applicant.withdraws(holder!.application)
  await expectEnded(holder!.application)
  await expectCase(next!.application).toBe('Pending Payment')
  await expectMail(next!.applicant).about('courses-public.mail.offer', next!.application)
  await expectCase(last!.application).toBe('Waiting List')
  expect((await becomes(offer.intake.id, 2)).status).toBe(200)
  await expectCase(last!.application).toBe('Pending Payment')
  const fewer = await becomes(offer.intake.id, 1)
  expect(fewer.body.errors).toEqual([expect.objectContaining({ field: '/places', code: 'platform.item-places-taken' })])

  const { applicant, application } = next!
  await applicant.decides(application, 'send-slip', await aSlip(applicant), desks.sendSlip)
  await shroff.decides(application, 'verify', { receipt_no: 'SH-1' }, desks.checkPayment)
  await expectCase(application).toBe('Enrolled')
  await expectMail(applicant).about('courses-public.mail.enrolled', application)
  const { documents } = await applicant.get(`/api/cases/${application.id}`)
  const pdf = await applicant.bytes(`/api/cases/${application.id}/documents/${documents[0].id}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  expect(text).toContain(offer.course.title)
  const ofCase = 'select code from app.document_verification where case_id = $1'
  const [row] = await asOwner<{ code: string }>(ofCase, [application.id])
  const verified = await send('GET', `/api/public/documents/${row?.code}`)
  expect(verified.body).toMatchObject({ holder: 'Kumari Perera' })
}, 120_000)

test('special circumstances are shown by files of at most 1 MB together, and a returned application is corrected', async () => {
  const offer = await anIntake(1)
  const nic = aNic()
  const { applicant, application } = await anApplicant(answersFor(offer, { nic_passport: nic, special: true }))
  await expectCase(application).toBe('Pending Documents')
  const heavy = await Promise.all([1, 2].map(() => aLargeFile(applicant, 600_000)))
  const task = await applicant.task(application, desks.sendFiles)
  const sends = (file: string[]) =>
    applicant.send('POST', `/api/tasks/${task.id}/complete`, { data: { outcome: 'send-files', file } })
  expect((await sends(heavy)).body.errors).toEqual([
    expect.objectContaining({ field: '/file', message: 'Total file size is too large' }),
  ])
  expect((await sends(heavy.slice(0, 1))).status).toBe(200)
  await faculty.decides(application, 'return', { reason: 'The name is not complete' }, desks.check)
  await expectMail(applicant).about('courses-public.mail.returned', application)
  const { data } = await applicant.get(`/api/cases/${application.id}`)
  // The applicant cannot choose another intake, also when this one is out of use by now.
  await faculty.ok('POST', `${INTAKES}/${offer.intake.id}/status`, { status: 'Inactive' })
  const correction = await applicant.task(application, desks.correct)
  const corrected = { data: { ...data, nic_passport: nic, fullName: 'Kumari Silva Perera', special: false } }
  expect((await applicant.send('POST', `/api/tasks/${correction.id}/complete`, corrected)).status).toBe(200)
  await faculty.decides(application, 'reject', { reason: 'The course is for beginners' }, desks.check)
  await expectCase(application).toBe('Rejected')
}, 120_000)

test('only approved courses are shown and open, and one NIC applies once for an intake', async () => {
  const offer = await anIntake(5)
  const other = await anIntake(5)
  const nic = aNic()
  await anApplicant(answersFor(offer, { nic_passport: nic }))
  expect((await applies(answersFor(offer, { nic_passport: nic }))).body.code).toBe('platform.sole-only')
  const mixed = await applies(answersFor({ course: other.course, intake: offer.intake }))
  expect(mixed.body.errors).toEqual([expect.objectContaining({ field: '/intake', code: 'platform.item-not-within' })])
  const wrong = await applies(answersFor(offer, { contact_no: '077', nic_passport: 'N1234567', fullName: '' }))
  expect(wrong.body.errors.map(({ message }: any) => message)).toEqual(
    expect.arrayContaining(['Please enter valid phone number', 'Invalid NIC / Passport Number']),
  )
  const late = await anIntake(5, { opens_on: '2020-01-01', closes_on: '2020-02-01' })
  expect((await applies(answersFor(late))).body.errors[0].code).toBe('platform.closed')

  const listed = async () =>
    (await send('GET', `/api/public/registers/courses-public/course/items?search=${other.course.title.slice(7)}`)).body
  expect((await listed()).items).toHaveLength(1)
  const { id, version, data } = await faculty.get(`/api/registers/courses-public/course/items/${other.course.id}`)
  const changed = { data: { ...data, fee: 3_000_000 } }
  await faculty.ok('PUT', `/api/registers/courses-public/course/items/${id}`, changed, { 'if-match': `"${version}"` })
  expect((await listed()).items).toEqual([])
  const refused = await applies(answersFor(other))
  expect(refused.body.errors).toEqual([expect.objectContaining({ field: '/course', code: 'platform.item-inactive' })])
}, 120_000)
