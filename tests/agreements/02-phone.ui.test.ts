import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { agreementRenewal } from '../../processes/agreements/agreement-renewal.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'

const { flow: FLOW, desks } = agreementRenewal
const AGREEMENTS = '/api/registers/agreements/agreement/items'
const NAME = `Care of the campus trees ${randomInt(100_000, 999_999)}`

let visitors: Visitors
let agreement: { id: string }
beforeAll(async () => {
  ;[visitors, agreement] = await Promise.all([openBrowser(), anEndedAgreement()])
})
afterAll(() => visitors?.close())

const fits = ({ page }: Visitor) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
const asTyped = (date: string) => date.split('-').toReversed().join('/')

/** An agreement in force whose last day was yesterday. */
async function anEndedAgreement(): Promise<{ id: string }> {
  const [ma, ar] = await Promise.all([as('ma.administration'), as('ar.administration')])
  const { type, division } = (await ma.get(`${AGREEMENTS}?limit=1`)).items[0].data
  const period = { from: day(-366), until: day(-1), value: 24_000_000 }
  const parties = { party: 'Green Lanka Nurseries', more_parties: ['Colombo Tree Surgeons'] }
  const about = { number: NAME.slice(-6), name: NAME, type, division, ...parties, ...period }
  const { id } = await ma.ok<{ id: string }>('POST', AGREEMENTS, { data: about })
  return ar.ok('POST', `${AGREEMENTS}/${id}/status`, { status: 'Active' })
}

/** Decides as somebody on their phone: what their desk asks, and the button. */
async function decides(username: string, of: Case, desk: string, button: string): Promise<Visitor> {
  const { id } = await (await as(username)).task(of, desk)
  const phone = await visitors.arrives({ width: NARROW })
  await phone.signsIn(username, `/tasks/${id}`)
  await reads(phone.page, `Shall “${NAME}” with Green Lanka Nurseries be renewed until`)
  expect(await fits(phone)).toBe(true)
  await phone.picture(`agreement-${username}`)
  await phone.page.getByRole('button', { name: button, exact: true }).click()
  return phone
}

const newest = (who: Person): Promise<Case> =>
  until('the renewal', async () => (await who.get(`/api/cases?mine=true&flow=${FLOW}&limit=1`)).items[0])

test('on a phone, an agreement that has ended stands out, and is renewed, approved and entered with its signed copy', async () => {
  const ma = await as('ma.administration')
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  phone.expects(422, '/api/cases')
  await phone.signsIn('ma.administration', '/all_agreements')
  await page
    .getByRole('searchbox')
    .or(page.getByPlaceholder(/Search/))
    .first()
    .fill(NAME)
  await reads(page, 'Has ended')
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await reads(page, 'Colombo Tree Surgeons')
  await phone.picture('agreements')
  await page.getByRole('link', { name: NAME }).first().click()
  await reads(page, 'Has ended')
  await reads(page, 'Colombo Tree Surgeons')
  await phone.picture('agreement')
  expect(await fits(phone)).toBe(true)
  await page.getByRole('link', { name: 'Renew an agreement' }).click()
  await reads(page, NAME)
  const types = async (label: string, text: string) => {
    await page.getByRole('textbox', { name: label }).fill(text)
    await page.getByRole('textbox', { name: label }).press('Tab')
  }
  await types('New period from', asTyped(day(0)))
  await types('New period until', asTyped(day(-10)))
  await types('New value', '260000')
  await types('Why it is renewed', 'Branches fall on the parking ground in each monsoon.')
  await page.getByRole('button', { name: 'Send' }).click()
  await reads(page, 'It must not end before it begins')
  await types('New period until', asTyped(day(365)))
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('agreement-renew')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/cases\//)
  await reads(page, 'Recommend as Assistant Registrar')
  expect(await fits(phone)).toBe(true)
  await phone.picture('agreement-case')

  const of = await newest(ma)
  const deciders = [
    await decides('ar.administration', of, desks.recommendByAr, 'Approve'),
    await decides('bursar', of, desks.checkByBursar, 'Approve'),
    await decides('registrar', of, desks.approveByRegistrar, 'Approve'),
  ]
  await expectCase(of).toBe('Approved')

  const { id } = await ma.task(of, desks.sign)
  await phone.opens(`/tasks/${id}`)
  await page.getByRole('button', { name: 'It is signed' }).click()
  await types('Signed on', asTyped(day(0)))
  const signed = { name: 'signed.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
  await page.locator('input[type=file]').first().setInputFiles(signed)
  await page.getByRole('button', { name: 'Remove' }).waitFor()
  expect(await fits(phone)).toBe(true)
  await phone.picture('agreement-sign')
  await page.getByRole('button', { name: 'It is signed' }).click()
  await expectEnded(of)
  await expectCase(of).toBe('Renewed')
  await phone.opens(`/view_agreement/${agreement.id}`)
  await reads(page, of.reference)
  expect(await page.getByText('Has ended').count()).toBe(0)
  await phone.picture('agreement-renewed')
  expect([...deciders, phone].flatMap((one) => one.troubles())).toEqual([])
})
