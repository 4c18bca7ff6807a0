import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { StackSettings } from '../../kernel/settings.ts'
import { type Part, type PartPlan, type PartState, supervise } from './part.ts'
import { preparePostgres, probePostgres, removeOutside, stopLeftover } from './postgres.ts'
import { freePort, isAlive, isPortFree, markOf, type ProcessMark, stopProcess } from './processes.ts'
import { readSecrets, writePrivately } from './secrets.ts'

const root = resolve(import.meta.dirname, '../../../..')

/** The parts in the order in which they start; they stop in the reverse one. */
export const partNames = ['postgres', 'engine', 'api', 'workers', 'web'] as const
export type PartName = (typeof partNames)[number]

export interface StackOptions extends StackSettings {
  /** Only these; migrations run whenever there is a database. */
  parts?: readonly PartName[]
  /** Further variables for the API and the workers. */
  env?: Record<string, string>
  /** API and workers start again when a source file of theirs changes, and pages come from vite's own server. */
  dev?: boolean
  /** Stops the stack, also while it starts. */
  signal?: AbortSignal
  say(line: string): void
}

/** The content of `<data>/stack.json`: everything one needs to speak to a running stack, and to find its processes. */
export interface StackStatus {
  state: 'starting' | 'ready' | 'stopping' | 'stopped'
  supervisor?: ProcessMark
  url: string
  databaseUrl: string
  ownerDatabaseUrl: string
  engineUrl: string
  engineSecret: string
  /** Remembered, so that addresses stay the same over restarts. */
  ports: { postgres: number; engine: number; api: number }
  parts: Partial<Record<PartName, PartState>>
}

/** A running stack. */
export interface Stack {
  url: string
  status: StackStatus
  /** Drains and stops all parts in reverse order, within 15 seconds; so does the signal of the options. */
  stop(): Promise<void>
  /** Settles when all parts have stopped. */
  stopped: Promise<void>
}

/**
 * Starts all parts, each when the one before is ready, and keeps them running. What an earlier stack of the same data
 * folder left behind is stopped first. Fails with one line when it cannot; nothing is left running then.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = resolve(root, options.dataDir)
  // PostgreSQL may run as another user and has to walk through; what lies here is closed one by one.
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 })
  const before = await clearAway(dataDir)
  if (options.port !== 0) await expectFree(options.port)

  const secrets = readSecrets(dataDir)
  const port = options.port || (await freePort())
  const ports = {
    postgres: await freePort(before?.ports.postgres),
    engine: await freePort(before?.ports.engine),
    api: options.dev ? await freePort() : port,
  }
  const url = `http://localhost:${port}`
  const ownerDatabaseUrl =
    options.ownerDatabaseUrl ?? preparePostgres(dataDir, ports.postgres, secrets.ownerPassword).ownerUrl
  const as = (user: string, password: string) =>
    Object.assign(new URL(ownerDatabaseUrl), { username: user, password }).href
  const databaseUrl = as('prakriya_app', secrets.appPassword)
  const engine = options.engine ?? { url: `http://127.0.0.1:${ports.engine}`, secret: secrets.engineSecret }
  const supervisor = markOf(process.pid)
  const status: StackStatus = {
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
  const changed = () => writePrivately(join(dataDir, 'stack.json'), status)
  changed()

  const nodeName = process.env.NODE_NAME || hostname()
  const partEnv = {
    ...options.env,
    NODE_NAME: nodeName,
    DATABASE_URL: databaseUrl,
    ENGINE_URL: engine.url,
    ENGINE_SECRET: engine.secret,
    TOKEN_SECRET: process.env.TOKEN_SECRET || secrets.tokenSecret,
    AUDIT_KEY: process.env.AUDIT_KEY || secrets.auditKey,
    PORT: String(ports.api),
    PUBLIC_URL: process.env.PUBLIC_URL || url,
    PRAKRIYA_DATA: dataDir,
    DEMO: String(options.demo),
  }
  const watching = options.dev ? ['--watch', '--watch-preserve-output'] : []
  const healthFile = join(dataDir, `workers-${nodeName}.health`)
  const plans: Record<PartName, PartPlan | undefined> = {
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
  const parts: Part[] = []
  const stopping = new AbortController()

  const stopped = Promise.withResolvers<void>()
  stopped.promise.catch(() => undefined) // whoever waits for it is told; nobody has to

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
      // PostgreSQL stops last; its time is kept for it.
      const end = await part.stop(deadline - Date.now() - (part.name === 'postgres' ? 0 : 3_000))
      if (part.name === 'engine' && end === 'ended with code 143') keepClassArchive()
    }
    status.state = 'stopped'
    delete status.supervisor
    changed()
  }

  options.signal?.addEventListener('abort', () => void stop())

  try {
    for (const name of partNames) {
      options.signal?.throwIfAborted()
      const plan = plans[name]
      if (plan && (options.parts?.includes(name) ?? true)) {
        const began = Date.now()
        const reporter = { changed, say: options.say }
        const part = supervise(plan, { root, logs: join(dataDir, 'logs'), reporter, stopping: stopping.signal })
        status.parts[name] = part.status
        parts.push(part)
        await part.start()
        options.say(`${name}: ready (${((Date.now() - began) / 1000).toFixed(1)} s)`)
      }
      if (name === 'postgres') await bringUpToDate()
    }
    options.signal?.throwIfAborted()
  } catch (error) {
    await stop()
    throw error
  }
  status.state = 'ready'
  changed()
  return { url, status, stop, stopped: stopped.promise }

  /** A process of its own: what migrations need to load would stay in the memory of this one for good. */
  async function bringUpToDate(): Promise<void> {
    const { appPassword, enginePassword } = secrets
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
    options.say(`database: ${stdout.trim()}`)
  }
}

