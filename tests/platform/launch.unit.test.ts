import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')

/** A clone without `processes`. */
const incomplete = mkdtempSync(join(tmpdir(), 'prakriya-launch-'))
for (const part of ['api', 'forms']) cpSync(join(root, part), join(incomplete, part), { recursive: true })
for (const part of ['engine', 'node_modules', 'package-lock.json', 'package.json'])
  symlinkSync(join(root, part), join(incomplete, part))
afterAll(() => rmSync(incomplete, { recursive: true }))

/** Runs `npm test` with these arguments, without npm. */
function npmTest(...args: string[]) {
  const launch = join(root, 'api/platform/edge/supervisor/launch.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [launch, 'test', ...args], { encoding: 'utf8' })
  return { status, lines: stdout.trim().split('\n'), stderr }
}

test('npm test -- --area selects the tests of that area', () => {
  const folder = join(root, 'tests/vouchers')
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  const { lines } = npmTest('--area', 'vouchers', '--listTests')
  expect(lines.toSorted()).toEqual(files.map((name) => join(folder, name)).toSorted())
})

test('an area without tests is refused in one line that names those with tests', () => {
  const { status, stderr } = npmTest('--area', 'nowhere')
  expect(status).toBe(1)
  expect(stderr).toMatch(/^--area nowhere: it is one of .*\bvouchers\b.*\.\n$/)
})

test('missing generated files are each reported in one line before the tests run', () => {
  const launch = join(incomplete, 'api/platform/edge/supervisor/launch.mjs')
  const { status, stderr } = spawnSync(process.execPath, [launch, 'test', '--listTests'], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual(
    expect.arrayContaining(
      ['processes/platform/topics.generated.json', 'processes/audit/audit.generated.ts'].map(
        (file) => `${file} is missing: run npm run generate`,
      ),
    ),
  )
})

test('a start without a required file is refused in one line, before anything starts', () => {
  const start = join(incomplete, 'api/platform/edge/supervisor/main.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [start], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(
    /^forms\/([\w-]+)\/([\w-]+)\.flow\.json names the process \2, and processes\/\1\/\2\.bpmn is missing\n$/,
  )
})
