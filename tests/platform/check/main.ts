import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { styleText } from 'node:util'
import { loadLibrary } from '../../../api/platform/model/library/library.ts'
import { shapeProblems } from '../../../api/platform/model/library/shapes/shapes.ts'
import { gateDecisions } from '../../../api/platform/model/bpmn/decisions/decisions.ts'
import { lint, lintDecisions } from '../../../api/platform/model/bpmn/lint/lint.ts'
import { type Problem, readModel } from '../../../api/platform/model/bpmn/read.ts'
import { problemsOf } from '../../../api/platform/model/bpmn/checking/repository-models.ts'
import { brokenImports } from './architecture.ts'
import { checkBundles } from './bundle.ts'
import { castsThroughUnknown, unexplainedExceptions } from './casts.ts'
import { checkCompose } from './compose.ts'
import { staleFiles } from './generated.ts'
import { makers } from './makers.ts'
import { reasonOf } from './reason.ts'
import { checkUntranslated } from './untranslated.ts'
import { checkWiring } from './wiring.ts'
import { readProduct } from './wiring/product.ts'

const root = resolve(import.meta.dirname, '../../..')

/** A tool's cache, so that it checks only changed files. */
const cacheOf = (step: string) => join(root, 'node_modules/.cache/check', step)

/** Returns what is wrong, one line each; nothing if all is well. */
type Step = () => Promise<string[]> | string[]

/** The steps of `npm run check`, the fastest to fail first. */
const steps: Record<string, Step> = {
  types: () =>
    run(
      'typescript/bin/tsc',
      '-p',
      'tsconfig.json',
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      cacheOf('types'),
    ),
  lint: () => run('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  format: () => run('oxfmt/bin/oxfmt', '--check'),
  architecture: () => brokenImports(root),
  environment: readersOfTheEnvironment,
  casts: () => [...castsThroughUnknown(root), ...unexplainedExceptions(root)],
  shapes,
  models,
  wiring: async () => checkWiring(await readProduct(root)),
  generated: () => staleFiles(root, makers),
  unused: () => run('knip/bin/knip.js', '--no-progress'),
  compose: () => checkCompose(root),
  bundles: () => checkBundles(root),
  translations: () => checkUntranslated(root),
  spelling: () =>
    run(
      'cspell/bin.mjs',
      ...['lint', '--dot', '--no-progress', '--no-summary', '--no-color'],
      ...['--cache', '--cache-strategy', 'content', '--cache-location', cacheOf('spelling'), '.'],
    ),
}

/** Files of the areas match the schemas of `api/platform/model/library/shapes`. */
function shapes(): string[] {
  return globSync('forms/**/*.json', { cwd: root }).flatMap((file) =>
    shapeProblems(file, JSON.parse(readFileSync(join(root, file), 'utf8'))).map(
      ({ pointer, reason }) => `${file} ${pointer || '/'}: ${reason}`,
    ),
  )
}

/** Every diagram and decision table passes gate and lint, and every diagram belongs to a manifest or is a schedule. */
async function models(): Promise<string[]> {
  const library = loadLibrary(root)
  const told = (file: string, problems: Problem[]) =>
    problems.map(({ element, reason }) => `${file} ${element}: ${reason}`)
  const drawn = [...library.flows.values(), ...library.schedules.values()]
  const known = new Set(drawn.map(({ bpmn }) => join('processes', bpmn.key)))
  const found = drawn.map(async (one) => {
    const refused = told(one.bpmn.key, await problemsOf(one, library))
    return refused.length > 0 ? refused : told(one.bpmn.key, await lint(await readModel(one.bpmn.content)))
  })
  const tables = globSync('processes/**/*.dmn', { cwd: root }).flatMap((file) => {
    const xml = readFileSync(join(root, file), 'utf8')
    const refused = told(file, gateDecisions(xml))
    return refused.length > 0 ? refused : told(file, lintDecisions(xml))
  })
  const stray = globSync('processes/**/*.bpmn', { cwd: root }).filter((file) => !known.has(file))
  return [...(await Promise.all(found)).flat(), ...tables, ...stray.map((file) => `${file}: no manifest names it`)]
}

/**
 * Settings are read and checked in one place; only composition roots (entry points), tests and benches read the
 * environment.
 */
function readersOfTheEnvironment(): string[] {
  const allowed =
    /^(api\/platform\/(kernel\/settings\.ts|edge\/(supervisor|commands)\/)|(api|workers)\/main\.ts|tests\/|bench\/|web\/vite\.config\.ts)/
  return globSync('{api,workers,web,forms}/**/*.{ts,tsx,mjs}', { cwd: root, exclude: (name) => name === 'dist' })
    .filter((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return source.includes('process.env') && !allowed.test(file) && !source.includes('import.meta.main')
    })
    .map((file) => `${file}: only api/platform/kernel/settings.ts and composition roots read the environment`)
}

/** Runs a tool of `node_modules`, and returns its output if it failed. */
function run(script: string, ...parameters: string[]): Promise<string[]> {
  const file = join(root, 'node_modules', script)
  return new Promise((done, failed) => {
    const tool = spawn(process.execPath, [file, ...parameters], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [tool.stdout, tool.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    tool.once('error', failed)
    tool.once('close', (code) =>
      done(code === 0 ? [] : [printed.trim() || `${relative(root, file)} ended with ${code}`]),
    )
  })
}

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'))
const unknown = wanted.filter((name) => !Object.hasOwn(steps, name))
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}: the steps are ${Object.keys(steps).join(', ')}.`)
  process.exit(1)
}

const failures: string[] = []
const queue = Object.entries(steps).filter(([name]) => wanted.length === 0 || wanted.includes(name))

async function settled(step: Step): Promise<string[]> {
  try {
    return await step()
  } catch (error) {
    return [reasonOf(error, root)]
  }
}

async function workOff(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [name, step] = next
    const begun = performance.now()
    const problems = await settled(step)
    const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`
    if (problems.length > 0) failures.push(name)
    console.log(
      `${problems.length > 0 ? styleText('red', '✗') : styleText('green', '✓')} ${name.padEnd(14)}${seconds.padStart(7)}`,
    )
    if (problems.length > 0) console.log(problems.join('\n').replace(/^/gm, '    '))
  }
}

// Two at a time: most of them are tools that use one core.
await Promise.all([workOff(), workOff()])
if (failures.length > 0) {
  console.error(
    `\n${failures.length} of these failed: ${failures.join(', ')}. One alone: npm run check -- ${failures[0]}`,
  )
  process.exitCode = 1
}
