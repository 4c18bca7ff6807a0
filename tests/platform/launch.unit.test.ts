import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')

/** Runs `npm test` with these arguments, without npm. */
function npmTest(...args: string[]) {
  const launch = join(root, 'api/platform/supervisor/launch.mjs')
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
