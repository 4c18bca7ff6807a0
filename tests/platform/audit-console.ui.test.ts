import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { aBooking, aFreeRoom, BOOKING } from '../resource-reservation/booking.ts'
import { openBrowser, type Visitors, reads } from './kit/browser.ts'
import { looks } from './kit/looks.ts'
import { as, type Case } from './kit/people.ts'
import { until } from './kit/poll.ts'

let visitors: Visitors
let booking: Case
beforeAll(async () => {
  const [auditor, student, room] = await Promise.all([as('auditor'), as('student.yalini'), aFreeRoom()])
  const head = await as(room.head)
  booking = await student.submit(BOOKING, aBooking(room))
  await head.decides(booking, 'reject', { reason: 'The piano is being tuned' })
  const decided = `/api/audit/entries?reference=${booking.reference}&action=task.completed`
  await until('the decision is sealed', async () => (await auditor.get(decided)).items.length === 1)
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('an auditor finds who decided, steps through the case, sees that the trail is intact and downloads the dossier', async () => {
  const auditor = await visitors.arrives()
  const { page } = auditor
  await auditor.signsIn('auditor', '/audit_trail')
  await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor()
  await page.getByRole('searchbox', { name: 'Reference begins' }).fill(booking.reference)
  await page.getByRole('searchbox', { name: 'Reference begins' }).press('Enter')
  const decided = page.getByRole('row').filter({ hasText: 'decided: Approve as head' })
  await decided.getByText('as HOD').waitFor()
  await looks(auditor, 'audit-entries')

  await page.getByRole('button', { name: 'Save this search' }).click()
  const name = `Search ${booking.reference}`
  await page.getByLabel('Name of the search').fill(name)
  await page.getByLabel('Name of the search').press('Enter')
  await page.getByRole('link', { name, exact: true }).waitFor()
  await page.getByRole('button', { name: `Delete the search ${name}`, exact: true }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' })

  await decided.getByRole('link', { name: booking.reference }).click()
  const step = page.getByRole('region', { name: 'Step through the case' })
  await step.getByText('decided: Approve as head').waitFor()
  await page.getByRole('heading', { name: 'What was asked for' }).waitFor()
  await page.locator('.djs-shape').first().waitFor()
  await looks(auditor, 'audit-case')
  for (let n = 0; (await step.getByText('sent the request').count()) === 0 && n < 10; n += 1)
    await page.keyboard.press('ArrowLeft')
  await step.getByText('sent the request').waitFor()
  await reads(page, 'Nobody: the system is working')
  expect(await page.getByRole('button', { name: 'Back', exact: true }).isDisabled()).toBe(true)
  await page.keyboard.press('End')
  await reads(page, 'Nobody: it has ended')

  const taken = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Dossier (PDF)' }).click()
  expect((await taken).suggestedFilename()).toBe(`${booking.reference}.pdf`)

  await auditor.goes('/audit_trail?show=record')
  await page.getByRole('button', { name: 'Check now' }).click()
  await reads(page, 'The audit trail is intact')
  await looks(auditor, 'audit-record')
  // A trail that was rewritten, as its own test makes one; here it would be the trail of all other tests.
  await page.route('**/api/audit/chain*', async (route) => {
    const answer = await route.fetch()
    const first = { harm: 'rewritten', sequence: '7', entryId: null, text: 'link 7 differs from its signature' }
    await route.fulfill({ response: answer, json: { ...(await answer.json()), first } })
  })
  await page.getByRole('button', { name: 'Check now' }).click()
  const fault = page.getByRole('alert').filter({ hasText: 'Part of the audit trail was rewritten' })
  await fault.getByText(/link 7 differs from its signature/).waitFor()
  await page.unroute('**/api/audit/chain*')
  const record = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the audit trail' }).click()
  expect((await record).suggestedFilename()).toMatch(/^audit-\d+-\d+\.jsonl$/)
  const reader = await as('auditor')
  const withRegisters = async (): Promise<number> =>
    (await reader.get('/api/audit/entries?action=audit.registers-exported')).items.length
  const before = await withRegisters()
  await page.getByRole('checkbox', { name: 'Include register data' }).check()
  const whole = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the audit trail' }).click()
  await whole
  await until('it is noted as more than the record', async () => (await withRegisters()) > before)
  await auditor.goes('/audit_trail?show=reports&report=skipped-desks')
  await page.getByRole('row').filter({ hasText: booking.reference }).waitFor()
  await auditor.picture('audit-reports')
  expect(auditor.troubles()).toEqual([])
})

test('an administrator requests erasure on a person’s page, and the head of internal audit approves it', async () => {
  const [student, admin, room] = await Promise.all([as('student.arun'), as('admin'), aFreeRoom()])
  const ended = await student.submit(BOOKING, aBooking(room))
  await (await as(room.head)).decides(ended, 'reject', { reason: 'Arun has broken a drum before' })
  await until('the case has ended', async () => (await admin.get(`/api/people/${student.id}/erasure`)).ended > 0)
  const reason = `By letter about ${ended.reference}`
  const { name } = await admin.get(`/api/people/${student.id}`)

  const administrator = await visitors.arrives()
  await administrator.signsIn('admin', `/people/${student.id}`)
  await administrator.page.getByRole('heading', { name: 'Details in the audit trail' }).waitFor()
  await looks(administrator, 'person-erasure')
  await administrator.page.getByRole('button', { name: 'Ask for them to be erased' }).click()
  const dialog = administrator.page.getByRole('dialog')
  await dialog.getByLabel('Type the name').fill('Somebody')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Ask for them to be erased' }).click()
  await dialog.getByText('This is not the name of the person').waitFor()
  await looks(administrator, 'person-erasure-asked-for')
  await dialog.getByLabel('Type the name').fill(name)
  await dialog.getByRole('button', { name: 'Ask for them to be erased' }).click()
  await reads(administrator.page, 'it waits for the head of internal audit')

  const auditor = await visitors.arrives()
  const { page } = auditor
  await auditor.signsIn('auditor', '/audit_trail?show=record')
  const row = page.getByRole('row').filter({ hasText: reason })
  await row.getByText(name, { exact: true }).waitFor()
  await looks(auditor, 'audit-erasures')
  await row.getByRole('button', { name: 'Erase' }).click()
  await reads(page, 'This cannot be undone')
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
  await row.getByText('erased the details of').waitFor()
  await auditor.goes(`/audit_trail?reference=${ended.reference}&action=task.completed`)
  await page.getByRole('cell').getByText('The details were erased').waitFor()
  expect(await page.getByText('Arun has broken a drum before').count()).toBe(0)
  expect([administrator.troubles(), auditor.troubles()]).toEqual([[], []])
})
