import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { loadLibrary } from '../../api/platform/model/library/library.ts'
import { brokenImports } from './check/architecture.ts'
import { castsThroughUnknown, unexplainedExceptions } from './check/casts.ts'
import { staleFiles, writeGenerated } from './check/generated.ts'
import { reasonOf } from './check/reason.ts'

const folder = mkdtempSync(join(tmpdir(), 'prakriya-check-'))
const write = (file: string, content: string) => {
  mkdirSync(join(folder, file, '..'), { recursive: true })
  writeFileSync(join(folder, file), content)
}
/** The reason of a failure, in the check's words. */
const reason = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    return reasonOf(error, folder)
  }
  throw new Error('it did not fail')
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'processes/platform'), { recursive: true })
  write('forms/platform/placeholders.json', '{}')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('missing or outdated generated files are each reported in one line, and fit once written', async () => {
  const makers = [async () => ({ 'a.generated.ts': 'new', 'b.generated.ts': 'b' }), async () => ({ c: 'c' })]
  write('a.generated.ts', 'old')
  write('c', 'c')
  expect(await staleFiles(folder, makers)).toEqual([
    'a.generated.ts does not fit its sources: run npm run generate',
    'b.generated.ts is missing: run npm run generate',
  ])
  const topics = 'processes/platform/topics.generated.json'
  expect(await writeGenerated(folder, makers)).toEqual([topics, 'a.generated.ts', 'b.generated.ts'])
  expect(readFileSync(join(folder, 'a.generated.ts'), 'utf8')).toBe('new')
  expect(await writeGenerated(folder, makers)).toEqual([])
  expect(await staleFiles(folder, makers)).toEqual([])
})

test('a cast through unknown is reported with its line, in the product and not in its tests', () => {
  write('api/vouchers/pay.ts', 'const form = data as Form\nconst fact = data as unknown as Fact\n')
  write('tests/vouchers/pay.db.test.ts', 'const engine = {} as unknown as Engine\n')
  expect(castsThroughUnknown(folder)).toEqual([
    'api/vouchers/pay.ts:2: give it a type that one cast, or none, leads to',
  ])
})

test('a rule that is switched off without a reason of two words is reported with its line, in the product only', () => {
  const off = (comment: string) => `${comment}\nconst form = data as Form\n`
  const rule = 'oxlint-disable-next-line typescript/no-unsafe-type-assertion'
  write('api/vouchers/explained.ts', off(`// ${rule} -- checked by the schema of the route`))
  write('web/vouchers/explained.tsx', off(`{/* ${rule} -- a constant has these keys */}`))
  write('tests/vouchers/pay.db.test.ts', off(`// ${rule}`))
  expect(unexplainedExceptions(folder)).toEqual([])
  write('api/vouchers/bare.ts', `export {}\n${off(`// ${rule}`)}`)
  write('forms/vouchers/head.ts', off('/* eslint-disable no-var */'))
  write('web/vouchers/word.tsx', off(`{/* ${rule} -- needed */}`))
  write('workers/vouchers/word.ts', off(`// ${rule} -- needed`))
  expect(unexplainedExceptions(folder)).toEqual(
    ['api/vouchers/bare.ts:2', 'forms/vouchers/head.ts:1', 'web/vouchers/word.tsx:1', 'workers/vouchers/word.ts:1'].map(
      (at) => `${at}: say after the rule why it does not hold here: -- REASON`,
    ),
  )
})

test('a missing generated file that another imports is reported in one line', async () => {
  const missing = Object.assign(new Error('Cannot find module'), {
    code: 'ERR_MODULE_NOT_FOUND',
    url: `file://${folder}/processes/instruments/loan.generated.ts`,
  })
  expect(await staleFiles(folder, [() => Promise.reject(missing), () => Promise.reject(missing)])).toEqual([
    'processes/instruments/loan.generated.ts is missing: run npm run generate',
  ])
})

test('a file of an area that is missing, broken or in another folder is reported in one line', async () => {
  const read = () => loadLibrary(folder)
  write('forms/instruments/loan.flow.json', '{ "process": "loan" }')
  expect(await reason(read)).toBe(
    'forms/instruments/loan.flow.json names the process loan, and processes/instruments/loan.bpmn is missing',
  )
  write('processes/instrument/loan.bpmn', '<xml/>')
  expect(await reason(read)).toBe(
    'forms/instruments/loan.flow.json names the process loan, and its diagram is processes/instrument/loan.bpmn: move it to processes/instruments/loan.bpmn',
  )
  write('processes/instruments/loan.bpmn', '<xml/>')
  expect(await reason(read)).toBe('processes/platform/topics.generated.json is missing: run npm run generate')
  write('processes/platform/topics.generated.json', '{}')
  expect([...loadLibrary(folder).flows.keys()]).toEqual(['instruments/loan'])
  write('forms/instruments/texts.en.json', '{ "instruments.loan": "Loan", }')
  expect(await reason(read)).toMatch(/^forms\/instruments\/texts\.en\.json cannot be read: .*JSON/)
  expect((await reason(read)).split('\n')).toHaveLength(1)
})

test('any other error is reported with its stack', async () => {
  expect(
    await reason(() => {
      throw new Error('a fault of the check')
    }),
  ).toMatch(/^Error: a fault of the check\n +at /)
})

describe('folders that import each other', () => {
  const cycles = async () =>
    (await brokenImports(folder)).map((line) => line.replace(/^no-cycle-between-folders: /, ''))
  beforeEach(() => {
    write('.dependency-cruiser.cjs', 'module.exports = { forbidden: [], options: { tsPreCompilationDeps: true } }')
    for (const top of ['api', 'workers', 'web', 'forms', 'tests', 'bench']) write(`${top}/empty.ts`, 'export {}\n')
  })

  test('are reported if one is inside the other, with one import of each edge', async () => {
    write('api/engine/port.ts', 'export type Port = string\n')
    write('api/engine/operaton/call.ts', "import type { Port } from '../port.ts'\nexport const port: Port = ''\n")
    expect(await cycles()).toEqual([])
    write('api/engine/operaton.ts', "export { port } from './operaton/call.ts'\n")
    write('api/engine/other.ts', "export { port } from './operaton/call.ts'\n")
    expect(await cycles()).toEqual([
      'api/engine, api/engine/operaton (api/engine/operaton.ts → api/engine/operaton/call.ts; api/engine/operaton/call.ts → api/engine/port.ts)',
    ])
  })

  test('are reported if they do so through another, or by folders that are in them', async () => {
    write('web/people/list/list.ts', "import '../../task/task.ts'\n")
    write('web/task/task.ts', "import '../case/case.ts'\n")
    expect(await cycles()).toEqual([])
    write('web/case/case.ts', "import '../people/person/person.ts'\n")
    write('web/people/person/person.ts', 'export {}\n')
    expect(await cycles()).toEqual([
      'web/case, web/people, web/task (web/case/case.ts → web/people/person/person.ts; web/people/list/list.ts → web/task/task.ts; web/task/task.ts → web/case/case.ts)',
    ])
  })
})
