import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readJson } from '../../kernel/json-file.ts'
import type { StackSettings } from '../../kernel/settings.ts'
import { type Part, type PartPlan, type PartState, supervise } from './part.ts'
import { preparePostgres, removeOutside, stopLeftover } from './postgres.ts'
import { freePort, isAlive, isPortFree, markOf, type ProcessMark, stopProcess } from './processes.ts'
import { type Secrets, readSecrets, writePrivately } from './secrets.ts'
import { postgresPlan, keepClassArchive, enginePlan, nodePlan, vite, expectFile, expectOk, root } from './plans.ts'

/** The parts in start order; they stop in reverse. */
export const partNames = ['postgres', 'engine', 'api', 'workers', 'web'] as const
export type PartName = (typeof partNames)[number]

export interface StackOptions extends StackSettings {
  /** Only these parts; migrations run whenever there is a database. */
  parts?: readonly PartName[]
  /** Additional environment variables for the API and the workers. */
  env?: Record<string, string>
  /** Leaves the database at the version that it has. */
  asItIs?: boolean
  /** API and workers restart when a source file changes, and vite serves the pages. */
  dev?: boolean
  /** Stops the stack, also while it starts. */
  signal?: AbortSignal
  say(line: string): void
}

/** The content of `<data>/stack.json`: how to reach a running stack, and its processes. */
export interface StackStatus {
  state: 'starting' | 'ready' | 'stopping' | 'stopped'
  supervisor?: ProcessMark
  url: string
  databaseUrl: string
  ownerDatabaseUrl: string
  engineUrl: string
  engineSecret: string
  /** Stored, so that addresses stay the same over restarts. */
  ports: { postgres: number; engine: number; api: number }
  parts: Partial<Record<PartName, PartState>>
}

/** A running stack. */
export interface Stack {
  url: string
  status: StackStatus
  /** Stops all parts in reverse order, within 15 seconds; so does the signal of the options. */
  stop(): Promise<void>
  /** Resolves when all parts have stopped. */
  stopped: Promise<void>
}

/**
 * Starts all parts, PostgreSQL before the others, and keeps them running. Stops what an earlier stack of the same data
 * folder left first. On failure, rejects with one line and leaves nothing running.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = resolve(root, options.dataDir)
  makeFolder(dataDir)
  const before = await clearAway(dataDir)
  if (options.port !== 0) await expectFree(options.port)

  const layout = await layOut(dataDir, options, before)
  const { url, ownerDatabaseUrl, secrets } = layout
  const status = firstStatus(layout)
  const changed = () => writePrivately(join(dataDir, 'stack.json'), status)
  changed()

  const plans = plansOf(layout, options)
  const parts: Part[] = []
  const stopping = new AbortController()

  const stopped = Promise.withResolvers<void>()
  stopped.promise.catch(() => undefined) // callers may ignore it

  function stop(): Promise<void> {
    if (status.state === 'starting' || status.state === 'ready') {
      status.state = 'stopping'
      stopping.abort()
      changed()
      stopAll().then(stopped.resolve, stopped.reject)
    }
    return stopped.promise
  }

  async function stopAll(): Promise<void> {
    const deadline = Date.now() + 14_000
    for (const part of parts.toReversed()) {
      // PostgreSQL stops last, so reserve time for it.
      const end = await part.stop(deadline - Date.now() - (part.name === 'postgres' ? 0 : 3_000))
      if (part.name === 'engine' && end === 'ended with code 143') keepClassArchive()
    }
    status.state = 'stopped'
    delete status.supervisor
    changed()
  }

  async function start(name: PartName): Promise<void> {
    options.signal?.throwIfAborted()
    const plan = plans[name]
    if (!plan || !(options.parts?.includes(name) ?? true)) return
    const began = Date.now()
    const reporter = { changed, say: options.say }
    const part = supervise(plan, { root, logs: join(dataDir, 'logs'), reporter, stopping: stopping.signal })
    status.parts[name] = part.status
    parts.push(part)
    await part.start()
    options.say(`${name}: ready (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  }

  options.signal?.addEventListener('abort', () => void stop())

  try {
    await start('postgres')
    if (!options.asItIs) await bringUpToDate(ownerDatabaseUrl, secrets, options.say)
    // The others wait for each other by themselves, and loading them takes as long as starting the engine.
    await Promise.all(partNames.filter((name) => name !== 'postgres').map(start))
    options.signal?.throwIfAborted()
  } catch (error) {
    await stop()
    throw error
  }
  status.state = 'ready'
  changed()
  return { url, status, stop, stopped: stopped.promise }
}

/** Makes a data folder. */
export function makeFolder(dataDir: string): void {
  // PostgreSQL may run as another user that needs access to this folder; its contents are protected one by one.
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
}

/** Addresses and secrets of a stack. */
interface Layout {
  dataDir: string
  secrets: Secrets
  port: number
  ports: StackStatus['ports']
  url: string
  ownerDatabaseUrl: string
  databaseUrl: string
  engine: { url: string; secret: string }
}

