import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import dayjs from 'dayjs'
import { clock } from './kit/clock.ts'
import { expectCase, expectEnded, expectMail } from './kit/expectations.ts'
import { as } from './kit/people.ts'
import { type Product, startProduct } from './kit/product.ts'

const root = join(import.meta.dirname, '../..')
/** What `docs/adding-a-flow.md` walks through, and nothing else. */
const example = join(root, 'docs/adding-a-flow')
const FLOW = 'instruments/instrument-loan'

const before = process.env['PRAKRIYA_TEST_DATA']
const folder = mkdtempSync(join(tmpdir(), 'prakriya-flow-'))
let product: Product

/** Runs a program of the product in the copy; gives what it said when it went wrong, otherwise nothing. */
function run(...command: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? '' : stdout + stderr
}

beforeAll(async () => {
  for (const part of ['api', 'forms', 'processes', 'workers', 'tests/platform/check'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const part of ['engine', 'node_modules', 'package.json', 'web'])
    symlinkSync(join(root, part), join(folder, part))
  cpSync(example, folder, { recursive: true })
  expect(run('api/platform/models/generate.ts', '--check')).toContain(
    'processes/instruments/instrument-loan.generated.ts does not fit its sources: npm run generate',
  )
  expect(run('api/platform/models/generate.ts')).toBe('')
  expect(run('tests/platform/check/main.ts', 'shapes', 'models')).toBe('')
  product = await startProduct({}, folder)
  process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
}, 400_000)

afterAll(async () => {
  if (before === undefined) delete process.env['PRAKRIYA_TEST_DATA']
  else process.env['PRAKRIYA_TEST_DATA'] = before
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the example of the guide is files of forms and processes, and the guide names each of them', () => {
  const files = globSync('*/instruments/*', { cwd: example })
  expect(files.length).toBeGreaterThan(8)
  const guide = readFileSync(join(root, 'docs/adding-a-flow.md'), 'utf8')
  const unnamed = files.filter((file) => !guide.includes(file.replace(/\.(en|si|ta)\.json$/, '.{en,si,ta}.json')))
  expect(unnamed).toEqual([])
})

test('with these files alone the flow is offered, runs over its desk and its timers, and can be rejected and withdrawn', async () => {
  const [student, head] = await Promise.all([as('student.nuwan'), as('hod.western-music')])
  const offered = await student.get('/api/flows')
  expect(offered.items).toContainEqual(
    expect.objectContaining({ flow: FLOW, startPage: `/start/${FLOW}`, title: 'instruments.loan' }),
  )
  const { items } = await student.get('/api/registers/instruments/instrument/items')
  expect(items).toEqual([expect.objectContaining({ title: 'Violin 7' })])
  const asked = { instrument: items[0].id, until: dayjs().add(20, 'day').format('YYYY-MM-DD') }

  const loan = await student.submit(FLOW, asked)
  expect(loan.reference).toMatch(/^IL-\d{4}-000001$/)
  await expectCase(loan).toBe('Requested')
  const { question } = await head.get(`/api/tasks/${(await head.task(loan)).id}`)
  expect(question).toMatch(/^May .+ borrow Violin 7 until /)
  await clock.passes('P10D', loan)
  await expectMail(head).about('instruments.mail.reminder', loan)
  await expectMail(await as('dean.music')).about('instruments.mail.escalation', loan)
  await head.decides(loan, 'approve')
  await expectCase(loan).toBe('Issued')
  await clock.passes('P22D', loan)
  await expectMail(student).about('instruments.mail.due', loan)
  await expectEnded(loan)

  const second = await student.submit(FLOW, asked)
  await head.decides(second, 'reject', { reason: 'It is being repaired.' })
  await expectCase(second).toBe('Rejected')
  const third = await student.submit(FLOW, asked)
  await head.task(third)
  await student.withdraws(third)
  await expectEnded(third)
})
