import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { INSTALLMENT, aBursary, agree, paying } from './installment.ts'

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('the office prepares a month and enters the signatures, the AR approves on a phone, and Finance takes the file', async () => {
  const bursary = await aBursary(['Anoma Silva', 'Kamala Perera', 'Nimal Fernando'])
  const clerk = await as('ma.welfare')

  const office = await visitors.arrives()
  await office.signsIn('ma.welfare', '/welfare/bursary/all-monthly-installments')
  const { page } = office
  await page.getByRole('main').getByRole('button', { name: 'Monthly installment', exact: true }).click()
  await page.waitForURL(`**/start/${INSTALLMENT}`)
  for (const [label, value] of [
    ['Bursary', bursary.name],
    ['Paid from', 'General'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value)
    await page.locator('.ant-select-item-option').filter({ hasText: value }).first().click()
  }
  await page.getByLabel('Month', { exact: true }).fill(bursary.month)
  await page.keyboard.press('Tab')
  await page.locator('main button[type=submit]').click()
  const of: Case = await until('the run is prepared', async () => {
    const { items } = await clerk.get(`/api/cases?flow=${INSTALLMENT}&search=${encodeURIComponent(bursary.name)}`)
    return items[0]
  })
  await expectCase(of).toBe('ar')

  await office.goes(`/welfare/bursary/bursary-recipients/installment/${of.id}`)
  await reads(page, 'Nimal Fernando')
  await page.getByText('Mark all who have not signed').click()
  await page.getByRole('button', { name: 'Record 3 signatures from the sheet' }).click()
  await until('all have signed', async () => (await clerk.get(`/api/cases/${of.id}/run`)).counts.signed === 3)
  await looks(office, 'bursary-run')
  await office.goes(`/welfare/bursary/all-singed-recipients?scheme=${bursary.id}`)
  await reads(page, 'Kamala Perera')
  await looks(office, 'bursary-signed')

  const { id: task } = await (await as('head.welfare')).task(of, paying.decideByAR)
  const registrar = await visitors.arrives({ width: NARROW })
  await registrar.signsIn('head.welfare', `/tasks/${task}`)
  await reads(registrar.page, 'Rs. 13,500.00')
  await registrar.picture('bursary-run-ar')
  await registrar.page.getByRole('button', { name: 'Approve', exact: true }).click()
  await agree(of, { after: paying.decideByAR })
  await expectCase(of).toBe('sent&closed')

  const finance = await visitors.arrives()
  await finance.signsIn('deputy.bursar', `/welfare/bursary/bursary-recipients/installment/${of.id}`)
  const [file] = await Promise.all([
    finance.page.waitForEvent('download'),
    finance.page.getByRole('button', { name: 'File for the bank' }).click(),
  ])
  expect(file.suggestedFilename()).toContain('bank-file.csv')
  await finance.page.getByText(/^Taken on /).waitFor()
  const lines = (await (await as('deputy.bursar')).bytes(`/api/cases/${of.id}/run/export?sheet=bank-file&format=csv`))
    .toString()
    .trim()
    .split(/\r?\n/)
  expect(lines).toHaveLength(4)
  for (const name of ['Anoma Silva', 'Kamala Perera', 'Nimal Fernando'])
    expect(lines.filter((line) => line.includes(`,${name},4500.00,`))).toHaveLength(1)
  for (const visitor of [office, registrar, finance]) expect(visitor.troubles()).toEqual([])
}, 180_000)
