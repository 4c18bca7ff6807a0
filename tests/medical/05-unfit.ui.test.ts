import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { medicalCertificate } from '../../processes/medical/medical-certificate.generated.ts'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Person } from '../platform/kit/people.ts'

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors.close())

/** A certificate that a doctor has issued; withdrawn by the act that it returns. */
async function certified(who: Person, purpose: 'examination' | 'work'): Promise<() => Promise<unknown>> {
  const [nurse, doctor] = await Promise.all([as('nurse.geethani'), as('doctor.mohan')])
  const asked = await who.submit(medicalCertificate.flow, { from: day(-1), until: day(2), purpose })
  await nurse.decides(asked, 'ready')
  await doctor.decides(asked, 'certify', { unfit_from: day(-1), unfit_until: day(2) })
  await expectCase(asked).toBe('Issued')
  const withdrawal = { data: { reason: 'mistake' } }
  return () => doctor.ok('POST', `/api/cases/${asked.id}/acts/withdraw-certificate`, withdrawal)
}

test('examinations see which students were unfit, personnel which employees, and nobody else sees the page', async () => {
  const withdrawals = [
    await certified(await as('student.tharindu'), 'examination'),
    await certified(await as('lecturer.fernando'), 'work'),
  ]
  try {
    const exams = await visitors.arrives({ width: NARROW })
    await exams.signsIn('ar.examinations', '/medicalunit/unfit')
    await reads(exams.page, 'Certified unfit periods')
    await exams.page.getByText('Tharindu').first().waitFor()
    expect(await exams.page.getByText('An examination').count()).toBeGreaterThan(0)
    expect(await exams.page.getByText('Fernando').count()).toBe(0)
    expect(await exams.page.getByText(/diagnosis|complaint/i).count()).toBe(0)
    await looks(exams, 'medical-unfit')

    const personnel = await visitors.arrives()
    await personnel.signsIn('hr.ar', '/medicalunit/unfit')
    await personnel.page.getByText('Fernando').first().waitFor()
    // Another test makes a certificate of an employee from one of his, which has his name; it is not for an examination.
    expect(await personnel.page.getByText('An examination').count()).toBe(0)

    const administrator = await visitors.arrives()
    await administrator.signsIn('admin', '/medicalunit/unfit')
    await reads(administrator.page, 'This page is not open to you')
    expect(await administrator.page.getByText(/Tharindu|Fernando/).count()).toBe(0)
  } finally {
    for (const withdraws of withdrawals) await withdraws()
  }
})
