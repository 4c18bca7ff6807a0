import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Product, startProduct } from './kit/product.ts'

const root = join(import.meta.dirname, '../..')
const tutorial = readFileSync(join(root, 'docs/adding-a-flow.md'), 'utf8')
/** The check's steps that concern a flow. The per-file tools below run only on the new files. */
const STEPS = ['environment', 'shapes', 'models', 'wiring', 'generated', 'translations']

/** The desks of a second flow of the same area; the same role twice, and one without a unit. */
const CHAIN = 'HOD@department, Dean@faculty=Recommended by HOD, HOD@department=Recommended by Dean, Registrar'

/** Text written before the second flow was added. */
const OWN_WORDS = '# Sketch books\n'

const before = process.env['PRAKRIYA_TEST_DATA']
const folder = mkdtempSync(join(tmpdir(), 'prakriya-flow-'))
const made: string[] = []
let product: Product | undefined

/** The output of a program in the copy, without times and colours, sorted because two steps run at a time. */
function run(...command: string[]): string[] {
  const env = { ...process.env, ...(product && { PRAKRIYA_TEST_DATA: product.dataDir }) }
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8', env })
  const lines = stripVTControlCharacters(`${stdout}\n${stderr}`).split('\n')
  return sorted(lines.map((line) => line.replace(/ +\d+\.\d s$/, '')))
}

function sorted(lines: string[]): string[] {
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .toSorted()
}

const npm = (...args: string[]) => run('api/platform/edge/supervisor/launch.mjs', ...args)

/** Does what one line of the tutorial says. */
function follow(line: string): string[] {
  const [program, ...args] = line.split(' ')
  if (program === 'cp') {
    cpSync(join(folder, args[0]!), join(folder, args[1]!, args[0]!.split('/').at(-1)!))
    return []
  }
  const [, command, , ...rest] = args
  return npm(command!, ...rest)
}

