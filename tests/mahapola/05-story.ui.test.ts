import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Visitors, openBrowser, reads } from '../platform/kit/browser.ts'
import { looks } from '../platform/kit/looks.ts'
import { as } from '../platform/kit/people.ts'
import { until } from '../platform/kit/poll.ts'
import { INSTALLMENT, aScheme, anInstallment, desks, lineOf, run } from './installment.ts'

let visitors: Visitors

beforeAll(async () => {
  visitors = await openBrowser()
})
afterAll(() => visitors?.close())

test('the assistant registrar holds a student, a student signs, and the counter records the sheet', async () => {
  const preparer = await as('ma.welfare')
  const scheme = await aScheme(['kavindi', 'tharindu', 'selvi'])
  const of = await preparer.submit(INSTALLMENT, await anInstallment(scheme.id))
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