/** Empties a data folder, after stopping what still runs in it. */
export async function resetData(dataDir: string): Promise<void> {
  const folder = resolve(root, dataDir)
  if (!existsSync(folder)) return
  await clearAway(folder)
  removeOutside(folder)
  rmSync(folder, { recursive: true })
}

/** Stops what a killed stack left running; refuses while another supervisor works in the folder. */
async function clearAway(dataDir: string): Promise<StackStatus | undefined> {
  const file = join(dataDir, 'stack.json')
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StackStatus) : undefined
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

function postgresPlan(dataDir: string, port: number, password: string): PartPlan {
  const { ownerUrl } = preparePostgres(dataDir, port, password)
  return {
    name: 'postgres',
    prepare() {
      const { command, user } = preparePostgres(dataDir, port, password)
      return { command, ...(user && { user }), ownSession: true, foreign: true }
    },
    probe: () => probePostgres(ownerUrl),
    readyWithin: 60_000,
    stopSignal: 'SIGINT', // a fast shutdown: sessions are ended, what is committed stays
    stopWithin: 3_000,
    warning: (line) =>
      line.match(
        /(?:PANIC|FATAL): {2}(?!terminating connection|the database system is|database "prakriya" does not)(.*)/,
      )?.[1],
  }
}

const archive = join(root, 'engine/target/engine.jsa')
const newArchive = `${archive}.${process.pid}`

/**
 * The first run of a new build leaves an archive of its loaded classes when it ends of itself (143: asked to by
 * SIGTERM); later ones start faster with it. What runs that were killed left half written goes.
 */
function keepClassArchive(): void {
  if (existsSync(newArchive)) renameSync(newArchive, archive)
  for (const name of readdirSync(dirname(archive))) {
    const pid = Number(name.match(/^engine\.jsa\.(\d+)$/)?.[1])
    if (pid && !markOf(pid)) rmSync(join(dirname(archive), name), { force: true })
  }
}

function enginePlan(
  port: number,
  engine: { url: string; secret: string },
  ownerUrl: string,
  password: string,
): PartPlan {
  const { host, pathname, searchParams } = new URL(ownerUrl)
  searchParams.set('currentSchema', 'engine')
  searchParams.set('reWriteBatchedInserts', 'true')
  const classes = existsSync(archive) ? `-XX:SharedArchiveFile=${archive}` : `-XX:ArchiveClassesAtExit=${newArchive}`
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java'
  return {
    name: 'engine',
    prepare: () => ({
      command: [
        java,
        '-XX:+UseSerialGC',
        '-Xmx512m',
        // Schedules are drawn in the house's time, wherever the machine stands.
        '-Duser.timezone=Asia/Colombo',
        '-Xlog:cds=off',
        '-Xlog:cds+dynamic=off',
        classes,
        '-jar',
        'engine/target/app/engine.jar',
      ],
      env: {
        ENGINE_PORT: String(port),
        ENGINE_SECRET: engine.secret,
        ENGINE_JDBC_URL: `jdbc:postgresql://${host}${pathname}?${searchParams}`,
        ENGINE_DB_USER: 'prakriya_engine',
        ENGINE_DB_PASSWORD: password,
      },
      foreign: true,
    }),
    // Counting definitions reaches its database; its version would not.
    probe: () => expectOk(`${engine.url}/engine-rest/process-definition/count`, { 'X-Gateway-Secret': engine.secret }),
    readyWithin: 120_000,
    stopSignal: 'SIGTERM',
    stopWithin: 10_000, // long only when it writes its class archive
    warning: (line) => line.match(/^\S+ +(?:WARN|ERROR) .*? : (.*)/)?.[1],
  }
}

function nodePlan(
  name: PartName,
  args: string[],
  env: Record<string, string>,
  probe: () => Promise<void>,
  tidy?: () => void,
): PartPlan {
  return {
    name,
    prepare() {
      tidy?.()
      return { command: [process.execPath, '--disable-warning=ExperimentalWarning', ...args], env }
    },
    probe,
    readyWithin: 60_000,
    stopSignal: 'SIGTERM',
    stopWithin: 4_000,
    warning: pinoWarning,
  }
}

function vite(port: number): string[] {
  return [
    'node_modules/vite/bin/vite.js',
    '--config',
    'web/vite.config.ts',
    '--port',
    String(port),
    '--strictPort',
    '--logLevel',
    'warn',
  ]
}

/** The message of a line of pino at level warn or above; what is not JSON comes from Node itself and is an error. */
function pinoWarning(line: string): string | undefined {
  if (!line.startsWith('{')) return /^\s+at |^\s*$|^Node\.js v/.test(line) ? undefined : line
  if (Number(line.match(/"level":(\d+)/)?.[1] ?? 0) < 40) return undefined
  const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } }
  return [msg, err?.message].filter((text, index, all) => text && all.indexOf(text) === index).join(': ')
}

/** Workers have no port; they note in a file that they fetch tasks and reach their database. */
function expectFile(file: string): Promise<void> {
  if (existsSync(file)) return Promise.resolve()
  return Promise.reject(new Error(`${file} is missing: they do not fetch tasks yet`))
}

async function expectOk(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers ${response.status}`)
}
