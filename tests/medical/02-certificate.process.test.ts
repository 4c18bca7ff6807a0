import { beforeAll, expect, test } from '@jest/globals'
import { medicalCertificate } from '../../processes/medical/medical-certificate.generated.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Person, send } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'

const { flow: FLOW } = medicalCertificate
const CERTIFICATES = '/api/registers/medical/certificate/items'

let student: Person, nurse: Person, doctor: Person, exams: Person
beforeAll(async () => {
  ;[student, nurse, doctor, exams] = await Promise.all([
    as('student.tharindu'),
    as('nurse.geethani'),
    as('doctor.mohan'),
    as('ar.examinations'),
  ])
})

test('a certificate is prepared, needs a visit, is issued with fewer days, verified by anybody, and withdrawn', async () => {
  const asked = await student.submit(FLOW, { from: day(-3), until: day(4), purpose: 'examination' })
  await nurse.decides(asked, 'ready')
  await doctor.decides(asked, 'visit', { reason: 'see-doctor' })
  await expectMail(student).about('medical.mail.visit', asked)
  await nurse.decides(asked, 'came')
  await doctor.decides(asked, 'certify', { unfit_from: day(-3), unfit_until: day(1) })
  await expectCase(asked).toBe('Issued')
  await expectMail(student).about('medical.mail.issued', asked)

  // Examinations read the days and nothing else; students theirs, and nobody those of others.
  const entry = await until('the certificate for examinations', async () => {
    const { items } = await exams.get(`${CERTIFICATES}?search=Tharindu`)
    return items.find(({ data }: any) => data.case_reference === asked.reference)
  })
  expect(entry).toMatchObject({ status: 'Valid', data: { unfit_from: day(-3), unfit_until: day(1) } })
  expect(Object.keys(entry.data)).not.toContain('diagnosis')
  expect((await (await as('student.nuwan')).send('GET', `${CERTIFICATES}/${entry.id}`)).status).toBe(404)
  const [document] = await asOwner<{ code: string }>(
    `select v.code from app.document_verification v join app.document d on d.id = v.document_id where d.case_id = $1`,
    [asked.id],
  )
  const verified = () => send('GET', `/api/public/documents/${document!.code}`)
  const { body } = await verified()
  expect(body).toMatchObject({ number: entry.data.number, state: 'valid' })

  await doctor.ok('POST', `/api/cases/${asked.id}/acts/withdraw-certificate`, { data: { reason: 'mistake' } })
  await expectCase(asked).toBe('Certificate Withdrawn')
  await expectMail(student).about('medical.mail.revoked', asked)
  await expectEnded(asked)
  expect((await exams.get(`${CERTIFICATES}/${entry.id}`)).status).toBe('Withdrawn')
  expect((await verified()).body.state).toBe('withdrawn')
})

test('a doctor neither certifies their own request nor one that they prepared', async () => {
  const asked = await doctor.submit(FLOW, { from: day(-1), until: day(0), purpose: 'work' })
  await nurse.decides(asked, 'ready')
  await expect(doctor.decides(asked, 'certify', { unfit_from: day(-1), unfit_until: day(0) })).rejects.toThrow('')
  // Reasons are chosen: people who see every case would read what somebody writes.
  const head = await as('doctor.anoma')
  await expect(head.decides(asked, 'refuse', { reason: 'It is only a cold' })).rejects.toThrow('422')
  await head.decides(asked, 'refuse', { reason: 'not-seen' })
  await expectCase(asked).toBe('Refused')
  await expectMail(doctor).about('medical.mail.refused', asked)
})

test('a certificate covers a month at most, and begins near today', async () => {
  const asks = (from: number, until_: number) =>
    student.submit(FLOW, { from: day(from), until: day(until_), purpose: 'classes' })
  await expect(asks(3, 2)).rejects.toThrow('platform.check-x-not-before')
  await expect(asks(-5, 25)).rejects.toThrow('platform.check-x-most-days"')
  await expect(asks(-46, -40)).rejects.toThrow('platform.check-x-most-days-ago')
  await expect(asks(15, 16)).rejects.toThrow('platform.check-x-most-days-ahead')
  const asked = await asks(-5, 24)
  await nurse.decides(asked, 'ready')
  const certifies = (from: number, until_: number) =>
    doctor.decides(asked, 'certify', { unfit_from: day(from), unfit_until: day(until_) })
  await expect(certifies(-5, 25)).rejects.toThrow('platform.check-x-most-days"')
  await expect(certifies(-76, -70)).rejects.toThrow('platform.check-x-most-days-ago')
  await certifies(-5, 24)
  await expectCase(asked).toBe('Issued')
  const { id } = await until('the certificate', async () => {
    const { items } = await exams.get(`${CERTIFICATES}?search=Tharindu`)
    return items.find(({ data }: any) => data.case_reference === asked.reference)
  })
  const lasts = (last: string) =>
    asOwner(`update app.register_item set data = data || jsonb_build_object('unfit_until', $2::text) where id = $1`, [
      id,
      last,
    ])
  await expect(lasts(day(25))).rejects.toThrow('item_within_bounds')
  await expect(lasts(day(-6))).rejects.toThrow('item_within_bounds')

  // Examinations read what is about students, HR what is about employees, and lecturers neither.
  const [hr, lecturer] = [await as('hr.ar'), await as('lecturer.perera')]
  const readers = async () => {
    const answers = [exams, hr, lecturer].map((who) => who.send('GET', `${CERTIFICATES}/${id}`))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  const listed = async (who: Person) =>
    (await who.get(`${CERTIFICATES}?search=Tharindu&limit=50`)).items.some((one: { id: string }) => one.id === id)
  expect([await readers(), await listed(exams), await listed(hr)]).toEqual([[200, 404, 404], true, false])
  const [employee] = (await hr.get('/api/registers/platform/employee/items?search=Nadeesha')).items
  const about = { student: null, employee: employee.id }
  await asOwner(`update app.register_item set data = jsonb_strip_nulls(data || $2::jsonb) where id = $1`, [
    id,
    JSON.stringify(about),
  ])
  expect([await readers(), await listed(exams), await listed(hr)]).toEqual([[404, 200, 404], false, true])
})
