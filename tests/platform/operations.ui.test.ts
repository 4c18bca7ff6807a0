import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { AUDIT, anAudit, desks } from '../audit/audit.ts'
import { openBrowser, type Visitors, reads } from './kit/browser.ts'
import { expectCase } from './kit/expectations.ts'
import { looks } from './kit/looks.ts'
import { asOwner } from './kit/owner.ts'
import { as } from './kit/people.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('an operator finds what is stuck by its cause, resolves one item, and moves a case', async () => {
  const run = randomUUID().replaceAll(/[^a-f]/g, '')
  const asked = await (await as('audit.assistant')).submit(AUDIT, await anAudit())
  await (await as('hod.western-music')).task(asked, desks.giveInformation)
  for (const n of [1, 2])
    await asOwner(`insert into app.incident (id, case_id, kind, message) values ($1, $2, 'mail-to-nobody', $3)`, [
      ...[`mail-to-nobody:${run}:${n}`, asked.id, `nobody to send template ${n} to: ${run}`],
    ])
  const operator = await visitors.arrives()
  const { page } = operator
  await operator.signsIn('system.analyst', '/operations')
  const cause = page.getByRole('listitem').filter({ hasText: run }).first()
  await cause.getByRole('button', { name: 'Show them' }).click()
  await cause.getByText(asked.reference).first().waitFor()
  await looks(operator, 'operations')
  await cause.getByRole('button', { name: 'Mark as handled', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Reason').fill('The unit has no head at present')
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as handled' }).click()
  await cause.getByText('1 of 1 succeeded').waitFor()
  // Also the last of a cause, which disappears with it.
  await cause.getByRole('button', { name: 'Mark all as handled (1)' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('The unit has no head at present')
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as handled' }).click()
  await cause.waitFor({ state: 'hidden' })
  await page.getByRole('region', { name: 'Result' }).getByText(asked.reference).waitFor()

  await page.getByRole('button', { name: 'Move a case' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reference of the case').fill(asked.reference)
  await dialog.getByLabel('Where it is').click()
  await page.getByTitle('Give the information').last().click()
  await dialog.getByLabel('Where it goes').fill('Verify')
  await page.getByTitle('Verify the information').last().click()
  await dialog.getByText(/the case becomes Awaiting verification/).waitFor()
  await looks(operator, 'operations-move')
  await dialog.getByLabel('Reason').fill('The unit has no head at present')
  await dialog.getByRole('button', { name: 'Move it' }).click()
  await reads(page, `${asked.reference} was moved`)
  await expectCase(asked).toBe('awaiting_veri')
  expect(operator.troubles()).toEqual([])
})
