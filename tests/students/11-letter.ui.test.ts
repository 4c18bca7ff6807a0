import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { studentRequest } from '../../processes/students/student-request.generated.ts'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { wordsIn } from '../platform/kit/words.ts'

const t = wordsIn('en')
let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('a student asks for a letter on a phone, opens it, and a stranger verifies it; a suspension ends the session', async () => {
  const student = await as('student.sanduni')
  const phone = await visitors.arrives({ width: NARROW })
  await phone.signsIn('student.sanduni', '/student/request')
  const { page } = phone
  await page.getByLabel(t('students.request.kind')).click()
  await page.locator('.ant-select-item-option').filter({ hasText: 'Letter of registration' }).click()
  await page.getByLabel(t('students.request.details')).fill('For my bank')
  await page.getByText(t('students.request.language.en'), { exact: true }).click()
  await looks(phone, 'letter-request')
  await page.getByRole('button', { name: t('platform.start.send'), exact: true }).click()
  const of: Case = await until('the request', async () => {
    const { items } = await student.get(`/api/cases?mine=true&flow=${studentRequest.flow}`)
    return items[0]
  })
  for (const [username, state] of [
    ['head.welfare', 'Requested'],
    ['registrar', 'Approved'],
  ] as const) {
    await (await as(username)).decides(of, 'approve')
    await expectCase(of).toBe(state)
  }

  await phone.goes(`/cases/${of.id}`)
  await reads(page, /SL-\d{4}-\d{6}/)
  await looks(phone, 'letter-case')
  const { documents } = await student.get(`/api/cases/${of.id}`)
  const pdf = await student.bytes(`/api/cases/${of.id}/documents/${documents[0].id}`)
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const [letter] = await asOwner<{ code: string }>('select code from app.document_verification where case_id = $1', [
    of.id,
  ])
  const stranger = await visitors.arrives({ width: NARROW })
  await stranger.opens(`/verify/${letter!.code}`)
  await reads(stranger.page, t('platform.verify.state.valid'))
  await reads(stranger.page, 'Sanduni Jayasuriya')
  await looks(stranger, 'letter-verified')

  // The student is suspended today: the open page leads to the sign-in.
  const [own] = (await student.get('/api/registers/platform/student/items?mine=true')).items
  const affairs = await as('ma.welfare')
  const propose = (becomes: string) =>
    affairs.submit('intakes/status-change', {
      kind: 'Status',
      becomes,
      faculty: own.data.faculty,
      students: [{ student: own.id }],
      reason: 'Decision 14 of the Board',
      effective_on: day(0),
    })
  const change = await propose('suspended')
  await (await as('ar.music')).decides(change, 'approve')
  await expectCase(change).toBe('In Effect')
  phone.troubles()
  await page.goto('/student/profile')
  await page.waitForURL(/session\/signin/)
  const back = await propose('active')
  await (await as('ar.music')).decides(back, 'approve')
  await expectCase(back).toBe('In Effect')
  expect(stranger.troubles()).toEqual([])
}, 120_000)