/** The blocks of the tutorial: a file with its content or an addition, commands, or their output. */
const blocks = [...tutorial.matchAll(/(?:`([^`\n]+)` (holds now|gets):\n\n)?```(\w*)\n([^]*?)```/g)].map(
  ([, file, verb, language, content]) => ({ file, verb, language, content: content! }),
)
const printed = (index: number) => (blocks[index + 1]?.language === '' ? blocks[index + 1]!.content.split('\n') : [])
/** The position of each command. */
const indexOf = (command: string) => blocks.findIndex(({ content }) => content.trim() === command)

/** The output of commands in the tutorial, and the actual output. */
const outcomes: { commands: string; says: string[]; prints: string[] }[] = []

beforeAll(async () => {
  const copied = ['api', 'docs', 'forms', 'processes', 'workers', 'web', 'tests/platform', 'tests/jest.config.mjs']
  const dist = join(root, 'web/dist')
  for (const part of copied)
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => path !== dist })
  const linked = ['engine', 'node_modules', 'package.json', 'package-lock.json', 'tsconfig.json', 'web/dist']
  for (const part of [...linked, '.oxfmtrc.json']) symlinkSync(join(root, part), join(folder, part))
  for (const [index, { file, verb, language, content }] of blocks.entries()) {
    if (index === indexOf('npm test -- --area costumes')) break
    if (file) {
      const path = join(folder, file)
      const present = verb === 'gets' ? (JSON.parse(readFileSync(path, 'utf8')) as object) : {}
      const text = verb === 'gets' ? JSON.stringify({ ...present, ...JSON.parse(content) }, null, 2) : content
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      if (verb === 'holds now') made.push(file)
    }
    if (language === 'sh')
      outcomes.push({
        commands: content,
        says: sorted(printed(index)),
        prints: sorted(content.trim().split('\n').flatMap(follow)),
      })
  }
  npm('new', 'flow', 'sketch-books', 'paper-request')
  writeFileSync(join(folder, 'processes/sketch-books/README.md'), OWN_WORDS)
  npm('new', 'flow', 'sketch-books', 'easel-request', '--desks', CHAIN, '--approved', 'Lent')
  product = await startProduct({}, folder)
  process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
}, 400_000)

afterAll(async () => {
  if (before === undefined) delete process.env['PRAKRIYA_TEST_DATA']
  else process.env['PRAKRIYA_TEST_DATA'] = before
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the tutorial is short, and each of its commands prints what it says', () => {
  expect(tutorial.split(/\s+/).length).toBeLessThanOrEqual(1200)
  expect(outcomes.length).toBeGreaterThan(3)
  for (const { commands, says, prints } of outcomes) expect({ commands, prints }).toEqual({ commands, prints: says })
})

test('the check passes with the flow of the tutorial and mere skeletons, and its steps are those that the tutorial says', () => {
  const [untranslated, ...passed] = npm('check', ...STEPS)
  expect(untranslated).toMatch(/^untranslated texts/)
  expect(passed).toEqual(sorted(STEPS.map((step) => `✓ ${step}`)))
  const [refusal] = npm('check', 'everything')
  const known = /^There is no step everything: the steps are (.*)\.$/.exec(refusal!)![1]!.split(', ')
  expect(sorted(printed(indexOf('npm run check')))).toEqual(sorted(known.map((step) => `✓ ${step}`)))

  const tool = (name: string, ...args: string[]) => run(join('node_modules', name), ...args)
  expect(made).toHaveLength(5)
  expect(tool('oxfmt/bin/oxfmt', '--list-different', ...made)).toEqual([])
  const config = {
    extends: './tsconfig.json',
    include: ['**/*.d.ts'],
    files: made.filter((file) => file.endsWith('.ts')),
  }
  writeFileSync(join(folder, 'tsconfig.new.json'), JSON.stringify(config))
  expect(tool('typescript/bin/tsc', '-p', 'tsconfig.new.json', '--noEmit')).toEqual([])
}, 300_000)

test('the test of the tutorial passes on the engine, and the scenarios of all flows go as expected', () => {
  const jest = ['node_modules/jest/bin/jest.js', '--config', 'tests/jest.config.mjs', '--maxWorkers=1']
  const files = ['tests/costumes/', 'tests/platform/scenarios.process.test.ts']
  const lines = run(
    '--experimental-vm-modules',
    ...jest,
    ...files,
    '-t',
    'mask|costume-loan|paper-request|easel-request',
  )
  expect(lines).toContainEqual(expect.stringMatching(/^Tests: +\d+ skipped, 4 passed, \d+ total$/))
  for (const line of sorted(printed(indexOf('npm test -- --area costumes'))))
    expect(lines).toContainEqual(expect.stringContaining(line))
}, 300_000)

test('a skeleton overwrites nothing: what exists is refused in words, and nothing is written', () => {
  const present = () => globSync('{forms,processes}/**', { cwd: folder }).toSorted()
  const files = present()
  expect(readFileSync(join(folder, 'processes/sketch-books/README.md'), 'utf8')).toBe(OWN_WORDS)
  expect(npm('new', 'flow', 'farewells', 'resignation')).toEqual([
    'the name resignation is taken: it is the process of processes/resignations/resignation.bpmn',
  ])
  expect(npm('new', 'flow', 'Leave', 'casual-leave')).toEqual([
    'Leave is no name: use small letters, digits and hyphens',
  ])
  expect(npm('new', 'flow', 'platform', 'casual-leave')).toEqual(['platform is no area: name another'])
  expect(npm('new', 'flow', 'farewells', 'party', '--desks', 'Clown@department')).toEqual([
    'there is no role “Clown”: forms/platform/roles.json has them all',
  ])
  expect(npm('new', 'flow', 'farewells', 'party', '--desks', 'HOD@house')).toEqual([
    '“HOD@house”: a unit is one of department, faculty',
  ])
  expect(npm('new', 'flow', 'farewells', 'party', '--desks', 'HOD', '--approved', 'Sung & danced')).toEqual([
    '“Sung & danced” is no status: use letters, digits, spaces and hyphens',
  ])
  mkdirSync(join(folder, 'forms/farewells'))
  writeFileSync(join(folder, 'forms/farewells/party.flow.json'), '{')
  expect(npm('new', 'flow', 'farewells', 'party')).toEqual([expect.stringContaining('farewells/party.flow.json')])
  rmSync(join(folder, 'forms/farewells/party.flow.json'))
  writeFileSync(join(folder, 'processes/vouchers/petty-cash.scenarios.json'), '[]')
  expect(npm('new', 'flow', 'vouchers', 'petty-cash')).toEqual([
    'processes/vouchers/petty-cash.scenarios.json exists already: nothing was written',
  ])
  rmSync(join(folder, 'processes/vouchers/petty-cash.scenarios.json'))
  expect(npm('new', 'flow')).toEqual([
    'or:      npm run new -- flow costumes costume-loan --desks "HOD@department, Dean@faculty=Recommended by HOD, Registrar"',
    'such as: npm run new -- flow costumes costume-loan',
    'usage: npm run new -- flow AREA NAME [--desks DESKS [--first STATUS] [--approved STATUS] [--rejected STATUS]]',
  ])
  expect(present()).toEqual([...files, 'forms/farewells'].toSorted())
}, 60_000)
