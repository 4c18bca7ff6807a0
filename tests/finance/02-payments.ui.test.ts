import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Visitors, openBrowser, reads } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { demoMonthPaid } from './demo.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
  await demoMonthPaid()
})
afterAll(() => visitors?.close())

test('the Bursar finds a student by NIC and prints the statement; the student sees the same', async () => {
  const [entry] = await asOwner(
    `select i.data ->> 'nic' as nic from app.register_item i join app.account a on a.record_id = i.id
     where a.username = 'student.nuwan'`,
  )
  const bursar = await visitors.arrives()
  await bursar.signsIn('bursar', '/students/payments')
  const search = bursar.page.getByLabel('Student: name, registration number or NIC')
  await search.click()
  await search.fill(String(entry!['nic']))
  await bursar.page.getByTitle('Nuwan Jayawardena').click()
  const statement = bursar.page.getByRole('button', { name: 'Statement (PDF)' })
  await statement.waitFor()
  await looks(bursar, 'student-payments')
  const [download] = await Promise.all([bursar.page.waitForEvent('download'), statement.click()])
  expect(download.suggestedFilename()).toMatch(/^student-payments-.*\.pdf$/)

  const reference = bursar.page.getByLabel('Reference begins with')
  await reference.fill('no such reference')
  await reference.press('Enter')
  await reads(bursar.page, 'Nothing to show')
  await reference.fill('mi-')
  await reference.press('Enter')
  await reads(bursar.page, /^MI-/)

  const student = await visitors.arrives({ width: 360 })
  await student.signsIn('student.nuwan', '/students/payments')
  await reads(student.page, 'MI-')
  expect(await student.page.getByLabel('Student: name, registration number or NIC').count()).toBe(0)
  for (const visitor of [bursar, student]) expect(visitor.troubles()).toEqual([])
}, 120_000)
