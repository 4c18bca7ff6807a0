import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { asOwner } from './owner.ts'
import { until } from './poll.ts'
import { stack } from './stack.ts'

const root = join(import.meta.dirname, '../../..')
/** The logs of products are copied there before their data folders are deleted. */
const keptLogs = process.env['PRAKRIYA_TEST_LOGS']

/** A separate product, started by the same supervisor as for users, with its data in a scratch folder. */
export interface Product {
  dataDir: string
  /** Ends its processes and keeps its data. */
  rest(): Promise<void>
  stop(): Promise<void>
}

/** What stops the products of this process, also those that are still starting. */
const stops = new Set<() => Promise<void>>()
let over = false

/** Stops them all; this process starts no other. */
export async function stopProducts(): Promise<void> {
  over = true
  await Promise.all([...stops].map((stop) => stop()))
}

/**
 * Starts a whole product, this one or a copy in another folder, and waits until it is ready; `stop` removes its
 * processes and data. If PRAKRIYA_TEST_SEED names the data of a product at rest, it starts with a copy of them: a first
 * start and its demo cases take many times as long. For tests: measurements run as for users, through `givenProduct`.
 */
export function startProduct(env: Record<string, string> = {}, folder = root): Promise<Product> {
  return start(env, folder, doNotWaitForDisk)
}

async function start(
  env: Record<string, string>,
  folder: string,
  prepare: (dataDir: string, ended: () => boolean) => Promise<void>,
): Promise<Product> {
  if (over) throw new Error('the run is over')
  const dataDir = mkdtempSync(join(tmpdir(), 'prakriya-test-'))
  chmodSync(dataDir, 0o755)
  const seed = process.env['PRAKRIYA_TEST_SEED']
  // Keeps the owner of the files: PostgreSQL does not run as root.
  if (seed) execFileSync('cp', ['-a', ...SEEDED.map((name) => join(seed, name)), dataDir])
  const log = join(dataDir, 'console.log')
  const out = openSync(log, 'a')
  const supervisor = spawn(process.execPath, ['api/platform/edge/supervisor/main.ts', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, PRAKRIYA_DATA: dataDir, ...env },
    stdio: ['ignore', out, out],
  })
  const gone = new Promise<never>((_, reject) =>
    supervisor.once('exit', (code) =>
      reject(new Error(`the product ended with ${code}:\n${readFileSync(log, 'utf8')}`)),
    ),
  )
  gone.catch(() => supervisor.exitCode)
  const ended = () => supervisor.exitCode !== null || supervisor.signalCode !== null
  const stop = async () => {
    await end(supervisor)
    if (keptLogs) keepLogs(dataDir, keptLogs)
    rmSync(dataDir, { recursive: true, force: true })
    stops.delete(stop)
  }
  stops.add(stop)
  try {
    await Promise.race([gone, Promise.all([prepare(dataDir, ended), ready(dataDir, 180, ended)])])
  } catch (error) {
    await end(supervisor)
    const said = readFileSync(log, 'utf8')
    await stop()
    throw new Error(`${(error as Error).message}\n${said}`, { cause: error })
  }
  return { dataDir, rest: () => end(supervisor), stop }
}

/** What a product keeps over a restart, in its data folder. */
const SEEDED = ['postgres', 'files', 'secrets.json', 'audit-head.json']

/** The product whose data folder PRAKRIYA_TEST_DATA names, or else a new one; it stops only what it started. */
export async function givenProduct(env: Record<string, string> = {}): Promise<Product> {
  const given = process.env['PRAKRIYA_TEST_DATA']
  if (given) return { dataDir: given, rest: async () => undefined, stop: async () => undefined }
  const product = await start(env, root, async () => undefined)
  process.env['PRAKRIYA_TEST_DATA'] = product.dataDir
  return product
}

/**
 * Tests kill processes, not machines: writes that PostgreSQL has handed to the operating system survive that, so
 * commits need not wait for the disk.
 */
async function doNotWaitForDisk(dataDir: string, ended: () => boolean): Promise<void> {
  await until(
    'PostgreSQL no longer waits for the disk',
    async () => {
      if (ended()) return true
      for (const setting of ['fsync', 'full_page_writes'])
        await asOwner(`alter system set ${setting} = off`, [], dataDir)
      return asOwner('select pg_reload_conf()', [], dataDir)
    },
    { seconds: 120 },
  )
}

/** Waits until every part of the product answers, or until it has ended: then nobody waits any more. */
export function ready(dataDir?: string, seconds = 180, ended = () => false): Promise<true> {
  const look = async (): Promise<true> => {
    if (ended()) return true
    const { status } = await fetch(`${stack(dataDir).url}/api/health/ready`)
    if (status !== 200) throw new Error(`readiness answers ${status}`)
    return true
  }
  return until('the product is ready', look, { seconds, everyMilliseconds: 200 })
}

function keepLogs(dataDir: string, folder: string): void {
  for (const name of ['console.log', 'logs'])
    if (existsSync(join(dataDir, name)))
      cpSync(join(dataDir, name), join(folder, basename(dataDir), name), { recursive: true })
}

async function end(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return
  const exited = new Promise((resolve) => supervisor.once('exit', resolve))
  supervisor.kill('SIGTERM')
  await exited
}
