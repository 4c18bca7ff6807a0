import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { demonstrated } from './kit/global-setup.ts'
import { signIn } from './kit/people.ts'
import { type Product, startProduct } from './kit/product.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['README.md', 'CONTRIBUTING.md', 'docs/performance.md'].map((file) =>
  readFileSync(join(root, file), 'utf8'),
)
const folder = mkdtempSync(join(tmpdir(), 'prakriya-commands-'))
const shared = process.env['PRAKRIYA_TEST_DATA']

/** How to run a command of these pages at its smallest size, and the output that shows that it worked. */
interface Run {
  command: string
  more?: string[]
  /** The exit code; 0 by default. */
  code?: number
  says: RegExp
}

// A product already runs on this data folder, so a start is refused after reading its settings.
const refusedStart = { code: 1, says: /^Prakriya already runs on this data folder/m }
const runs: Run[] = [
  { command: 'npm start -- --port 8080', ...refusedStart },
  {
    command: 'npm start -- --reset',
    code: 1,
    says: /^--reset deletes all data; where nobody can be asked, add --yes/m,
  },
  { command: 'npm run dev', ...refusedStart },
  // Loads all imports but runs no test: those download a Keycloak.
  { command: 'npm run test:keycloak', more: ['-t', 'no test is called so'], says: /\d+ skipped, \d+ total/ },
  { command: 'npm run generate', says: /^nothing to write: every generated file fits its sources$/m },
  // Run literally: it refuses to write into an area of this name.
  { command: 'npm run new -- flow AREA NAME', code: 1, says: /^AREA is no name: use small letters/m },
  // One step of those that `.ci/run` runs.
  { command: 'npm run check', more: ['environment'], says: /✓ environment/ },
  { command: 'npm run inbox -- check', says: /^\d+ running cases: 0 differed/m },
  { command: 'npm run inbox -- rebuild', says: /^\d+ running cases: 0 differed/m },
  { command: 'npm run keys -- status', says: /^first: \d+ versions of entries, encrypts$/m },
  { command: 'npm run keys -- rotate', says: /^first: \d+ versions of entries, encrypts$/m },
  { command: 'npm run keys -- lost NAME', code: 1, says: /^WARNING: once NAME is declared lost/m },
  { command: 'npm run audit:verify -- FILE', says: /^Audit trail intact/m },
  // Backing up and restoring have a test of their own; the folder of a running product is not empty.
  { command: 'npm run backup', more: [join(folder, 'audit.jsonl')], code: 1, says: /audit\.jsonl exists already/m },
  { command: 'npm run restore -- FILE', code: 1, says: /is not empty\. Move it away/m },
  // Before later commands insert inbox rows that no engine knows.
  {
    command: 'npm run faults -- kill-random',
    more: ['--requests', '1', '--kills', '1'],
    says: /^PASSED: 1 of 1 requests/m,
  },
]
/** Measurements run at their smallest size one after the other in one process, which saves starting each. */
const benches = [
  'start-to-visible',
  'complete-tput',
  'booking-tput',
  'booking-race',
  'batch-renewal',
  'ux',
  'students',
  'studio',
  'studio-large',
  'sse',
  'proof',
  'authorise',
  'sign-in',
  'audit-search',
  'inbox-flat',
  'inbox-filter',
  'inbox-fanout',
  'worker-tput',
  'memory',
  'profile-decision',
  'growth',
  'run-preparation',
  'run-operations',
  'closing-hour',
  'stock',
]
/**
 * One starts the product three times; starting is tested by the tests of the supervisor. The other downloads its
 * program.
 */
const leftOut = ['cold-start', 'lighthouse']

/** The commands of the tables as written: `… check` or `rebuild` are two. */
function commandsOfPages(): string[] {
  const rows = pages.flatMap((page) => page.split('\n')).filter((line) => line.startsWith('| `npm '))
  return rows.flatMap((row) => {
    const [first, ...others] = [...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
    return [first!, ...others.map((other) => first!.replace(/\S+$/, other))]
  })
}

let product: Product | undefined
beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'warn', TRUST_PROXY: 'loopback' })
  process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
  await demonstrated()
  const auditor = await signIn('auditor')
  writeFileSync(join(folder, 'audit.jsonl'), await auditor.bytes('/api/audit/export'))
  writeFileSync(join(folder, 'audit-key.pem'), await auditor.bytes('/api/audit/key'))
}, 400_000)
afterAll(async () => {
  process.env['PRAKRIYA_TEST_DATA'] = shared
  await product?.stop()
  rmSync(folder, { recursive: true })
})

test('each command in README, CONTRIBUTING and performance has a smallest size here, and no other has', () => {
  const here = [
    ...runs.map(({ command }) => command),
    ...[...benches, ...leftOut].map((name) => `npm run bench -- ${name}`),
  ]
  expect(commandsOfPages().toSorted()).toEqual(here.toSorted())
})

test.each(runs)(
  '$command starts and works at its smallest size',
  async ({ command, more = [], code = 0, says }) => {
    const [program, ...given] = command.replace('FILE', join(folder, 'audit.jsonl')).split(' ')
    const parameters = more.length > 0 && !given.includes('--') ? [...given, '--', ...more] : [...given, ...more]
    const answer = await ended(program!, parameters)
    expect({ ...answer, command }).toEqual({ command, code, printed: expect.stringMatching(says) })
  },
  200_000,
)

test('each measurement starts and works at its smallest size', async () => {
  const { code, printed } = await ended('npm', ['run', 'bench', '--', ...benches, '--quick'])
  const titles = printed.split('\n').flatMap((line) => benches.find((name) => line.startsWith(`${name}: `)) ?? [])
  const ran = printed.match(/It runs; at this size the figures say nothing/g)?.length
  expect({ code, titles, ran, printed: code === 0 ? '' : printed }).toEqual({
    code: 0,
    titles: benches,
    ran: benches.length,
    printed: '',
  })
}, 400_000)

/** Runs a program as a reader would; returns its output. */
function ended(program: string, parameters: string[]): Promise<{ code: number | null; printed: string }> {
  const child = spawn(program, parameters, {
    cwd: root,
    env: { ...process.env, PRAKRIYA_DATA: product!.dataDir, FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()))
  return new Promise((settle, fail) => {
    child.once('error', fail)
    child.once('close', (code) => settle({ code, printed }))
  })
}
