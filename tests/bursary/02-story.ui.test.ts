import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as } from '../platform/kit/people.ts'
import { APPLICATION, SCAN, anApplication, desks, entryOf } from './application.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('the office checks and confirms, a student signs on a phone, and the office finds the recipient', async () => {
  const student = await as('student.fathima')
  const application = await student.submit(APPLICATION, await anApplication(student))

  const office = await visitors.arrives()
  await office.signsIn('ma.welfare', '/welfare/bursary/all-new-applicants')
  await office.page.getByRole('link', { name: application.reference }).click()
  await office.page.waitForURL(`**/welfare/bursary/check-application/${application.id}`)
  await office.page.getByRole('heading', { name: 'Are income and documents of Fathima Nazeer in order?' }).waitFor()
  await looks(office, 'bursary-check')
  await office.page.getByRole('button', { name: 'All in order' }).click()
  await office.page.getByLabel('Verified family income a year').waitFor()
  await office.page.getByRole('button', { name: 'All in order' }).last().click()
  await (await as('head.welfare')).decides(application, 'confirm', {}, desks.confirm)
  await student.task(application, desks.signAgreement)

  const phone = await visitors.arrives({ width: NARROW })
  await phone.signsIn('student.fathima', '/welfare/bursary/Agreement')
  await reads(phone.page, application.reference)
  await looks(phone, 'bursary-agreements')
  await phone.goes('/welfare/bursary/view-application')
  await phone.page.getByRole('link', { name: 'Answer' }).click()
  await phone.page.locator('input[type=file]').setInputFiles(SCAN)
  await phone.page.getByRole('button', { name: /^Remove/ }).waitFor()
  const signed = phone.page.getByLabel('Signed on')
  await signed.fill(day(0).split('-').toReversed().join('/'))
  await signed.press('Enter')
  await looks(phone, 'bursary-signing')
  await phone.page.getByRole('button', { name: 'Sign', exact: true }).click()
  const registrar = await as('head.welfare')
  await registrar.decides(application, 'accept', { from: '2026-01', until: '2026-12' }, desks.accept)
  await expectCase(application).toBe('recipient')

  const { facts } = await student.get(`/api/cases/${application.id}`)
  const recipient = await entryOf('bursary/recipient', encodeURIComponent(facts.recipient))
  await office.goes(`/welfare/bursary/check-Recipient/${recipient}`)
  await office.page.getByRole('heading', { level: 1, name: facts.recipient }).waitFor()
  await office.page.getByRole('link', { name: 'Edit recipient' }).click()
  await office.page.waitForURL(`**/welfare/bursary/edit-Recipient/${recipient}`)
  await office.page.getByLabel('Until month').waitFor()
  await looks(office, 'bursary-edit-recipient')
  for (const visitor of [office, phone]) expect(visitor.troubles()).toEqual([])
}, 120_000)
