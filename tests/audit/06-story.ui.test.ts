import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { as } from '../platform/kit/people.ts'
import { agree, desks } from './audit.ts'
import { day as inDays } from '../platform/kit/days.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('an auditor opens an audit from a check list, the head answers in the inbox, and the list of audits shows it', async () => {
  const auditor = await visitors.arrives()
  const { page } = auditor
  await auditor.signsIn('audit.assistant', '/audit_view/checklist')
  await reads(page, 'Petty cash and imprests')
  await looks(auditor, 'audit-check-lists')
  await auditor.goes('/audit_view/newaudit')
  const title = `Petty cash ${Date.now().toString(36)}`
  await page.getByLabel('Title').fill(title)
  await page.getByText('Financial', { exact: true }).click()
  await page.getByText('Department', { exact: true }).first().click()
  const choose = async (label: string, words: string) => {
    const field = page.getByRole('combobox', { name: label })
    await field.click()
    await field.fill(words)
    await page.getByTitle(new RegExp(words)).last().click()
  }
  await choose('Department', 'Western')
  const day = async (label: string, at: dayjs.Dayjs) => {
    await page.getByLabel(label, { exact: true }).fill(at.format('DD/MM/YYYY'))
    await page.getByLabel(label, { exact: true }).press('Enter')
  }
  await day('Period from', dayjs(inDays(0)).subtract(60, 'day'))
  await day('Period to', dayjs(inDays(0)).subtract(2, 'day'))
  await choose('Check list', 'Petty cash')
  await page.getByRole('button', { name: 'Add a request' }).click()
  await page.getByLabel('Request, row 1').fill('Petty cash book')
  await looks(auditor, 'audit-form')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.waitForURL(/\/cases\/[0-9a-f-]+/)
  await reads(page, 'Awaiting information')
  const id = /cases\/([0-9a-f-]+)/.exec(page.url())![1]!
  const asked = { id, reference: (await (await as('admin')).get(`/api/cases/${id}`)).reference as string }

  const head = await visitors.arrives()
  const { id: task } = await (await as('hod.western-music')).task(asked, desks.giveInformation)
  await head.signsIn('hod.western-music', `/tasks/${task}`)
  await reads(head.page, 'Petty cash book')
  await head.page.getByRole('button', { name: 'Give the information…' }).click()
  await head.page.getByLabel('Answer, row 1').fill('It is with the Management Assistant.')
  await looks(head, 'audit-information')
  await head.page.getByRole('button', { name: 'Give the information', exact: true }).click()
  await agree(asked, { from: desks.verify })

  await auditor.goes('/audit_view/allaudits')
  await reads(page, asked.reference)
  await looks(auditor, 'audit-list')
  await auditor.goes(`/audit_view/viewaudit/${id}`)
  await reads(page, 'Complete', { exact: true })
  await looks(auditor, 'audit-case')
  expect([...auditor.troubles(), ...head.troubles()]).toEqual([])
})
