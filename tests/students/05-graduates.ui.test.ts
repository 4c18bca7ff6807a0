import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { randomInt } from 'node:crypto'
import { openBrowser, type Visitor, type Visitors, reads } from '../platform/kit/browser.ts'
import { as, send, type Person } from '../platform/kit/people.ts'

const GRADUATES = '/api/registers/students/graduate/items'
const PUBLIC = '/api/public/registers/students/graduate/items'
/** Distinguishes this run's graduates from those of an earlier one on the same data. */
const run = String(randomInt(100_000, 999_999))
const number = (of: string) => `PA/${run}/${of}`
const named = (of: string) => `Graduate ${run} ${of}`

let visitors: Visitors
let registrar: Visitor
/** The graduate that the registrar has entered. */
let ownEntry: string

beforeAll(async () => {
  visitors = await openBrowser()
  const [ma, ar] = await Promise.all([as('ma.examinations'), as('ar.examinations')])
  const enter = (by: Person, of: string) =>
    by.ok('POST', GRADUATES, {
      data: { ...degree, effective_on: '2025-08-01', registration_no: number(of), name: named(of) },
    })
  const first = async (register: string) => (await ma.get(`/api/registers/${register}/items?inUse=true`)).items[0].id
  const [program, degreeClass, conferment] = await Promise.all(
    ['setup/degree-program', 'platform/degree-class', 'students/conferment'].map(first),
  )
  const degree = { program, class: degreeClass, conferment }
  await enter(ma, 'One')
  await enter(ma, 'Two')
  ownEntry = (await enter(ar, 'Three')).id
  registrar = await visitors.arrives()
  await registrar.signsIn('ar.examinations', `/graduate_lists?search=${run}`)
})
afterAll(() => visitors?.close())
afterEach(() => expect(registrar.troubles()).toEqual([]))

test('many graduates are listed at once, except those that one has entered oneself', async () => {
  const { page } = registrar
  await page.getByRole('link', { name: named('Three') }).waitFor()
  registrar.expects(403, `${GRADUATES}/${ownEntry}/status`)
  for (const which of ['One', 'Two', 'Three'])
    await page.getByRole('checkbox', { name: `Choose ${named(which)}` }).check()
  await page.getByRole('button', { name: 'Set 3 chosen to Listed…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Listed' }).click()
  await reads(page, '2 of 3 are now Listed')
  await page.getByText('Refused: 1').click()
  await reads(page, 'Somebody else must certify your change')
})

test('everybody sees name, programme, class and convocation of those that are listed, and nothing else', async () => {
  const found = async (search: string): Promise<any[]> =>
    (await send('GET', `${PUBLIC}?search=${encodeURIComponent(search)}`)).body.items
  const items = await found(run)
  expect(items.map(({ title }: { title: string }) => title)).toEqual([named('One'), named('Two')])
  expect(Object.keys(items[0].data).toSorted()).toEqual(['class', 'conferment', 'name', 'program'])
  expect(await found(number('One'))).toEqual([])
})

test('a visitor finds them by convocation, and none of those that are not listed', async () => {
  const visitor = await visitors.arrives()
  const { page } = visitor
  await visitor.opens(`/public/graduates?search=${run}`)
  await page.getByRole('heading', { name: named('One') }).waitFor()
  await reads(page, '2 graduates')
  await page.getByRole('combobox', { name: 'Convocation' }).selectOption({ index: 1 })
  await page.getByRole('link', { name: named('Two') }).click()
  await page.getByRole('heading', { name: named('Two'), level: 1 }).waitFor()
  expect(visitor.troubles()).toEqual([])
})
