import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fieldVisit } from '../../processes/field-visits/field-visit.generated.ts'
import { expectAccessible } from '../platform/kit/axe.ts'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { clock } from '../platform/kit/clock.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase, expectEnded } from '../platform/kit/expectations.ts'
import { as, type Case, type Person } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { PIXEL } from '../platform/kit/uploads.ts'

const { flow: FLOW, desks } = fieldVisit
let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

const fits = ({ page }: Visitor) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
const asTyped = (date: string) => date.split('-').toReversed().join('/')
const newest = (who: Person): Promise<Case> =>
  until('the visit', async () => (await who.get(`/api/cases?mine=true&flow=${FLOW}&limit=1`)).items[0])

/** Somebody who opens a task of a visit on their phone. */
async function opens(username: string, of: Case, desk: string): Promise<Visitor> {
  const { id } = await (await as(username)).task(of, desk)
  const phone = await visitors.arrives({ width: NARROW })
  await phone.signsIn(username, `/tasks/${id}`)
  await reads(phone.page, 'Galle')
  expect(await fits(phone)).toBe(true)
  return phone
}

test('on a phone, a lecturer asks for a visit, three desks approve it, and its report is sent and accepted', async () => {
  const lecturer = await as('lecturer.perera')
  const phone = await visitors.arrives({ width: NARROW })
  const { page } = phone
  await phone.signsIn('lecturer.perera', '/welfare/field-visit/request')
  const types = async (label: string, text: string) => {
    await page
      .getByRole('textbox', { name: label })
      .or(page.getByRole('spinbutton', { name: label }))
      .first()
      .fill(text)
    await page.keyboard.press('Tab')
  }
  await page.getByRole('combobox', { name: 'Department' }).fill('Western')
  await page.locator('.ant-select-item-option:visible', { hasText: 'Western' }).first().click()
  await types('Purpose', 'Hear the chamber orchestra rehearse')
  await types('Place', 'Hall de Galle, Galle')
  await types('First day', asTyped(day(10)))
  await types('Last day', asTyped(day(10)))
  await types('Route', '06:00 campus, 09:00 Galle, 18:00 campus')
  await types('Group', 'Western Music, year 2')
  await types('Number of students', '20')
  await types('Number of staff', '3')
  await types('Staff who go along', 'N. Perera, A. Silva')
  await types('Telephone', '0771234567')
  // For a night away the students are named, each with the consent of a parent.
  await page.getByRole('radio', { name: 'Yes' }).first().check()
  await page.getByRole('button', { name: 'Add a student' }).click()
  await page.getByRole('textbox', { name: 'Parent or guardian' }).waitFor()
  expect(await fits(phone)).toBe(true)
  await phone.picture('visit-consents')
  await page.getByRole('radio', { name: 'No', exact: false }).first().check()
  await page.getByRole('radio', { name: 'University vehicle' }).first().check()
  await page.getByRole('button', { name: 'Send' }).click()
  await reads(page, 'Name at least one risk')
  await phone.picture('visit-refused')
  await page.getByRole('button', { name: 'Add a risk' }).click()
  await types('Risk', 'Traffic on the motorway')
  await types('What is done about it', 'One bus with seat belts')
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('visit-request')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/cases\//)
  await reads(page, 'Approve as HOD')
  expect(await fits(phone)).toBe(true)
  await phone.picture('visit-case')

  const of = await newest(lecturer)
  const others: Visitor[] = []
  for (const [username, desk] of [
    ['hod.western-music', desks.approveByHOD],
    ['dean.music', desks.approveByDean],
    ['head.welfare', desks.approveByWelfare],
  ] as const) {
    const decider = await opens(username, of, desk)
    await decider.picture(`visit-${username}`)
    await decider.page.getByRole('button', { name: 'Approve', exact: true }).click()
    others.push(decider)
  }
  await expectCase(of).toBe('Approved')
  const subject = await page.getByRole('heading', { level: 1 }).textContent()
  expect(subject).toMatch(/^Hall de Galle, Galle, \w{3} \d+ \w{3} \d{4}: /)

  // The page of the visit leads to the reservation of a vehicle, whose form it fills in, and says where that stands.
  await phone.opens(`/cases/${of.id}`)
  const offer = page.getByRole('link', { name: 'Reserve a vehicle' })
  await offer.waitFor()
  expect(await fits(phone)).toBe(true)
  await phone.picture('visit-approved')
  await offer.click()
  await page.getByRole('textbox', { name: 'To', exact: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'To', exact: true }).inputValue()).toBe('Hall de Galle, Galle')
  await page.getByRole('combobox', { name: 'Cost centre' }).fill('Western')
  await page.locator('.ant-select-item-option:visible', { hasText: 'Western' }).first().click()
  await types('From', 'Colombo 07')
  await page.getByRole('radio', { name: 'Yes' }).first().check()
  await types('Kilometres', '250')
  expect(await fits(phone)).toBe(true)
  await phone.picture('visit-vehicle')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\/cases\//)
  await reads(page, 'Belongs to')
  await phone.picture('visit-reservation')
  await page.getByRole('link', { name: of.reference }).click()
  await reads(page, 'What belongs to it')
  await page.getByRole('link', { name: /^VR-/ }).waitFor()
  await expectAccessible(page)
  await phone.picture('visit-linked')
  await clock.passes('P11D', of)
  await expectCase(of).toBe('Report Due')

  await phone.opens('/welfare/field-visit/uploading-reports')
  await reads(page, of.reference)
  expect(await fits(phone)).toBe(true)
  await phone.picture('visit-reports')
  const { id } = await lecturer.task(of, desks.sendReport)
  await phone.opens(`/tasks/${id}`)
  await types('Students who took part', '18')
  await types('What was seen and learnt', 'How a conductor marks a score')
  const photo = { name: 'report.png', mimeType: 'image/png', buffer: PIXEL }
  await page.locator('input[type=file]').first().setInputFiles(photo)
  await page.getByRole('button', { name: 'Remove' }).waitFor()
  expect(await fits(phone)).toBe(true)
  await expectAccessible(page)
  await phone.picture('visit-report')
  await page.getByRole('button', { name: 'Send the report' }).click()
  await expectCase(of).toBe('Report Sent')

  const head = await opens('hod.western-music', of, desks.acceptReport)
  await reads(head.page, 'How a conductor marks a score')
  await head.page.getByRole('button', { name: 'Accept' }).waitFor()
  await head.picture('visit-report-read')
  await head.page.getByRole('button', { name: 'Accept' }).click()
  await expectEnded(of)
  await expectCase(of).toBe('Completed')
  expect([phone, head, ...others].flatMap((one) => one.troubles())).toEqual([])
})
