import { expect } from '@jest/globals'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { ageOn } from '../../forms/platform/age.ts'
import { type Visitor, reads } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { looks } from '../platform/kit/looks.ts'
import { PDF } from '../platform/kit/uploads.ts'
import { wordsIn } from '../platform/kit/words.ts'

/** Who fills in the record reads Sinhala. */
const say = wordsIn('si')
const says = (key: string, values = {}) => say(`applicant-accounts.${key}`, values)
const field = (form: Locator, name: string) => form.getByLabel(says(`field.${name}`), { exact: true }).first()
const press = (page: Page, key: string, values = {}) =>
  page.getByRole('button', { name: say(key, values), exact: true }).click()

/** Waits for a step, and returns its form. */
async function stepOf(page: Page, step: string): Promise<Locator> {
  const form = page.getByRole('form', { name: says(`step.${step}`) })
  await form.waitFor()
  return form
}

async function fills(form: Locator, answers: Record<string, string>): Promise<void> {
  for (const [name, answer] of Object.entries(answers)) await field(form, name).fill(answer)
}

/** A new row of a step that has rows. */
async function row(form: Locator, rows: string): Promise<Locator> {
  await press(form.page(), `applicant-accounts.add-${rows}`)
  return form.getByRole('group', { name: new RegExp(`^${says(`field.${rows}.row`)} \\d+$`) }).last()
}

/** A date counts once its field is left. */
async function dates(form: Locator, answers: Record<string, string>): Promise<void> {
  for (const [name, answer] of Object.entries(answers)) {
    await field(form, name).fill(answer)
    await form.page().keyboard.press('Tab')
  }
}

async function chooses(form: Locator, name: string, title: string): Promise<void> {
  await field(form, name).click()
  await form.page().keyboard.type(title)
  await form.page().getByTitle(title, { exact: true }).first().waitFor()
  await form.page().keyboard.press('Enter')
}

/** *Save & Next*: says that the step is saved. */
async function saves(visitor: Visitor, step: string): Promise<void> {
  await visitor.picture(`record-${step}`)
  await press(visitor.page, 'platform.steps.save')
  await reads(visitor.page, says(`step.${step}.saved`))
}

async function fillsInBasicInformation(visitor: Visitor): Promise<void> {
  const { page } = visitor
  const form = await stepOf(page, 'basic_information')
  // What the account knows is filled in.
  expect(await field(form, 'full_name').inputValue()).toBe('Kumari Perera')
  await press(page, 'platform.steps.save')
  await reads(page, says('select-option'))
  await reads(page, `${says('group.permanent')}, ${says('field.address_no')}: ${says('field-required')}`)
  await fills(form, { name_with_initials: 'K. Perera' })
  await press(page, 'platform.nic.use')
  await press(page, 'platform.age.use', { age: ageOn(day(0), '1999-11-07') })
  await form.getByRole('radio', { name: says('citizenship.descent') }).check()
  await fills(form, {
    address_no: '21',
    address_street: 'Albert Crescent',
    address_city: 'Kandy',
    address_town: 'Hill',
  })
  await chooses(form, 'address_province', 'Central')
  await chooses(form, 'address_district', 'Kandy')
  await form.getByRole('radio', { name: say('platform.yes') }).check()
  const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#7a1f2b' } })
    .png()
    .toBuffer()
  const image = { name: 'me.png', mimeType: 'image/png', buffer: photo }
  await page.locator('input[type=file]').last().setInputFiles(image)
  await press(page, 'platform.crop.done')
  await page.getByRole('button', { name: say('platform.form.file.remove', { name: 'me.jpg' }) }).waitFor()
  await press(page, 'applicant-accounts.add-link')
  await press(page, 'platform.steps.save')
  await reads(page, says('link-incomplete'))
  await press(page, 'platform.form.remove-row', { row: 1 })
  await looks(visitor, 'record-basic_information')
}

/** Fills in the seven steps of the record in the browser. */
export async function fillsInSteps(visitor: Visitor): Promise<void> {
  const { page } = visitor
  await fillsInBasicInformation(visitor)
  await saves(visitor, 'basic_information')

  const qualifications = await stepOf(page, 'qualifications')
  for (const kind of ['qualification.diploma', 'qualification.bachelor']) {
    const added = await row(qualifications, 'qualifications')
    await field(added, 'qualification.kind').selectOption(says(kind))
    await fills(added, { 'qualification.name': says(kind), institute: 'Academy' })
    await dates(added, { effective_date: '14/05/2018' })
  }
  const scan = { name: 'diploma.pdf', mimeType: 'application/pdf', buffer: PDF }
  await qualifications.locator('input[type=file]').first().setInputFiles(scan)
  await page.getByRole('button', { name: say('platform.form.file.remove', { name: scan.name }) }).waitFor()
  await looks(visitor, 'record-qualifications')
  await saves(visitor, 'qualifications')
  await stepOf(page, 'working_experience')
  await press(page, 'platform.steps.previous')
  await field(await stepOf(page, 'qualifications'), 'qualification.name').waitFor()
  await press(page, 'platform.form.remove-named', { name: `${says('field.qualifications.row')} 2` })
  await saves(visitor, 'qualifications')

  const position = await row(await stepOf(page, 'working_experience'), 'positions')
  await fills(position, { institution: 'School of Music', designation: 'Teacher' })
  await dates(position, { from: '01/06/2020' })
  await saves(visitor, 'working_experience')

  const work = await row(await stepOf(page, 'creative_works'), 'works')
  await fills(work, { 'work.title': 'Raga of the hills', 'work.kind': 'Concert', year: '2023' })
  await saves(visitor, 'creative_works')

  const publication = await row(await stepOf(page, 'research'), 'publications')
  await fills(publication, {
    'work.title': 'On the sitar',
    authors: 'K. Perera',
    published_in: 'Journal',
    year: '2024',
  })
  await saves(visitor, 'research')

  const award = await row(await stepOf(page, 'awards'), 'awards')
  await fills(award, { 'work.title': 'State Award', given_by: 'State', year: '2022' })
  await saves(visitor, 'awards')

  const referees = await stepOf(page, 'referees')
  for (const full_name of ['Sunil Fernando', 'Nimal Silva']) {
    const referee = await row(referees, 'referees')
    await fills(referee, { full_name, designation: 'Professor', address: 'Colombo', email: 's@example.lk' })
    await fills(referee, { contact_no: '0112903903' })
  }
  await looks(visitor, 'record-referees')
  await saves(visitor, 'referees')
}
