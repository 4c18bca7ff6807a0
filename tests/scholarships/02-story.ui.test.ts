import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, type Visitor, type Visitors, openBrowser, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { AWARDS, SUBMISSION, aScholarship, anInstalment, desks, entry, paysInstalment } from './scholarship.ts'

const FILE = { mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\n%%EOF\n') }

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const press = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

test('the office calls students, one applies on a phone, and three desks decide', async () => {
  const faculty = await entry('platform/faculty', 'Graduate Studies')
  const scholarship = await aScholarship('EAY', {
    faculty: faculty.id,
    asked_documents: [
      { title: 'Certificate of residence', required: true },
      { title: 'Letter of the Grama Niladhari', required: false },
    ],
  })
  const office = await visitors.arrives()
  await office.signsIn('ma.welfare', `/welfare/scholarship/scholarship-view/${scholarship.id}`)
  await press(office, /^Open for \d+$/)
  await office.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Open for/ })
    .click()
  await reads(office.page, /^Opened for \d+ of \d+; refused: 0$/)
  await looks(office, 'scholarship-called')

  const amaya = await as('student.amaya')
  const called: Case = await until('the student is called', async () => {
    const { items } = await amaya.get(`/api/cases?mine=true&flow=${SUBMISSION}&search=${scholarship.title}`)
    return items[0]
  })
  const { id: task } = await amaya.task(called, desks.apply)
  const student = await visitors.arrives({ width: NARROW })
  await student.signsIn('student.amaya', `/tasks/${task}`)
  const { page } = student
  await page.getByLabel('Family income a year').fill('240000')
  await page.getByLabel('Results (GPA)').fill('3.2')
  await page.getByLabel('District').fill('Kandy')
  await page.locator('.ant-select-item-option').filter({ hasText: 'Kandy' }).click()
  await page.getByLabel('Distance from home, in km').fill('120')
  await page.getByLabel('Siblings at school or university').fill('1')
  // The input of a field that has its file is gone.
  await page.getByText('Letter of the Grama Niladhari').waitFor()
  for (const [place, name] of ['income.pdf', 'results.pdf', 'residence.pdf'].entries()) {
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, ...FILE })
    await page
      .getByRole('button', { name: /^Remove/ })
      .nth(place)
      .waitFor()
  }
  await looks(student, 'scholarship-application')
  await press(student, 'Send')
  await (await as('ma.welfare')).task(called, desks.select)
  const { facts } = await amaya.get(`/api/cases/${called.id}`)
  expect(facts).toMatchObject({
    points: 65,
    pointsIncome: 30,
    pointsResults: 20,
    pointsDistance: 5,
    pointsSiblings: 10,
  })

  await office.goes('/welfare/scholarship/new_scholarships_selections')
  await reads(office.page, new RegExp(`${scholarship.title}: Amaya`))
  await looks(office, 'scholarship-selections')
  await office.goes(`/welfare/scholarship/edit_approve_scholarship/${called.id}`)
  await press(office, 'Select')
  await expectCase(called).toBe('Pending for AR Approval')

  const ar = await visitors.arrives()
  const approvals = `/welfare/scholarship/all_approval_scholarships?search=${called.reference}`
  // Who does not approve sees the case.
  await office.goes(approvals)
  await office.page.getByRole('link', { name: called.reference }).click()
  await office.page.waitForURL(`**/cases/${called.id}`)
  await ar.signsIn('head.welfare', approvals)
  await ar.page.getByRole('link', { name: called.reference }).click()
  await ar.page.waitForURL(`**/welfare/scholarship/scholarships-approve/${called.id}`)
  await ar.page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  await looks(ar, 'scholarship-approval')
  await press(ar, 'Approve')
  const registrar = await visitors.arrives()
  await (await as('registrar')).task(called, desks.awardEAY)
  await registrar.signsIn('registrar', '/welfare/scholarship/eay_awarding')
  await reads(registrar.page, new RegExp(`${scholarship.title}: Amaya`))
  await registrar.goes(`/welfare/scholarship/edit_approve_scholarship/${called.id}`)
  await press(registrar, 'Award')
  await registrar.page.getByLabel('Until month').waitFor()
  await looks(registrar, 'scholarship-awarding')
  await press(registrar, 'Award')
  await expectCase(called).toBe('Done')

  await office.goes(`/welfare/scholarship/submissions?status=Done&search=${called.reference}`)
  await office.page.getByRole('link', { name: called.reference }).waitFor()
  await looks(office, 'scholarship-submissions')
  await office.page.getByRole('link', { name: called.reference }).click()
  await office.page.waitForURL(`**/welfare/scholarship/edit_approve_scholarship/${called.id}`)
  await reads(office.page, 'Done')
  const { items } = await (await as('ma.welfare')).get(`${AWARDS}?filter.scholarship=${scholarship.id}`)
  expect(items).toHaveLength(1)
  await student.goes(`/cases/${called.id}`)
  await reads(page, 'Done')
  await looks(student, 'scholarship-awarded')
  await student.goes('/welfare/scholarship/my_instalments')
  await reads(page, new RegExp(`${scholarship.title} ${items[0].title}`))
  await page.locator('article').getByRole('link', { name: 'My bank account' }).waitFor()
  const run = await anInstalment(scholarship.id)
  await student.opens('/welfare/scholarship/my_instalments')
  const instalment = page.getByRole('listitem').filter({ hasText: scholarship.title }).last()
  await instalment.getByText('Not signed').waitFor()
  await looks(student, 'scholarship-own')
  await instalment.getByRole('button', { name: 'Sign', exact: true }).click()
  await reads(page, 'You have signed')
  await paysInstalment(run)
  await student.opens('/welfare/scholarship/my_instalments')
  await instalment.getByText('Paid · Signed').waitFor()
  await student.picture('scholarship-paid')
  for (const visitor of [office, student, ar, registrar]) expect(visitor.troubles()).toEqual([])
}, 180_000)