/** Finds free ports, preferably those of the previous stack, and derives the addresses. */
async function layOut(
  dataDir: string,
  options: StackOptions,
  before: Pick<StackStatus, 'ports'> | undefined,
): Promise<Layout> {
  const secrets = readSecrets(dataDir)
  const port = options.port || (await freePort())
  const postgres = await freePort(before?.ports.postgres, [port])
  const engine = await freePort(before?.ports.engine, [port, postgres])
  const ports = { postgres, engine, api: options.dev ? await freePort(undefined, [port, postgres, engine]) : port }
  const ownerDatabaseUrl =
    options.ownerDatabaseUrl ?? preparePostgres(dataDir, ports.postgres, secrets.ownerPassword).ownerUrl
  const application = { username: 'prakriya_app', password: secrets.appPassword }
  return {
    dataDir,
    secrets,
    port,
    ports,
    url: `http://localhost:${port}`,
    ownerDatabaseUrl,
    databaseUrl: Object.assign(new URL(ownerDatabaseUrl), application).href,
    engine: options.engine ?? { url: `http://127.0.0.1:${ports.engine}`, secret: secrets.engineSecret },
  }
}

function firstStatus({ url, databaseUrl, ownerDatabaseUrl, engine, ports }: Layout): StackStatus {
  const supervisor = markOf(process.pid)
  return {
    state: 'starting',
    ...(supervisor && { supervisor }),
    url,
    databaseUrl,
    ownerDatabaseUrl,
    engineUrl: engine.url,
    engineSecret: engine.secret,
    ports,
    parts: {},
  }
}

/** How each part is started; undefined for those that run elsewhere. */
function plansOf(
  { dataDir, secrets, port, ports, url, ownerDatabaseUrl, databaseUrl, engine }: Layout,
  options: StackOptions,
): Record<PartName, PartPlan | undefined> {
  const nodeName = process.env.NODE_NAME || hostname()
  const partEnv = {
    ...options.env,
    NODE_NAME: nodeName,
    DATABASE_URL: databaseUrl,
    ENGINE_URL: engine.url,
    ENGINE_SECRET: engine.secret,
    TOKEN_SECRET: process.env.TOKEN_SECRET || secrets.tokenSecret,
    FIELD_KEYS: process.env.FIELD_KEYS || secrets.fieldKeys,
    AUDIT_KEY: process.env.AUDIT_KEY || secrets.auditKey,
    PORT: String(ports.api),
    PUBLIC_URL: process.env.PUBLIC_URL || url,
    PRAKRIYA_DATA: dataDir,
    DEMO: String(options.demo),
  }
  const watching = options.dev ? ['--watch', '--watch-preserve-output'] : []
  const healthFile = join(dataDir, `workers-${nodeName}.health`)
  return {
    postgres: options.ownerDatabaseUrl ? undefined : postgresPlan(dataDir, ports.postgres, secrets.ownerPassword),
    engine: options.engine ? undefined : enginePlan(ports.engine, engine, ownerDatabaseUrl, secrets.enginePassword),
    api: nodePlan('api', [...watching, 'api/main.ts'], partEnv, () =>
      expectOk(`http://127.0.0.1:${ports.api}/api/health/ready`),
    ),
    workers: nodePlan(
      'workers',
      [...watching, 'workers/main.ts'],
      partEnv,
      () => expectFile(healthFile),
      () => rmSync(healthFile, { force: true }),
    ),
    web: options.dev
      ? nodePlan('web', vite(port), { API_URL: `http://127.0.0.1:${ports.api}` }, () => expectOk(`${url}/`))
      : undefined,
  }
}

/** In its own process: modules that migrations load would stay in memory. */
async function bringUpToDate(
  ownerDatabaseUrl: string,
  { appPassword, enginePassword }: Secrets,
  say: StackOptions['say'],
): Promise<void> {
  const env = {
    OWNER_DATABASE_URL: ownerDatabaseUrl,
    APP_DATABASE_PASSWORD: appPassword,
    ENGINE_DATABASE_PASSWORD: enginePassword,
  }
  const run = promisify(execFile)(process.execPath, ['api/platform/kernel/db/migrate.ts'], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  const { stdout } = await run.catch((error: Error & { stderr: string }) => {
    throw new Error(
      `The database could not be brought up to date: ${error.stderr.match(/\w*Error: .*/i)?.[0] ?? error.message}`,
      { cause: error },
    )
  })
  say(`database: ${stdout.trim()}`)
}

/** Empties a data folder, after stopping what still runs in it. */
export async function resetData(dataDir: string): Promise<void> {
  const folder = resolve(root, dataDir)
  if (!existsSync(folder)) return
  await clearAway(folder)
  removeOutside(folder)
  rmSync(folder, { recursive: true })
}

/** Stops what a killed stack left running; throws while another supervisor uses the folder. */
async function clearAway(dataDir: string): Promise<StackStatus | undefined> {
  const file = join(dataDir, 'stack.json')
  const before = existsSync(file) ? readJson<StackStatus>(file) : undefined
  if (before?.supervisor && before.supervisor.pid !== process.pid && isAlive(before.supervisor)) {
    throw new Error(
      `Prakriya already runs on this data folder (process ${before.supervisor.pid}, port ${new URL(before.url).port}); stop it first.`,
    )
  }
  const { postgres: _, ...others } = before?.parts ?? {}
  await Promise.all(
    Object.values(others).map(async ({ pid, began }) => {
      if (pid && began) await stopProcess({ pid, began }, 'SIGTERM', 5_000)
    }),
  )
  await stopLeftover(dataDir)
  return before
}

async function expectFree(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    if (!(await isPortFree(port, host))) {
      throw new Error(
        `Port ${port} is in use by another program; stop it, or choose another: npm start -- --port ${port + 1}`,
      )
    }
  }
}
