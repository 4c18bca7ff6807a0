import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { medicalCertificate } from '../../processes/medical/medical-certificate.generated.ts'
import { NARROW, openBrowser, reads, type Visitors } from '../platform/kit/browser.ts'
import { day } from '../platform/kit/days.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { asOwner } from '../platform/kit/owner.ts'
import { as } from '../platform/kit/people.ts'

let visitors: Visitors
beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors.close())

test('on a phone a nurse receives a patient with their card, and gives out what a doctor has prescribed', async () => {
  const doctor = await as('doctor.mohan')
  const name = `Counter drug ${Date.now()}`
  const { id: item } = await doctor.ok('POST', '/api/registers/medical/item/items', {
    data: { name, kind: 'drug', unit: 'tablet', least: 5 },
  })
  const { id: patient } = await doctor.ok('POST', '/api/medical/arrivals', { shown: 'SC-2024-000102' })
  const entryOf = (title: string, register: string) =>
    doctor
      .get(`/api/registers/medical/${register}/items?search=${title}`)
      .then(({ items }) => items.find((one: { title: string }) => one.title === title).id)
  const lines = [
    { item, dose: await entryOf('2', 'dose-quantity'), frequency: await entryOf('bd', 'dose-frequency'), days: 3 },
  ]
  const prescription = await doctor.ok('POST', '/api/registers/medical/prescription/items', {
    data: { patient, prescribed_on: '2026-01-05', lines },
  })

  // Nobody has opened it: earlier runs of the file leave nothing open for this nurse.
  await asOwner(`alter table app.record_opening disable trigger append_only`)
  await asOwner(`delete from app.record_opening where item_id = $1 and account_id <> $2`, [patient, doctor.id])
  await asOwner(`alter table app.record_opening enable trigger append_only`)

  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  await visitor.signsIn('nurse.geethani', `/medicalunit/prescriptions/${prescription.id}`)
  await reads(page, 'Part of this record is encrypted and closed')
  await looks(visitor, 'medical-closed')
  await page.getByLabel('Number of the card, or NIC').fill('SC-2024-000101')
  visitor.expects(422, `/api/registers/medical/prescription/items/${prescription.id}/openings`)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await reads(page, 'This is not a number of this person')

  await visitor.goes('/medicalunit/scan_patient')
  await page.getByLabel('Number of the card, or NIC').fill('SC-2024-000102')
  await page.keyboard.press('Enter')
  await reads(page, 'Open for you until')
  await looks(visitor, 'medical-patient')

  await visitor.goes(`/medicalunit/prescriptions/${prescription.id}`)
  await reads(page, 'Only 0 in stock')
  await visitor.goes('/medicalunit/drugs')
  const shelf = page.getByRole('region', { name })
  await shelf.getByRole('button', { name: 'Receive…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Batch number').fill('CT-1')
  await dialog.getByLabel('Last day of use').fill('31/12/2030')
  await dialog.getByLabel('Last day of use').press('Enter')
  await dialog.getByLabel('Units (tablets)').fill('40')
  await dialog.getByLabel('Reason').fill('Delivery note 7')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await shelf.getByText('40 tablets usable').waitFor()
  await looks(visitor, 'medical-stock')

  // Units that are counted away wait for somebody else.
  await shelf.getByRole('button', { name: 'Correct…' }).click()
  await dialog.getByLabel('Units more (or fewer: −) (tablets)').fill('-3')
  await dialog.getByLabel('Reason').fill('Fallen on the floor')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await shelf
    .getByText('Waits for a second person to confirm that 3 tablets are removed: Fallen on the floor')
    .waitFor()
  await looks(visitor, 'medical-stock-waits')
  const second = await visitors.arrives()
  await second.signsIn('doctor.mohan', '/medicalunit/drugs')
  const same = second.page.getByRole('region', { name })
  await same.getByText('wants to remove 3 tablets: Fallen on the floor').waitFor()
  await looks(second, 'medical-stock-confirm')
  // They are not issued meanwhile; what is not removed after all stays, with a reason.
  await same.getByText('37 tablets usable').waitFor()
  await same.getByRole('button', { name: 'Do not remove' }).click()
  const drop = second.page.getByRole('dialog')
  await drop.getByText('The 3 tablets stay in stock').waitFor()
  await drop.getByLabel('Reason').fill('They were in the drawer')
  await looks(second, 'medical-stock-drop')
  await drop.getByRole('button', { name: 'Do not remove' }).click()
  await same.getByText('40 tablets usable').waitFor()
  await same.getByRole('button', { name: 'Movements' }).click()
  await second.page.getByText(/^Not removed by .*: They were in the drawer$/).waitFor()
  await second.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await second.page.getByRole('dialog').waitFor({ state: 'hidden' })
  await same.getByRole('button', { name: 'Correct…' }).click()
  await drop.getByLabel('Units more (or fewer: −) (tablets)').fill('-3')
  await drop.getByLabel('Reason').fill('Fallen on the floor')
  await drop.getByRole('button', { name: 'Save' }).click()
  await same.getByRole('button', { name: 'Take back' }).waitFor()
  await page.reload()
  await shelf.getByRole('button', { name: 'Confirm', exact: true }).click()
  await shelf.getByText('wants to remove').waitFor({ state: 'hidden' })
  await shelf.getByText('37 tablets usable').waitFor()
  expect(second.troubles()).toEqual([])

  await visitor.goes(`/medicalunit/prescriptions/${prescription.id}`)
  await reads(page, '12 tablets')
  await reads(page, '2 · bd · 3 days')
  await looks(visitor, 'medical-dispense')
  // The doctor changes it meanwhile: what was chosen is chosen again, for what it says now.
  await page.getByText('Do not give').click()
  await page.getByLabel(`Why ${name} is not given`).fill('She has some at home')
  const path = `/api/registers/medical/prescription/items/${prescription.id}`
  const { version, data } = await doctor.get(path)
  const shorter = { data: { ...data, lines: [{ ...lines[0], days: 2 }] } }
  await doctor.ok('PUT', path, shorter, { 'if-match': `"${version}"` })
  visitor.expects(409, `/api/medical/prescriptions/${prescription.id}/dispensing`)
  await page.getByRole('button', { name: 'Dispense' }).click()
  await reads(page, 'The prescription or the stock has changed')
  await reads(page, '8 tablets')
  expect(await page.getByRole('radio', { name: 'Give', exact: true }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Dispense' }).click()
  await page.waitForURL('**/medicalunit/prescriptions')
  expect((await doctor.get(`/api/registers/medical/prescription/items/${prescription.id}`)).status).toBe('Dispensed')
  expect(visitor.troubles()).toEqual([])
})

test('on a phone a doctor examines a patient, prescribes with a dose frequency, and certifies days', async () => {
  const [doctor, nurse, student] = await Promise.all([as('doctor.mohan'), as('nurse.geethani'), as('student.selvi')])
  const drug = `Phone drug ${Date.now()}`
  await doctor.ok('POST', '/api/registers/medical/item/items', {
    data: { name: drug, kind: 'drug', unit: 'tablet', least: 5 },
  })
  const visitor = await visitors.arrives({ width: NARROW })
  const { page } = visitor
  const field = (name: string) => page.getByRole('textbox', { name }).or(page.getByRole('spinbutton', { name }))
  const chooses = async (label: string, typed: string) => {
    await page.getByRole('combobox', { name: new RegExp(`^${label}( \\(|$)`) }).fill(typed)
    await page
      .locator('.ant-select-item-option:visible', { hasText: new RegExp(`^${typed}$`) })
      .first()
      .click()
  }
  const dates = async (label: string, date: string) => {
    await field(label).fill(date.split('-').toReversed().join('/'))
    await page.keyboard.press('Tab')
  }
  await visitor.signsIn('doctor.mohan', '/medicalunit/scan_patient')
  await page.getByLabel('Number of the card, or NIC').fill('SC-2024-000102')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'New check-up' }).click()
  await dates('Visited on', day(0))
  await field('Complaint').fill('Fever for two days')
  await field('Temperature (°C)').fill('38.5')
  await chooses('Diagnosis group', 'Respiratory')
  await looks(visitor, 'medical-checkup')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/registers\/medical\/checkup\//)
  await reads(page, 'Fever for two days')

  await visitor.goes('/medicalunit/scan_patient')
  await page.getByLabel('Number of the card, or NIC').fill('SC-2024-000102')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'New prescription' }).click()
  await dates('Prescribed on', day(0))
  await page.getByRole('button', { name: 'Add a drug or item' }).click()
  await chooses('Drug or item', drug)
  await chooses('Dose', '2')
  await chooses('Dose frequency', '8 hrs')
  await field('Days').fill('3')
  await looks(visitor, 'medical-prescribe')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/registers\/medical\/prescription\//)
  await visitor.goes(`/medicalunit/prescriptions/${page.url().split('/').at(-1)}`)
  await reads(page, '2 · 8 hrs · 3 days')
  await reads(page, '18 tablets')
  await looks(visitor, 'medical-prescribed')

  const asked = await student.submit(medicalCertificate.flow, { from: day(-1), until: day(2), purpose: 'classes' })
  await nurse.decides(asked, 'ready')
  await doctor.task(asked, medicalCertificate.desks.certify)
  await visitor.goes(`/medicalunit/certification/${asked.id}`)
  await page.getByRole('button', { name: 'Certify' }).click()
  await dates('Unfit from', day(-1))
  await dates('Unfit until', day(1))
  await looks(visitor, 'medical-certify')
  await page.getByRole('button', { name: 'Certify' }).click()
  await expectCase(asked).toBe('Issued')
  expect(visitor.troubles()).toEqual([])
})
