import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBrowser, type Visitors } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'
import { wordsIn } from '../platform/kit/words.ts'

const t = wordsIn('en')
let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

/** A student who can sign in, with instalments or without. */
async function aStudent(paid: boolean): Promise<string> {
  const [found] = await asOwner<{ username: string }>(
    `select a.username from app.account a join app.register_item i on i.id = a.record_id
     where i.register = 'platform/student' and i.status = 'active' and a.password_hash is not null
       and exists (select from app.run_line l join app.run r on r.case_id = l.case_id
         where l.student_id = i.id and r.state <> 'void') = $1
     order by a.username limit 1`,
    [paid],
  )
  return found!.username
}

test('/qr shows a student each instalment with amount and state, and the code of those to sign for', async () => {
  const username = await aStudent(true)
  const { items } = await (await as(username)).get('/api/me/run-lines')
  expect(items.length).toBeGreaterThan(0)
  const student = await visitors.arrives()
  await student.signsIn(username, '/qr')
  const { page } = student
  const section = page.getByRole('region', { name: t('platform.run.instalments') })
  await section.getByRole('listitem').first().waitFor()
  const lines = await section.getByRole('listitem').allInnerTexts()
  expect(lines).toHaveLength(items.length)
  for (const [index, { scheme, total, state }] of items.entries()) {
    expect(lines[index]).toContain(scheme)
    expect(lines[index]).toContain((total / 100).toLocaleString('en-LK', { minimumFractionDigits: 2 }))
    expect(lines[index]).toContain(t(`platform.run.state.${state}`))
  }
  const toSign = items.filter(({ code }: { code: string | null }) => code !== null)
  expect(await section.getByRole('button', { name: t('platform.run.own-sign') }).count()).toBe(toSign.length)
  expect(await section.locator('.ant-qrcode').count()).toBe(toSign.length)
  for (const part of ['applied', 'awarded', 'account'])
    await page.getByRole('region', { name: t(`platform.run.${part}`) }).waitFor()
  await looks(student, 'qr')
})

test('/qr tells a student without instalments where they will appear, and is for students', async () => {
  const student = await visitors.arrives()
  await student.signsIn(await aStudent(false), '/qr')
  await student.page.getByText(t('platform.run.own-none')).waitFor()
  const staff = await visitors.arrives()
  await staff.signsIn('ma.music', '/qr')
  await staff.page.getByRole('heading', { level: 1 }).waitFor()
  expect(await staff.page.getByRole('region', { name: t('platform.run.instalments') }).count()).toBe(0)
})
