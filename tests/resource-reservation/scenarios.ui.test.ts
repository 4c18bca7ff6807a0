import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { expectAccessible } from '../platform/kit/axe.ts'
import { openBrowser, type Visitors } from '../platform/kit/browser.ts'
import { as } from '../platform/kit/people.ts'

const MODEL = '/api/studio/models/resource-booking'
const name = `Turned down ${randomUUID()}`

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(async () => {
  await visitors?.close()
  const owner = await as('owner.bookings')
  const { items } = await owner.get(`${MODEL}/scenarios`)
  for (const { id, scenario } of items) if (scenario.name === name) await owner.ok('DELETE', `${MODEL}/scenarios/${id}`)
  await owner.send('DELETE', `${MODEL}/draft`)
})

test('an owner fills in a scenario with the forms of the desks, runs it, and is led to where it diverged', async () => {
  await (await as('owner.bookings')).ok('POST', `${MODEL}/draft`, {})
  const owner = await visitors.arrives()
  const { page } = owner
  await owner.signsIn('owner.bookings', '/studio/resource-booking/draft')
  await page.locator('.djs-hit').first().waitFor({ state: 'attached' })
  await page.getByTitle('Scenarios').click()
  await page.getByRole('button', { name: 'New scenario' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Approval needed').selectOption('Yes')
  await dialog.getByLabel('Booker confirmed').selectOption('Yes')
  await dialog.getByLabel('Booker kind').selectOption('staff')
  await dialog.getByLabel('Recommender needed').selectOption('No')
  await dialog.getByLabel('Event end: how long after the beginning').fill('20')
  await dialog.getByRole('button', { name: 'A desk answers' }).click()
  await dialog.getByLabel('Desk', { exact: true }).selectOption({ value: 'userTask_approveByHead' })
  await dialog.getByLabel('Decision').selectOption({ label: 'Approve' })
  // Workers' answers have labelled fields of the right type, too.
  const answers = async (step: string) => {
    const worker = dialog.getByRole('group', { name: step, exact: true })
    await worker.getByRole('button', { name: 'Say what it answers' }).click()
    return worker
  }
  await (await answers('Measure the notice given')).getByLabel('Notice hours').fill('48')
  await (await answers('Settle the deposit')).getByLabel('Refund due').fill('1250.50')
  await (await answers('Take the new time')).getByLabel('Event end: how long after the answer').fill('3')
  await owner.picture('studio-scenario-answers')
  await dialog.getByRole('button', { name: 'Expect statuses' }).first().click()
  await dialog.getByRole('radio', { name: 'It ends by' }).click()
  await dialog.getByLabel('It ends by', { exact: true }).last().selectOption('Rejected: booker told')
  // On a narrow screen a draft is read-only.
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByText('Not run yet').waitFor()
  await row.getByRole('button', { name: 'Run' }).click()
  await row.getByText('Did not go as expected').waitFor()
  await expectAccessible(page)
  await row.getByRole('button', { name: /^it should end by Rejected: booker told, and waits at/ }).click()
  await page.locator('[data-element-id="endEvent_rejected"].selected').waitFor()
  expect(owner.troubles()).toEqual([])

  const { items } = await (await as('owner.bookings')).get(`${MODEL}/scenarios`)
  const kept = items.find(({ scenario }: { scenario: { name: string } }) => scenario.name === name).scenario
  expect(kept).toMatchObject({
    start: { approvalNeeded: true, bookerConfirmed: true, bookerKind: 'staff', eventEnd: '+P20D' },
    steps: [{ desk: 'userTask_approveByHead', outcome: 'approve' }],
    topics: {
      'resource-reservation.measure-notice': [{ gives: { noticeHours: 48 } }],
      'resource-reservation.settle-deposit': [{ gives: { refundDue: 125_050 } }],
      'resource-reservation.take-new-time': [{ gives: { eventEnd: '+P3D' } }],
    },
    expect: { statuses: { status: ['tentative_booking'] }, end: 'endEvent_rejected' },
  })
})
