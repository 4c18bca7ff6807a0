import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { statusChange } from '../../processes/intakes/status-change.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { wordsIn } from '../platform/kit/words.ts'

const t = wordsIn('en')
/** Distinguishes this run's students from those of an earlier one on the same data. */
const run = String(randomInt(100_000, 999_999))

let visitors: Visitors
let affairs: Person
let intake: string
/** An intake of more students than a page shows at first. */
let large: string
const MANY = 60
beforeAll(async () => {
  const admin = await as('admin')
  ;[visitors, affairs] = await Promise.all([openBrowser(), as('ma.welfare')])
  const years = await admin.get('/api/registers/year-renewals/academic-year/items?search=2027')
  const begins = async (name: string) => {
    const data = { name: `${name} ${run}`, academic_year: years.items[0].id, starts_on: '2027-01-05' }
    return (await admin.ok('POST', '/api/registers/intakes/intake/items', { data })).id as string
  }
  ;[intake, large] = [await begins('Some'), await begins('Many')]
  const line = (n: number, faculty: string) =>
    `SOME/${run}/${n},Some ${run} ${n},2006${run}0${n},some.${run}.${n}@students.example.lk,${faculty},${faculty === 'FOM' ? 'Western Music' : 'Painting'},active`
  const csv = [
    'reg_no,full_name,nic,email,faculty,programme,status',
    ...[line(1, 'FOM'), line(2, 'FOM'), line(3, 'FVA')],
  ].join('\n')
  const imports = '/api/registers/platform/student/imports'
  expect(await admin.ok('POST', imports, { csv, fill: { intake }, commit: true })).toMatchObject({ added: 3 })
  const rows = Array.from(
    { length: MANY },
    (_, n) =>
      `MANY/${run}/${n},Many ${run} ${n},2006${run}${10 + n},m.${run}.${n}@students.example.lk,FVA,Painting,active`,
  )
  const all = ['reg_no,full_name,nic,email,faculty,programme,status', ...rows].join('\n')
  expect(await admin.ok('POST', imports, { csv: all, fill: { intake: large }, commit: true })).toMatchObject({
    added: MANY,
  })
})
afterAll(() => visitors?.close())

test('on a phone student affairs choose two of three students, confirm, and propose their suspension', async () => {
  const office = await visitors.arrives({ width: NARROW })
  const { page } = office
  await office.signsIn('ma.welfare', `/intake/studentlist/${intake}`)
  const title = t('intakes.status-change')
  // All that match are offered with their number, before somebody is chosen.
  await page.getByRole('button', { name: `${title}: all 3 that match…` }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByText('2 requests, for 3 of 3:').waitFor()
  await dialog.getByRole('button', { name: t('platform.cancel') }).click()
  await dialog.waitFor({ state: 'hidden' })
  for (const n of [1, 2]) await page.getByRole('checkbox', { name: `Choose Some ${run} ${n}` }).check()
  await looks(office, 'students-chosen')
  await page.getByRole('button', { name: `${title}: 2 chosen…` }).click()
  await dialog.getByText('One request, for 2 of 2:').waitFor()
  await dialog.getByText('Faculty of Music · Active').waitFor()

  // What is missing is named first.
  const send = dialog.getByRole('button', { name: 'Send for 2…' })
  await send.click()
  await reads(page, t('platform.field-required'))
  await dialog.getByRole('radio', { name: t('intakes.kind.status') }).check()
  await dialog.getByRole('radio', { name: 'Suspended' }).check()
  await dialog.getByRole('textbox', { name: t('intakes.field.change-reason') }).fill('Decision 32 of the Senate')
  const from = dialog.getByLabel(t('intakes.field.effective_on'))
  await from.fill(day(30).split('-').toReversed().join('/'))
  await from.press('Tab')
  await expectAccessible(page)
  await looks(office, 'students-change')
  await send.click()
  const question = page.getByRole('dialog', { name: `${title}: send it for 2?` })
  await question.getByText('One request is sent').waitFor()
  await looks(office, 'students-change-question')
  await question.getByRole('button', { name: t('platform.gather.send'), exact: true }).click()

  await dialog.getByText('One request was sent').waitFor()
  await looks(office, 'students-change-sent')
  await dialog.getByRole('link', { name: /^STC-/ }).click()
  await page.waitForURL(/\/cases\//)
  const id = page.url().split('/cases/')[1]?.split('?')[0]
  const { data, status } = await affairs.get(`/api/cases/${id}`)
  expect([status.key, data.students.length, data.reason]).toEqual(['Proposed', 2, 'Decision 32 of the Senate'])
  expect(data).toMatchObject({ kind: 'Status', becomes: 'suspended', effective_on: day(30) })
  expect(office.troubles()).toEqual([])
}, 120_000)

test('who is refused can be left out, and what was typed stays', async () => {
  const office = await visitors.arrives()
  const { page } = office
  await office.signsIn('ma.welfare', `/intake/studentlist/${intake}`)
  const title = t('intakes.status-change')
  await page.getByRole('checkbox', { name: `Choose Some ${run} 3` }).check()
  await page.getByRole('button', { name: `${title}: 1 chosen…` }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByRole('radio', { name: t('intakes.kind.status') }).check()
  await dialog.getByRole('radio', { name: 'Active', exact: true }).check()
  const reason = dialog.getByRole('textbox', { name: t('intakes.field.change-reason') })
  await reason.fill('Decision 33 of the Senate')
  const from = dialog.getByLabel(t('intakes.field.effective_on'))
  await from.fill(day(30).split('-').toReversed().join('/'))
  await from.press('Tab')
  office.expects(422, `/api/gathered-cases/${statusChange.flow}`)
  await dialog.getByRole('button', { name: 'Send for 1…' }).click()
  const question = page.getByRole('dialog', { name: `${title}: send it for 1?` })
  await question.getByRole('button', { name: t('platform.gather.send'), exact: true }).click()
  await dialog.getByText(t('intakes.already-so')).waitFor()
  await dialog.getByRole('button', { name: t('platform.gather.leave-out') }).click()
  await dialog.getByText(t('platform.entries-none')).waitFor()
  expect(await reason.inputValue()).toBe('Decision 33 of the Senate')
  expect(await dialog.getByRole('button', { name: 'Send for 0…' }).isDisabled()).toBe(true)
  expect(office.troubles()).toEqual([])
})

test('the students of an intake are exported with those that the page has not loaded', async () => {
  const office = await visitors.arrives()
  const { page } = office
  await office.signsIn('ma.welfare', `/intake/studentlist/${large}`)
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split(/\r?\n/)
  expect(lines).toHaveLength(1 + MANY)
  expect(new Set(lines.slice(1).map((line) => /Many \d+ \d+/.exec(line)?.[0])).size).toBe(MANY)
  expect(lines.slice(1).every((line) => line.includes('Faculty of Visual Arts'))).toBe(true)
  expect(office.troubles()).toEqual([])
})
