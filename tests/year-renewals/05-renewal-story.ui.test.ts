import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { yearRenewal } from '../../processes/year-renewals/year-renewal.generated.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { aPdf } from '../platform/kit/uploads.ts'
import { aRequest, aSetup, type Item, putAway, RENEWAL, standsIn, withStatus } from './renewal.ts'
import { day } from '../platform/kit/days.ts'

const { desks } = yearRenewal
const SLIP = { name: 'slip.pdf', mimeType: 'application/pdf', buffer: aPdf() }

let visitors: Visitors
let atOffice: Visitor, atStudent: Visitor, atHead: Visitor
let setup: Item
beforeAll(async () => {
  await standsIn('student.piumi', 2)
  await withStatus('student.piumi', 'suspended')
  const entry = await standsIn('student.nuwan', 2)
  setup = await aSetup(entry, {
    department: entry.data['department'],
    name: `Folk Music, year 2 to 3, ${randomUUID().slice(0, 8)}`,
  })
  visitors = await openBrowser()
  ;[atOffice, atStudent, atHead] = await Promise.all([
    visitors.arrives(),
    visitors.arrives({ width: NARROW }),
    visitors.arrives(),
  ])
})
afterAll(async () => {
  await withStatus('student.piumi', 'active')
  await visitors?.close()
})

const press = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

test('the MA sees who is left out, opens the set-up for the others, and sees it complete', async () => {
  const { page } = atOffice
  await atOffice.signsIn('ma.music', '/ma/setup-year-renewal')
  await page.getByRole('link', { name: setup.title }).waitFor()
  await looks(atOffice, 'renewal-setups')
  // The year in the address must be the set-up's.
  await atOffice.goes(`/ma/view-year-renewal/${setup.id}/2027`)
  await page.getByRole('alert').getByText('Not found').waitFor()
  await atOffice.goes(`/ma/view-year-renewal/${setup.id}/2026`)
  await page.getByRole('heading', { level: 1, name: setup.title }).waitFor()
  await reads(page, 'Nuwan Jayawardena')
  await looks(atOffice, 'renewal-setup')
  await press(atOffice, /^Open for \d+$/)
  await page
    .getByRole('dialog')
    .getByText(/Left out, because they are not active/)
    .waitFor()
  await atOffice.picture('renewal-open')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Open for/ })
    .click()
  await reads(page, /^Opened for \d+ of \d+; refused: 0$/)
  await looks(atOffice, 'renewal-opened')
  expect(atOffice.troubles()).toEqual([])
})

