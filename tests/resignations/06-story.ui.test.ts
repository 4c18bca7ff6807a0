import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { readFile } from 'node:fs/promises'
import { openBrowser, type Visitors, reads } from '../platform/kit/browser.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { agree, anEmployee, desks } from './resignation.ts'
import { PIXEL } from '../platform/kit/uploads.ts'
import { day } from '../platform/kit/days.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('an employee resigns in the browser, desks decide, and somebody elsewhere verifies the letter', async () => {
  const employee = await anEmployee()
  const visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn(employee.username, '/employee/resignation')
  await page.getByRole('heading', { name: 'Resignation', exact: true }).waitFor()
  await page.getByText('One month', { exact: true }).click()
  const last = page.getByLabel('Last working day')
  await last.fill(dayjs(day(0)).add(40, 'day').format('DD/MM/YYYY'))
  await last.press('Enter')
  // What is typed while a file is being sent stays.
  const reason = page.getByLabel('Reason')
  let goesOn = () => {}
  const typed = new Promise<void>((settle) => (goesOn = settle))
  await page.route('**/api/files*', async (route) => {
    await typed
    await route.continue()
  })
  await page.locator('input[type=file]').setInputFiles({ name: 'letter.png', mimeType: 'image/png', buffer: PIXEL })
  await reason.fill('I take up a post abroad.')
  goesOn()
  await page.getByRole('button', { name: 'Remove the file letter.png' }).waitFor()
  expect(await reason.inputValue()).toBe('I take up a post abroad.')
  await looks(visitor, 'resignation-form')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.waitForURL(/\/cases\/[0-9a-f-]+/)
  await reads(page, 'Pending Recommendation')
  await looks(visitor, 'resignation-case')
  const id = /cases\/([0-9a-f-]+)/.exec(page.url())![1]!
  const leave = { id, reference: (await employee.get(`/api/cases/${id}`)).reference as string }
  // There can be one at a time: the page says so, and leads to it.
  await visitor.goes('/employee/resignation')
  await reads(page, /^There is a request of yours for this already/)
  await page.getByRole('main').getByRole('link', { name: leave.reference }).click()
  await page.waitForURL(`**/cases/${id}`)
  expect(visitor.troubles()).toEqual([])

  const desk = await visitors.arrives()
  await desk.signsIn('hod.western-music', '/employee/resignation_hod')
  await desk.page
    .getByText(new RegExp(`${employee.username.replace('leaver.', 'Employee ')}`))
    .first()
    .click()
  await desk.page.getByRole('button', { name: 'Recommend', exact: true }).waitFor()
  await looks(desk, 'resignation-desk')
  await desk.page.getByRole('button', { name: 'Recommend', exact: true }).click()
  await agree(leave, { from: desks.recommendByDean })
  await expectCase(leave).toBe('approved by vc')
  await desk.goes('/employee/all_resignations')
  await reads(desk.page, leave.reference)
  await looks(desk, 'resignation-list')
  expect(desk.troubles()).toEqual([])

  await page.reload()
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download.*RL-/ }).click()
  const letter = await readFile(await (await coming).path())
  await looks(visitor, 'resignation-approved')

  const [row] = await asOwner<{ code: string }>('select code from app.document_verification where case_id = $1', [id])
  const elsewhere = await visitors.arrives()
  elsewhere.expects(404, `/api/public/documents/${'0'.repeat(32)}`)
  await elsewhere.opens('/verify')
  await elsewhere.page.getByLabel('Code on the document').fill('0000 '.repeat(8))
  await elsewhere.page.getByRole('button', { name: 'Verify' }).click()
  await reads(elsewhere.page, 'No document with this code')
  await looks(elsewhere, 'verify-unknown')
  await elsewhere.opens(`/verify/${row!.code}`)
  await reads(elsewhere.page, 'This document is genuine and valid')
  const file = elsewhere.page.locator('input[type=file]')
  const choose = (buffer: Buffer) => file.setInputFiles({ name: 'letter.pdf', mimeType: 'application/pdf', buffer })
  await choose(Buffer.concat([letter, Buffer.from(' ')]))
  await reads(elsewhere.page, 'This is not the file that was issued')
  await choose(letter)
  await reads(elsewhere.page, 'This is the file that was issued')
  await looks(elsewhere, 'verify')
  expect(elsewhere.troubles()).toEqual([])
})

test('people outside the register of employees have no menu entry for it, and the page says why', async () => {
  const visitor = await visitors.arrives()
  await visitor.signsIn('student.nuwan', '/employee/resignation')
  await visitor.page
    .getByRole('alert')
    .getByText(/entry of their own in the register/)
    .waitFor()
  expect(await visitor.page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0)
  expect(await visitor.page.getByRole('link', { name: 'Resignation of the employee' }).count()).toBe(0)
  await looks(visitor, 'resignation-refused')
  expect(visitor.troubles()).toEqual([])
})
