import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { registration } from '../../processes/students/registration.generated.ts'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { PDF } from '../platform/kit/uploads.ts'
import { wordsIn } from '../platform/kit/words.ts'

const { flow: FLOW, desks } = registration
const t = wordsIn('en')

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('a new student registers on a phone, the office approves, and the student finds the subjects', async () => {
  const [student, affairs] = await Promise.all([as('student.isuru'), as('head.welfare')])
  const phone = await visitors.arrives({ width: NARROW })
  // What is due stands on the start page before there is a case.
  await phone.signsIn('student.isuru', '/')
  const { page } = phone
  await reads(page, /open until /)
  await looks(phone, 'student-start')
  const open = page.getByRole('link', { name: /open until/ })
  await open.click()
  await page.waitForURL(/\/student\/paymet\/registration/)
  await page.getByLabel(t('students.registration.field.bank_reference')).fill('DB 7001 6099')
  const paid = page.getByLabel(t('students.registration.field.paid_on'))
  await paid.fill('26/11/2026')
  await paid.press('Enter')
  await page.getByRole('checkbox', { name: t('students.registration.field.declaration') }).check()
  await looks(phone, 'registration-start')
  await page.getByRole('button', { name: t('platform.start.send'), exact: true }).click()
  const of: Case = await until('the registration', async () => {
    const { items } = await student.get(`/api/cases?mine=true&flow=${FLOW}`)
    return items[0]
  })

  const { id: sending } = await student.task(of, desks.sendDocuments)
  await phone.goes(`/tasks/${sending}`)
  await page.getByRole('heading', { name: t('students.registration.question.send-documents') }).waitFor()
  const { facts } = await student.get(`/api/cases/${of.id}`)
  const scan = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: PDF }
  for (let at = 0; at < facts.wanted.length; at += 1) {
    await page.locator('input[type=file]').first().setInputFiles(scan)
    const removals = page.getByRole('button', { name: /^Remove/ })
    await until('the file is there', async () => (await removals.count()) === at + 1)
  }
  const second = page.getByLabel(`${t('students.registration.field.choice')}, row 2`)
  // Seen while choosing, with the keyboard too: the places left, and the credits against those of the set-up.
  await reads(page, 'Credits chosen: 18. It must be 20 to 20: choose 2 more.')
  await reads(page, /Places left: \d+ of 30/)
  await second.focus()
  await page.keyboard.press('ArrowUp')
  await reads(page, 'Credits chosen: 20. It must be 20 to 20.', { exact: true })
  await second.selectOption({ label: t('students.registration.choice.take') })
  await looks(phone, 'registration-documents')
  await page.getByRole('button', { name: t('students.registration.outcome.send'), exact: true }).click()

  const { id: check } = await (await as('ma.music')).task(of, desks.checkDocuments)
  const office = await visitors.arrives()
  await office.signsIn('ma.music', `/tasks/${check}`)
  await office.page.getByRole('button', { name: t('students.registration.outcome.approve') }).click()
  await expectCase(of).toBe('Pending Payment Verification')
  await (await as('shroff')).decides(of, 'verify', { receipt_no: 'RC 20499' })
  await affairs.decides(of, 'confirm')
  await expectCase(of).toBe('Registered')

  // The lists of the office: who is registered for what, who studies, and who is not registered yet.
  const { name } = await student.get('/api/me')
  const search = `search=${encodeURIComponent(name)}`
  for (const [list, words] of [
    [`/students/subjects?${search}`, /2027/],
    [`/students/subject-choices?${search}`, /FOM\/2026\/0007/],
  ] as const) {
    await office.goes(list)
    await reads(office.page, new RegExp(name))
    await reads(office.page, words)
  }
  const listed = office.page.waitForResponse((one) => one.url().includes('casesOf='))
  await office.goes(`/ma/student/registrations?${search}`)
  expect((await (await listed).json()).items).toEqual([])
  await office.page.getByRole('heading', { name: t('students.screen.registration-list') }).waitFor()

  expect((await student.get('/api/announcements')).items).toEqual([])
  await phone.goes('/students/my-subjects')
  await page.getByRole('link', { name: '2027' }).first().click()
  await reads(page, /Semester|Credits/)
  await looks(phone, 'registration-subjects')
  for (const visitor of [phone, office]) expect(visitor.troubles()).toEqual([])
}, 120_000)

test('documents to be checked, and those to be checked again, are on one list', async () => {
  const [menaka, sachini, head, ma] = await Promise.all(
    ['student.menaka', 'student.sachini', 'head.welfare', 'ma.music'].map(as),
  )
  const own = async (who: Person): Promise<Case> => (await who.get(`/api/cases?mine=true&flow=${FLOW}`)).items[0]
  const again = await own(menaka!)
  // The other one waits for the first check since it was sent.
  await expectCase(await own(sachini!)).toBe('Pending Approval')
  await head!.decides(again, 'recheck', { reason: 'Is the photograph the right one?' })
  await ma!.task(again, desks.recheckDocuments)
  const office = await visitors.arrives()
  await office.signsIn('ma.music', '/da')
  for (const asked of ['Check the documents again', 'Check documents and subjects'])
    await office.page.getByText(asked).first().waitFor()
  await ma!.decides(again, 'approve', {}, desks.recheckDocuments)
  await expectCase(again).toBe('Pending Confirmation')
  expect(office.troubles()).toEqual([])
})
