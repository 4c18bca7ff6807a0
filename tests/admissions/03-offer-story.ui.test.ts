import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { entersAt, typesInto } from '../platform/kit/keyboard.ts'
import { looks } from '../platform/kit/looks.ts'
import { as, type Person } from '../platform/kit/people.ts'
import { wordsIn } from '../platform/kit/words.ts'
import { type Admission, anAdmission, expectStatus, mailTo, tokenIn } from './offers.ts'

/** Who answers reads Tamil. */
const says = wordsIn('ta')

let visitors: Visitors
let atOffice: Visitor, atPhone: Visitor
let office: Person
let selvi: Admission
/** Names of this run alone. */
const run = Date.now().toString(36)
const [SELVI, NUWAN] = [`N. Selvi ${run}`, `M. Nuwan ${run}`]
beforeAll(async () => {
  office = await as('ma.examinations')
  ;[selvi] = await Promise.all([
    anAdmission(office, SELVI, 'Tamil'),
    anAdmission(office, NUWAN, 'English', { answer_by: '2020-01-01' }),
  ])
  visitors = await openBrowser()
  ;[atOffice, atPhone] = await Promise.all([visitors.arrives(), visitors.arrives({ width: NARROW, language: 'ta' })])
})
afterAll(() => visitors?.close())

const button = ({ page }: Visitor, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const heading = ({ page }: Visitor, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('the office sends offers from the list, one answers on a phone, and the list shows it', async () => {
  const { page } = atOffice
  await atOffice.signsIn('ma.examinations', `/admission?search=${run}&status=Selected`)
  for (const name of [SELVI, NUWAN])
    await page
      .getByRole('checkbox', { name: `Choose ${name}` })
      .first()
      .check()
  await button(atOffice, 'Offer of admission: 2 chosen…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 of 2 get this mail').waitFor()
  await dialog.getByText(`அன்புள்ள ${SELVI}`).waitFor()
  await dialog.getByText('The last day for the answer is over').waitFor()
  await looks(atOffice, 'admission-offer-preview')
  await button(atOffice, 'Send to 1').click()
  await dialog.waitFor({ state: 'hidden' })
  await reads(page, 'Sent to 1 of 1; refused: 0')
  await atOffice.picture('admission-offers-sent')

  const token = tokenIn(await mailTo(selvi, 'admissions.mail.offer'))
  await atPhone.opens(`/answer/${token}`)
  await heading(atPhone, says('admissions.ask.offer', { programme: 'BPA in Western Music' })).waitFor()
  await atPhone.picture('admission-answer')
  // By keyboard alone.
  const [accept, decline] = ['accept', 'decline'].map((one) => button(atPhone, says(`admissions.outcome.${one}`)))
  await entersAt(decline!)
  await typesInto(atPhone.page.getByLabel(says('admissions.offer-answer.reason')), 'I have another place')
  await entersAt(button(atPhone, says('platform.answer.back')))
  await entersAt(accept!)
  await reads(atPhone.page, says('platform.answer.confirm'))
  await looks(atPhone, 'admission-answer-confirm')
  await entersAt(accept!)
  await heading(atPhone, says('platform.answer.done')).waitFor()
  atPhone.expects(410, `/api/public/answers/${token}`)
  await atPhone.opens(`/answer/${token}`)
  await heading(atPhone, says('platform.answer.given')).waitFor()
  await reads(atPhone.page, says('admissions.outcome.accept'))

  await expectStatus(office, selvi, 'Accepted')
  await atOffice.goes(`/admission?search=${encodeURIComponent(selvi.number)}`)
  await page.getByRole('row').getByText('Accepted').waitFor()
  await page.getByRole('link', { name: SELVI }).click()
  await page.getByRole('link', { name: /^Offer of admission OFR-/ }).click()
  await reads(page, 'Answered by the link')
  await atOffice.picture('admission-offer-case')
  expect([...atOffice.troubles(), ...atPhone.troubles()]).toEqual([])
})
