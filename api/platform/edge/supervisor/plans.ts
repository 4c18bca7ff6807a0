import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { PartPlan } from './part.ts'
import { preparePostgres, probePostgres } from './postgres.ts'
import { markOf } from './processes.ts'
import type { PartName } from './stack.ts'

export const root = resolve(import.meta.dirname, '../../../..')

export function postgresPlan(dataDir: string, port: number, password: string): PartPlan {
  const { ownerUrl } = preparePostgres(dataDir, port, password)
  return {
    name: 'postgres',
    prepare() {
      const { command, user } = preparePostgres(dataDir, port, password)
      return { command, ...(user && { user }), ownSession: true, foreign: true }
    },
    probe: () => probePostgres(ownerUrl),
    readyWithin: 60_000,
    stopSignal: 'SIGINT', // fast shutdown: ends sessions, keeps committed data
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
 * The first clean stop of a new build writes an archive of its loaded classes (exit code 143: SIGTERM), which speeds up
 * later starts. Incomplete archives of killed processes are deleted.
 */
export function keepClassArchive(): void {
  if (existsSync(newArchive)) renameSync(newArchive, archive)
  for (const name of readdirSync(dirname(archive))) {
    const pid = Number(name.match(/^engine\.jsa\.(\d+)$/)?.[1])
    if (pid && !markOf(pid)) rmSync(join(dirname(archive), name), { force: true })
  }
}

export function enginePlan(
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
        // Schedules use local time, whatever the machine's time zone.
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
    // Counting definitions needs the database; the version endpoint does not.
    probe: () => expectOk(`${engine.url}/engine-rest/process-definition/count`, { 'X-Gateway-Secret': engine.secret }),
    readyWithin: 120_000,
    stopSignal: 'SIGTERM',
    stopWithin: 10_000, // takes long only when it writes its class archive
    warning: (line) => line.match(/^\S+ +(?:WARN|ERROR) .*? : (.*)/)?.[1],
  }
}

/** New objects get 32 MiB instead of the 128 that Node takes on a large machine and hardly uses. */
const YOUNG_OBJECTS = '--max-semi-space-size=16'
/**
 * The C library otherwise keeps freed memory: in a heap for each thread, and in blocks that grow with the largest one
 * that was ever freed.
 */
const LITTLE_KEPT = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

export function nodePlan(
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
      return {
        command: [process.execPath, '--disable-warning=ExperimentalWarning', YOUNG_OBJECTS, '--expose-gc', ...args],
        env: { ...env, ...LITTLE_KEPT },
      }
    },
    probe,
    // The engine starts meanwhile.
    readyWithin: 180_000,
    stopSignal: 'SIGTERM',
    stopWithin: 4_000,
    warning: pinoWarning,
  }
}

export function vite(port: number): string[] {
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

/** The message of a pino log line at level warn or above; lines that are not JSON come from Node and are errors. */
function pinoWarning(line: string): string | undefined {
  if (!line.startsWith('{')) return /^\s+at |^\s*$|^Node\.js v/.test(line) ? undefined : line
  if (Number(line.match(/"level":(\d+)/)?.[1] ?? 0) < 40) return undefined
  const { msg, err }: { msg?: string; err?: { message?: string } } = JSON.parse(line)
  return [msg, err?.message].filter((text, index, all) => text && all.indexOf(text) === index).join(': ')
}

/** Workers have no port; they touch a file while they fetch tasks and reach the database. */
export function expectFile(file: string): Promise<void> {
  if (existsSync(file)) return Promise.resolve()
  return Promise.reject(new Error(`${file} is missing: they do not fetch tasks yet`))
}

export async function expectOk(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(5_000) })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers ${response.status}`)
}
