import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { giveStatus } from '../platform/kit/owner.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'

const PAGE = '/students/sendPasswordLink'
/** Distinguishes this run's students from those of an earlier one on the same data. */
const run = String(randomInt(100_000, 999_999))
const addressOf = (n: number) => `links.${run}.${n}@students.example.lk`

let visitors: Visitors
let admin: Person
let intake: { id: string; title: string }

beforeAll(async () => {
  ;[visitors, admin] = await Promise.all([openBrowser(), as('admin')])
  const { items } = await admin.get('/api/registers/platform/faculty/items?search=music')
  const intakes = await admin.get('/api/registers/intakes/intake/items?search=2025')
  const programs = await admin.get('/api/registers/setup/degree-program/items?limit=50')
  intake = intakes.items[0]
  for (const [n, status] of [
    [1, 'active'],
    [2, 'active'],
    [3, 'suspended'],
  ] as const) {
    const data = {
      reg_no: `LNK/${run}/${n}`,
      full_name: `Linked ${run} ${n}`,
      nic: `2003${run}${n}0`,
      email: addressOf(n),
      faculty: items[0].id,
      programme: programs.items.find((one: { data: { faculty: string } }) => one.data.faculty === items[0].id).id,
      intake: intake.id,
    }
    const { id } = await admin.ok('POST', '/api/registers/platform/student/items', { data })
    await giveStatus(id, status)
  }
})
afterAll(() => visitors?.close())

const heading = (name: string, { page }: Visitor) => page.getByRole('heading', { name, level: 1 }).waitFor()

test('a lecturer cannot send password links', async () => {
  const lecturer = await visitors.arrives()
  await lecturer.signsIn('lecturer.perera', PAGE)
  await heading('This page is not open to you', lecturer)
  expect(lecturer.troubles()).toEqual([])
})

test('two students are sent a link; of all matching students, inactive ones are skipped by name', async () => {
  const visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.signsIn('admin', PAGE)
  await page.getByRole('searchbox', { name: 'Search' }).fill(`Linked ${run}`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send to all 3 that match' }).waitFor()
  expect(await page.getByRole('checkbox', { name: `Choose Linked ${run} 3` }).isDisabled()).toBe(true)
  for (const n of [1, 2]) await page.getByRole('checkbox', { name: `Choose Linked ${run} ${n}` }).check()
  await expectAccessible(page)
  await visitor.picture('password-links')

  await page.getByRole('button', { name: 'Send password link to 2' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a password link to 2 students?' })
  await dialog.getByRole('button', { name: 'Send password link' }).click()
  await reads(page, '2 students were sent their first link.')
  await page.getByRole('cell', { name: 'Link sent, no password yet' }).nth(1).waitFor()
  for (const n of [1, 2])
    await until(`the mail to student ${n}`, async () => {
      const { items } = await admin.get('/api/mailbox?limit=50')
      return items.find(
        ({ to, template }: any) => template === 'platform.mail.set-password' && to.includes(addressOf(n)),
      )
    })

  await page.getByRole('button', { name: 'Send to all 3 that match' }).click()
  await page
    .getByRole('dialog', { name: 'Send a password link to all 3 students that match?' })
    .getByRole('button', { name: 'Send password link' })
    .click()
  await reads(page, '2 students were sent another link.')
  await reads(page, `Not active: Linked ${run} 3`)
  await visitor.picture('password-links-sent')
  expect(visitor.troubles()).toEqual([])
})

test('the IT unit sees the accounts of one intake, and on a phone', async () => {
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('head.information-technology', `/itunit/viewIntake/${intake.id}`)
  await heading(`Accounts of the intake ${intake.title}`, visitor)
  expect(await page.getByRole('combobox', { name: 'Intake' }).count()).toBe(0)
  const it = await as('head.information-technology')
  const [all, own] = await Promise.all(
    ['', `&intake=${intake.id}`].map((more) => it.get(`/api/students/password-links?limit=1${more}`)),
  )
  expect(own.total).toBeLessThan(all.total)
  await page.getByRole('button', { name: `Send to all ${own.total} that match` }).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill(`Linked ${run}`)
  await page.keyboard.press('Enter')
  await page.getByText(`Linked ${run} 1`).waitFor()
  await visitor.picture('password-links')
  for (const part of ['html', '.ant-table-content'])
    expect(await page.locator(part).evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true)
  await expectAccessible(page)
  expect(visitor.troubles()).toEqual([])
})
