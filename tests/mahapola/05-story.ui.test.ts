import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NARROW, type Visitors, openBrowser, reads } from '../platform/kit/browser.ts'
import { expectCase } from '../platform/kit/expectations.ts'
import { looks } from '../platform/kit/looks.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { wordsIn } from '../platform/kit/words.ts'
import { INSTALLMENT, agree, aScheme, anInstallment, desks, lineOf, run, signAll } from './installment.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('the assistant registrar holds a student, a student signs, and the counter records the sheet', async () => {
  const preparer = await as('ma.welfare')
  const scheme = await aScheme(['kavindi', 'tharindu', 'selvi'])
  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  const { id: task } = await (await as('head.welfare')).task(of, desks.decideByAR)

  const registrar = await visitors.arrives()
  await registrar.signsIn('head.welfare', `/tasks/${task}`)
  const { page } = registrar
  await page.getByRole('heading', { name: 'Recipients' }).waitFor()
  await page.getByRole('button', { name: 'Hold back: Kavindi Samaraweera' }).click()
  await page.getByLabel('Reason').fill('Two accounts')
  await page.getByRole('button', { name: 'Hold back', exact: true }).click()
  await reads(page, 'Held back · Two accounts')
  await looks(registrar, 'run-task')
  await until('the line is held', async () => (await lineOf(preparer, of, 'Kavindi')).state === 'held')
  // Two at once, with one reason; the run in the other languages.
  for (const name of ['Kavindi', 'Selvi']) await page.getByRole('checkbox', { name: new RegExp(name) }).check()
  // What is held back is not signed.
  await page.getByRole('button', { name: 'Record 1 signature from the sheet' }).waitFor()
  await page.getByRole('button', { name: 'Hold back the marked lines: 2' }).click()
  await page.getByLabel('Reason').fill('Asked by the bank')
  await page.getByRole('dialog').getByRole('button', { name: 'Hold back the marked lines: 2' }).click()
  await reads(page, 'Not recorded: 1; recorded: 1')
  await reads(page, 'Held back · Asked by the bank')
  await page.getByRole('checkbox', { name: /Selvi/ }).check()
  await page.getByRole('button', { name: 'Release the marked lines: 1' }).click()
  await page.getByLabel('Reason').fill('The account is right')
  await page.getByRole('dialog').getByRole('button', { name: 'Release the marked lines: 1' }).click()
  await until('the line is paid', async () => (await lineOf(preparer, of, 'Selvi')).state === 'included')
  for (const [language, words] of [
    ['si', 'පමණි'],
    ['ta', 'மட்டும்'],
  ] as const) {
    const translated = await visitors.arrives({ language, width: NARROW })
    await translated.signsIn('ma.welfare', `/cases/${of.id}`)
    await translated.page.getByRole('heading', { name: wordsIn(language)('platform.run.title') }).waitFor()
    await reads(translated.page, new RegExp(`${words}$`))
    await looks(translated, `run-case-${language}`)
  }

  const student = await visitors.arrives()
  await student.signsIn('student.tharindu', '/mahapola/student/payment_details')
  await looks(student, 'run-own')
  const own = student.page.getByRole('listitem').filter({ hasText: scheme.name })
  await own.getByRole('button', { name: 'Sign', exact: true }).click()
  await reads(student.page, 'You have signed')

  const counter = await visitors.arrives()
  await counter.signsIn('ma.welfare', `/cases/${of.id}`)
  await counter.page.getByText('Mark all who have not signed').click()
  await counter.page.getByRole('button', { name: /Record \d signatures? from the sheet/ }).click()
  // The line that is held back is not signed from the sheet.
  await until('all others have signed', async () => {
    const { items } = await preparer.get(`/api/cases/${of.id}/run/lines?signature=pending`)
    return items.length === 1 && items[0].state === 'held'
  })
  await looks(counter, 'run-case')
  expect(await run(preparer, of)).toMatchObject({ lines: (await run(preparer, of)).counts.signed })
  for (const visitor of [registrar, student, counter]) expect(visitor.troubles()).toEqual([])
}, 180_000)

test('a head imports attendance, three desks approve, Finance takes the bank file and enters what came back', async () => {
  const preparer = await as('ma.welfare')
  const scheme = await aScheme(['nuwan'], { attended: false })
  const number = `${scheme.name.replace('Scheme ', '')}-0`
  const head = await visitors.arrives()
  await head.signsIn('hod.folk-music', '/registers/mahapola/attendance/import')
  const paste = (line: string) =>
    head.page.getByLabel('Or paste the lines here').fill(`month,recipient,attendance\n${line}`)
  await paste(`${scheme.month},${number},Sometimes`)
  await head.page.getByRole('button', { name: 'Check the file' }).click()
  await reads(head.page, 'There is one mistake in the file. Nothing was added.')
  await paste(`${scheme.month},${number},Present`)
  await head.page.getByRole('button', { name: 'Check the file' }).click()
  await looks(head, 'run-attendance')
  await head.page.getByRole('button', { name: 'Import 1 row' }).click()
  await reads(head.page, '1 row was added')

  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme))
  await signAll(preparer, of)
  await agree(of, { upTo: desks.decideByBursar })
  for (const [username, desk] of [
    ['bursar', desks.decideByBursar],
    ['registrar', desks.decideByRegistrar],
    ['vc', desks.decideByViceChancellor],
  ] as const) {
    const { id } = await (await as(username)).task(of, desk)
    const { page, signsIn } = await visitors.arrives()
    await signsIn(username, `/tasks/${id}`)
    await page.getByText('Rs. 5,050.00').first().waitFor()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await until(`${username} has approved`, async () =>
      (await run(preparer, of)).agreed.some((one: any) => one.desk === desk),
    )
  }
  await expectCase(of).toBe('sent&closed')

  const finance = await visitors.arrives()
  await finance.signsIn('deputy.bursar', `/cases/${of.id}`)
  const [file] = await Promise.all([
    finance.page.waitForEvent('download'),
    finance.page.getByRole('button', { name: 'File for the bank' }).click(),
  ])
  expect(file.suggestedFilename()).toContain('bank-file.csv')
  // A second file could pay everybody twice.
  await finance.page.getByText(/^Taken on /).waitFor()
  await finance.page.getByRole('button', { name: 'File for the bank' }).click()
  await reads(finance.page, /^The file was taken on .* Take it again\?$/)
  await finance.page.getByRole('button', { name: 'Cancel' }).click()
  await finance.page.getByRole('button', { name: 'Returned by the bank: Nuwan Jayawardena' }).click()
  const dialog = finance.page.getByRole('dialog')
  await dialog.getByLabel('Bank reference').fill('R-17')
  await dialog.getByLabel('Reason').fill('The account is closed')
  await dialog.getByRole('button', { name: 'Returned by the bank' }).click()
  await reads(finance.page, 'Returned by the bank · The account is closed')
  await finance.page.getByRole('button', { name: 'History: Nuwan Jayawardena' }).click()
  await finance.page.getByRole('dialog').getByText('The account is closed').waitFor()
  await finance.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await looks(finance, 'run-returned')
  for (const visitor of [head, finance]) expect(visitor.troubles()).toEqual([])
}, 180_000)
