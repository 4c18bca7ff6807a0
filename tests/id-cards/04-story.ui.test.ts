import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { duplicateCard } from '../../processes/id-cards/duplicate-card.generated.ts'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Case } from '../platform/kit/people.ts'
import { pictureOfBars } from '../platform/kit/pictures.ts'
import { until } from '../platform/kit/poll.ts'
import { aPdf } from '../platform/kit/uploads.ts'
import { wordsIn } from '../platform/kit/words.ts'

const { flow: FLOW, desks } = duplicateCard
const t = wordsIn('en')
let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('a student asks for a duplicate on a phone; it is approved with others, and handed over by scanning', async () => {
  const [student, ma] = await Promise.all([as('student.yalini'), as('ma.music')])
  const phone = await visitors.arrives({ width: NARROW })
  await phone.signsIn('student.yalini', '/start/id-cards/duplicate-card')
  const { page } = phone
  await page.getByLabel(t('id-cards.field.reason_for')).click()
  await page.locator('.ant-select-item-option').filter({ hasText: 'Damaged' }).click()
  await page.getByLabel(t('id-cards.field.details')).fill('The print has worn off.')
  await reads(page, t('id-cards.field.slip.help'))
  const slip = { name: 'slip.pdf', mimeType: 'application/pdf', buffer: aPdf() }
  await page.locator('input[type=file]').first().setInputFiles(slip)
  await page.getByRole('button', { name: /^Remove/ }).waitFor()
  const paid = page.getByLabel(t('id-cards.field.paid_on'))
  await paid.fill('26/11/2026')
  await paid.press('Enter')
  await page.getByLabel(t('id-cards.field.bank_reference')).fill('DB 7001 5190')
  await looks(phone, 'duplicate-request')
  await page.getByRole('button', { name: t('platform.start.send'), exact: true }).click()
  const of: Case = await until('the request', async () => {
    const { items } = await student.get(`/api/cases?mine=true&flow=${FLOW}`)
    return items.find(({ state }: { state: string }) => state === 'running')
  })

  const affairs = await visitors.arrives()
  await affairs.signsIn('ma.welfare', '/studentaffairs/approveAllDuplicateIDRequests')
  await affairs.page.getByRole('checkbox', { name: /^Select .*Yalini Chandran/ }).check()
  const approve = { name: new RegExp(`^${t('id-cards.outcome.approve')}`) }
  const bar = affairs.page.getByRole('region', { name: 'With what is selected' })
  await bar.getByRole('button', approve).click()
  await affairs.page.getByRole('dialog').getByRole('button', approve).click()
  await expectCase(of).toBe('Approved')
  // Its office finds what is to be printed, and the first cards beside it.
  const printing = await visitors.arrives()
  await printing.signsIn('ma.music', '/ma/viewduplicateIDCardsRequests')
  const row = printing.page.getByRole('row').filter({ hasText: of.reference })
  await row.filter({ hasText: 'Approved' }).filter({ hasText: 'Yalini Chandran' }).waitFor()
  await printing.goes('/ma/printFirstIDCards')
  await printing.page.getByRole('heading', { name: t('id-cards.screen.print-first') }).waitFor()
  expect(await printing.page.getByText(of.reference).count()).toBe(0)
  expect(printing.troubles()).toEqual([])
  await ma.decides(of, 'printed', {}, desks.print)
  await expectCase(of).toBe('Ready to Collect')
  const { facts } = await ma.get(`/api/cases/${of.id}`)

  const counter = await visitors.arrives({ width: NARROW })
  await counter.signsIn('ma.music', '/ma/handOverIDCards')
  await counter.page.getByRole('button', { name: 'Scan with the camera' }).click()
  const bars = { name: 'card.png', mimeType: 'image/png', buffer: await pictureOfBars(facts.cardNumber) }
  await counter.page.getByRole('dialog').locator('input[type=file]').setInputFiles(bars)
  await counter.page.waitForURL(/\/tasks\//)
  await counter.page.getByRole('button', { name: t('id-cards.outcome.collected') }).click()
  await counter.page.getByLabel(t('id-cards.field.scanned')).fill(facts.cardNumber)
  await counter.page.getByText(t('id-cards.identity.passport'), { exact: true }).click()
  await counter.page.getByLabel(t('id-cards.field.identity_number')).fill('N7734121')
  await looks(counter, 'duplicate-hand-over')
  await counter.page
    .getByRole('button', { name: t('id-cards.outcome.collected') })
    .last()
    .click()
  await expectCase(of).toBe('Collected')

  await phone.goes('/student/id_card')
  await reads(page, facts.cardNumber)
  await looks(phone, 'duplicate-own-card')
  for (const visitor of [phone, affairs, counter]) expect(visitor.troubles()).toEqual([])
}, 120_000)
