import { expect, test } from '@jest/globals'
import { extractText, getDocumentProxy } from 'unpdf'
import { expectCase, expectEnded, expectMail } from '../platform/kit/expectations.ts'
import { day } from '../platform/kit/days.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { bursaryInstallment } from '../../processes/bursary/bursary-installment.generated.ts'
import { uploads } from '../platform/kit/uploads.ts'
import { APPLICATION, SCAN, anApplication, desks, entryOf } from './application.ts'

const today = day(0)

/** How often a sensitive field of a case was read. */
async function readsOf(caseId: string, field: string): Promise<number> {
  const rows = await asOwner(
    `select 1 from app.audit_entry e join app.audit_payload p on p.entry_id = e.id
     where e.action = 'sensitive.read' and e.case_id = $1 and p.payload::text like '%' || $2 || '%'`,
    [caseId, field],
  )
  return rows.length
}

test('an application needs its required document, and ends with an agreement and an entry that the next run pays', async () => {
  const [student, clerk, registrar] = await Promise.all([as('student.imran'), as('ma.welfare'), as('head.welfare')])
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
  const agreement = await student.bytes(`/api/cases/${application.id}/documents/${before.documents[0].id}`)
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(agreement)), { mergePages: true })
  for (const words of ['agreement on the Half Bursary', '2,250.00']) expect(text).toContain(words)
  expect(before.documents).toEqual([expect.objectContaining({ kind: 'bursary/agreement' })])

  const signed = { signed_agreement: await uploads(student, SCAN.name), signed_on: today }
  const tomorrow = { outcome: 'sign', ...signed, signed_on: day(1) }
  const { id: signing } = await student.task(application, desks.signAgreement)
  const early = await student.send('POST', `/api/tasks/${signing}/complete`, { data: tomorrow })
  expect(early.body.errors).toMatchObject([{ field: '/signed_on' }])
  await student.decides(application, 'sign', signed, desks.signAgreement)

  // Once it is accepted, the student is a recipient, and does not withdraw.
  const { id: accepting } = await registrar.task(application, desks.accept)
  const accepted = { outcome: 'accept', from: '2026-02', until: '2026-12' }
  const notBefore = new Date(Date.now() + 50_000).toISOString()
  await registrar.ok('POST', `/api/tasks/${accepting}/complete`, { data: accepted, notBefore })
  await expect(student.withdraws(application)).rejects.toThrow('platform.not-withdrawable')
  await registrar.ok('POST', `/api/tasks/${accepting}/undo`)
  // Who sees the scan stands in the audit trail.
  await registrar.get(`/api/cases/${application.id}`)
  expect(await readsOf(application.id, '/signed_agreement')).toBeGreaterThan(0)
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
  const [student, clerk, registrar] = await Promise.all([as('student.imran'), as('ma.welfare'), as('head.welfare')])
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

test('who receives Mahapola and does not say so is found by the register, before anybody decides', async () => {
  const [student, clerk, registrar] = await Promise.all([as('student.tharindu'), as('ma.welfare'), as('head.welfare')])
  const application = await student.submit(APPLICATION, await anApplication(student))
  const factsSeen = async () => (await clerk.get(`/api/cases/${application.id}`)).facts
  expect(await factsSeen()).toMatchObject({ receivesMahapola: true, receivesScholarship: true })
  await clerk.decides(application, 'check', { verified_income: 20_000_000 }, desks.check)
  await registrar.task(application, desks.confirm)
  expect(await factsSeen()).toMatchObject({ eligibility: 'Not eligible: Mahapola' })
  await registrar.decides(application, 'confirm', {}, desks.confirm)
  await expectEnded(application)
  await expectCase(application).toBe('not eligible')
})