test('the student sees what to pay and by when, sends the slip on a phone, and sees the status', async () => {
  const nuwan = await as('student.nuwan')
  const renewal: Case = await until('it is opened for the student', async () => {
    const { items } = await nuwan.get(`/api/cases?mine=true&flow=${RENEWAL}&search=${encodeURIComponent(setup.title)}`)
    return items[0]
  })
  const { id } = await nuwan.task(renewal, desks.request)
  const { page } = atStudent
  // The start page leads to the case that was opened for its reader.
  await atStudent.signsIn('student.nuwan', '/student/renewal')
  const waits = page.getByRole('region', { name: `(${renewal.reference})` })
  await waits.waitFor()
  await looks(atStudent, 'renewal-waits')
  await waits.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL(`**/tasks/${id}`)
  await page.getByRole('heading', { level: 2, name: 'To fill in' }).waitFor()
  await page.getByRole('heading', { level: 1, name: /Rs\. 2,500\.00/ }).waitFor()
  // The slip takes a while to arrive, and nobody sends the form without it meanwhile.
  const slow = Promise.withResolvers<void>()
  await page.route('**/api/files', async (route) => {
    await slow.promise
    await route.continue()
  })
  await page.locator('input[type=file]').setInputFiles(SLIP)
  await reads(page, 'Uploading slip.pdf')
  await press(atStudent, 'Send')
  const waiting = page.getByText(/still being uploaded/).first()
  await waiting.waitFor()
  slow.resolve()
  await waiting.waitFor({ state: 'detached' })
  await page.unroute('**/api/files')
  await page.getByRole('button', { name: 'Remove the file slip.pdf' }).waitFor()
  const paid = page.getByLabel('Paid on')
  await paid.fill(dayjs(day(0)).format('DD/MM/YYYY'))
  await paid.press('Enter')
  await page.getByLabel('Reference of the bank').fill('BOC 77')
  await looks(atStudent, 'renewal-request')
  await press(atStudent, 'Send')
  await (await as('hod.folk-music')).task(renewal, desks.approveByHead)
  await atStudent.goes(`/cases/${renewal.id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await reads(page, /^Opened by Nadeesha Gamlath/)
  expect(await page.getByText('Corrected', { exact: true }).count()).toBe(0)
  await looks(atStudent, 'renewal-case')
  await atStudent.goes('/view-single-year-renewal')
  await reads(page, renewal.reference)
  await atStudent.goes('/student/renewal')
  await page.getByRole('heading', { level: 1, name: 'Year renewal' }).waitFor()
  await looks(atStudent, 'renewal-start')

  await atHead.signsIn('hod.folk-music', '/hod/year-renewals/')
  await reads(atHead.page, new RegExp(setup.title))
  await looks(atHead, 'renewal-inbox')
  await (await as('hod.folk-music')).decides(renewal, 'approve')
  await (await as('dean.music')).decides(renewal, 'approve')
  await expectCase(renewal).toBe('Approved')
  // It lists students, each with the state of their renewal, or that there is none.
  await atHead.goes('/ssw/view-all-student-list?search=Nuwan')
  const row = atHead.page.getByRole('row', { name: /Nuwan Jayawardena/ })
  await row.getByText('Approved').waitFor()
  await row.getByRole('link', { name: renewal.reference }).waitFor()
  await looks(atHead, 'renewal-list')
  await atHead.goes('/ssw/view-all-student-list?case=none')
  await atHead.page.getByRole('cell', { name: 'None', exact: true }).first().waitFor()
  expect(await atHead.page.getByRole('link', { name: 'Nuwan Jayawardena' }).count()).toBe(0)
  const head = await as('hod.folk-music')
  const list = async (status: string) => {
    const query = `casesOf=${RENEWAL}&caseStatus=${status}&search=Nuwan&limit=100`
    const { items, cases, count } = await head.get(`/api/registers/platform/student/items?${query}`)
    return [items.length, count.value, Object.values<Case>(cases).map(({ reference }) => reference)]
  }
  expect(await list('Approved')).toEqual([1, 1, [renewal.reference]])
  expect(await list('Requested')).toEqual([0, 0, []])
  expect(await list('none')).toEqual([0, 0, []])
  const path = '/api/registers/platform/student/items?casesOf='
  expect((await head.send('GET', `${path}vouchers/payment-voucher`)).status).toBe(404)
  expect((await nuwan.send('GET', `${path}${RENEWAL}`)).status).toBe(404)
})

test('a student with one open set-up finds it selected, and none when there is nothing to request', async () => {
  const only = await aSetup(await standsIn('student.amaya', 2))
  const atOther = await visitors.arrives({ width: NARROW })
  const { page } = atOther
  await atOther.signsIn('student.amaya', '/student/renewal')
  await page.locator('form').getByText(only.title).waitFor()
  const amaya = await as('student.amaya')
  const renewal = await amaya.submit(RENEWAL, await aRequest(amaya, only))
  await page.reload()
  await page.getByRole('heading', { name: 'There is nothing for you to request here now' }).waitFor()
  await page.getByRole('link', { name: new RegExp(renewal.reference) }).click()
  await page.waitForURL(`**/cases/${renewal.id}`)
  await amaya.withdraws(renewal)
  await putAway(only)
  await atOther.goes('/student/renewal')
  await page.reload()
  await page.getByRole('heading', { name: 'There is nothing for you to request here now' }).waitFor()
  await looks(atOther, 'renewal-nothing')
  expect(atOther.troubles()).toEqual([])
})
