import { expect, test } from '@jest/globals'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { bursaryInstallment } from '../../processes/bursary/bursary-installment.generated.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { APPLICATION, SCAN, anApplication, desks, entryOf } from './application.ts'

const today = new Date().toISOString().slice(0, 10)

test('an application needs its required document, and ends with an agreement and an entry that the next run pays', async () => {
  const [student, clerk, registrar] = await Promise.all([as('student.hasini'), as('ma.welfare'), as('head.welfare')])
  const incomplete = await anApplication(student, {
    documents: [{ document: await entryOf('bursary/document', 'Salary'), file: await uploads(student, SCAN.name) }],
  })
  await expect(student.submit(APPLICATION, incomplete)).rejects.toThrow('Certificate of family income')

  const application = await student.submit(APPLICATION, await anApplication(student))
  await clerk.decides(application, 'check', { verified_income: 55_000_000 }, desks.check)
  await registrar.decides(application, 'confirm', {}, desks.confirm)
  await student.task(application, desks.signAgreement)
  await expectCase(application).toBe('agreement issued')
  await expectMail(student).about('bursary.mail.agreement', application)
  const before = await student.get(`/api/cases/${application.id}`)
  expect(before.facts).toMatchObject({ eligibility: 'Half Bursary: middle income' })
  expect(before.documents).toEqual([expect.objectContaining({ kind: 'bursary/agreement' })])

  const signed = { signed_agreement: await uploads(student, SCAN.name), signed_on: today }
  await student.decides(application, 'sign', signed, desks.signAgreement)
  await registrar.decides(application, 'accept', { from: '2026-02', until: '2026-12' }, desks.accept)
  await expectEnded(application)
  await expectCase(application).toBe('recipient')

  const { facts } = await student.get(`/api/cases/${application.id}`)
  const [entry] = (
    await clerk.get(`/api/registers/bursary/recipient/items?search=${encodeURIComponent(facts.recipient)}`)
  ).items
  // The demo entry of the student is of the full bursary; the new year changes it.
  expect(entry.data).toMatchObject({ scheme: await entryOf('bursary/scheme', 'Half'), from: '2026-02' })
  const verified = await asOwner(
    'select signed_by from app.document_verification v join app.document d on d.id = v.document_id where d.case_id = $1',
    [application.id],
  )
  expect(JSON.stringify(verified)).toContain('bursary.agreement.student-signature')
})

test('a family whose income is too high is told why, and who may not read it learns nothing', async () => {
  const [student, clerk, registrar] = await Promise.all([as('student.yalini'), as('ma.welfare'), as('head.welfare')])
  const application = await student.submit(APPLICATION, await anApplication(student))
  await clerk.decides(application, 'check', { verified_income: 90_000_000 }, desks.check)
  await registrar.decides(application, 'confirm', {}, desks.confirm)
  await expectEnded(application)
  await expectCase(application).toBe('not eligible')
  await expectMail(student).about('bursary.mail.not-eligible', application)
  expect((await student.get(`/api/cases/${application.id}`)).facts).toMatchObject({
    eligibility: 'Not eligible: income too high',
  })
  expect((await (await as('student.arun')).send('GET', `/api/cases/${application.id}`)).status).toBe(404)
  const reads = await asOwner(
    `select 1 from app.audit_entry where action = 'sensitive.read' and case_id = $1 limit 1`,
    [application.id],
  )
  expect(reads).toHaveLength(1)
})

test('a run takes the month of attendance from the payment criterion', async () => {
  const clerk = await as('ma.welfare')
  const of = await clerk.submit(bursaryInstallment.flow, {
    scheme: await entryOf('bursary/scheme', 'Full'),
    month: '2026-09',
    bank_account: await entryOf('vouchers/bank-account', 'General'),
  })
  const { items } = await clerk.get(`/api/cases/${of.id}/run/lines?limit=100`)
  const included = items.filter(({ state }: { state: string }) => state === 'included')
  expect(included.length).toBeGreaterThan(0)
  const reasons = items.flatMap(({ reason }: { reason: string | null }) => reason ?? [])
  expect(reasons).not.toContain('attendance-missing')
  // The month is free again.
  await clerk.withdraws(of)
  await expectEnded(of)
})