test('what a register says when a desk answers counts, not what it said at the submission', async () => {
  const [student, clerk, registrar] = await Promise.all([as('student.piumi'), as('ma.welfare'), as('head.welfare')])
  const admin = await as('admin')
  const mahapola = await entryOf('mahapola/recipient', 'MP/2025/0010')
  const setStatus = (status: string) =>
    admin.ok('POST', `/api/registers/mahapola/recipient/items/${mahapola}/status`, { status })
  const application = await student.submit(APPLICATION, await anApplication(student))
  await setStatus('Inactive')
  try {
    await clerk.decides(application, 'check', { verified_income: 20_000_000 }, desks.check)
    await registrar.task(application, desks.confirm)
  } finally {
    await setStatus('Active')
  }
  const { facts } = await clerk.get(`/api/cases/${application.id}`)
  expect(facts).toMatchObject({ receivesMahapola: false, eligibility: 'Not eligible: scholarship' })
  await student.withdraws(application)
  await expectEnded(application)
})

test('the demo month shows 120 recipients, and why some of them are not paid', async () => {
  const clerk = await as('ma.welfare')
  const month = '2026-10'
  const of = await until('the demo month is prepared', async () => {
    const { items } = await clerk.get(`/api/cases?flow=${bursaryInstallment.flow}&search=${month}`)
    return items[0]
  })
  const { lines, counts } = await clerk.get(`/api/cases/${of.id}/run`)
  expect({ lines, leftOut: sorted(counts.leftOut) }).toEqual({
    lines: 110,
    leftOut: sorted([
      { reason: 'document-missing', count: 2 },
      { reason: 'other-scheme', count: 3 },
      { reason: 'attendance-too-low', count: 2 },
      { reason: 'attendance-missing', count: 1 },
      { reason: 'no-account', count: 1 },
      { reason: 'account-not-certified', count: 1 },
    ]),
  })
})

/** Counts in the order of their reasons. */
function sorted(counts: { reason: string; count: number }[]): { reason: string; count: number }[] {
  return counts.toSorted((a, b) => a.reason.localeCompare(b.reason))
}

test('a run takes the month of attendance from the payment criterion', async () => {
  const clerk = await as('ma.welfare')
  const of = await clerk.submit(bursaryInstallment.flow, {
    scheme: await entryOf('bursary/scheme', 'Full'),
    month: '2026-11',
    bank_account: await entryOf('vouchers/bank-account', 'General'),
  })
  const { lines, counts } = await clerk.get(`/api/cases/${of.id}/run`)
  expect(lines).toBeGreaterThan(100)
  const reasons = counts.leftOut.map(({ reason }: { reason: string }) => reason)
  expect(reasons).not.toContain('attendance-missing')
  expect(reasons).not.toContain('attendance-too-low')
  // The month is free again.
  await clerk.withdraws(of)
  await expectEnded(of)
})

test('a recipient entered by hand is paid only once a second person has certified the entry', async () => {
  const [clerk, registrar] = await Promise.all([as('ma.welfare'), as('head.welfare')])
  const entries = '/api/registers/bursary/recipient/items'
  const [student] = await asOwner<{ id: string }>(
    `select id from app.register_item where register = 'platform/student' and status = 'active' and id::text not in
       (select data ->> 'student' from app.register_item where register = 'bursary/recipient') order by random() limit 1`,
  )
  const data = {
    ...{ number: `BY-HAND-${Date.now() % 100_000}`, scheme: await entryOf('bursary/scheme', 'Full') },
    ...{ student: student!.id, from: '2026-01', documents_complete: true },
  }
  const { id } = await clerk.ok('POST', entries, { data })
  const status = async () => (await clerk.get(`${entries}/${id}`)).status
  expect(await status()).toBe('To Certify')
  const own = await clerk.send('POST', `${entries}/${id}/status`, { status: 'Active' })
  expect(own.body.code).toBe('platform.certified-by-changer')
  await registrar.ok('POST', `${entries}/${id}/status`, { status: 'Active' })
  expect(await status()).toBe('Active')
  await registrar.ok('POST', `${entries}/${id}/status`, { status: 'Inactive' })
})
