import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'
import { preparePostgres, probePostgres, removeOutside } from '../supervisor/postgres.ts'
import { freePort } from '../supervisor/processes.ts'
import { migrate } from './migrate.ts'

const root = join(import.meta.dirname, '../../..')
const file = 'api/platform/db/database.generated.ts'

/**
 * The types of schema `app` as the migrations make it. Reading them takes a PostgreSQL, so the first line of the file is
 * a hash of the migrations and the types: only where that does not fit, one is started and the types are read anew.
 */
export async function databaseTypes(): Promise<Record<string, string>> {
  const present = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
  const body = present.slice(present.indexOf('\n') + 1)
  return { [file]: present === bannerOf(body) + body ? present : await withScratchDatabase(typesOf) }
}

/** The content of the file for a migrated database. */
export async function typesOf(databaseUrl: string): Promise<string> {
  const tool = join(root, 'node_modules/kysely-codegen/dist/cli/bin.js')
  const options = ['--dialect', 'postgres', '--default-schema', 'app', '--include-pattern', 'app.*', '--print']
  const { stdout } = await promisify(execFile)(process.execPath, [tool, '--url', databaseUrl, ...options])
  const types = stdout.slice(stdout.indexOf('*/') + 2).trimStart()
  const body = await format(types, { ...(await resolveConfig(join(root, file))), parser: 'typescript' })
  return bannerOf(body) + body
}

function bannerOf(body: string): string {
  const hash = createHash('sha256').update(body)
  for (const path of globSync('api/platform/db/migrations/*.ts', { cwd: root }).sort())
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return `// Made by \`npm run generate\` out of the migrations (${hash.digest('hex').slice(0, 16)}). Not to be edited.\n`
}

/** Makes a PostgreSQL of its own with all migrations, and leaves nothing of it. */
async function withScratchDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'prakriya-types-'))
  chmodSync(folder, 0o711) // PostgreSQL may run as another user and has to walk through
  const password = (): string => randomBytes(16).toString('hex')
  const port = await freePort()
  const { command, user, ownerUrl } = preparePostgres(folder, port, password())
  const [program, ...options] = command
  const server = spawn(program!, options, { cwd: '/', stdio: 'ignore', ...user })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  try {
    await until(() => probePostgres(ownerUrl), server)
    await migrate({ ownerDatabaseUrl: ownerUrl, appPassword: password(), enginePassword: password() })
    return await work(ownerUrl)
  } finally {
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
    removeOutside(folder)
  }
}

/** Asks until the server accepts work, for at most half a minute. */
async function until(probe: () => Promise<void>, server: ChildProcess): Promise<void> {
  for (const end = Date.now() + 30_000; ; await pause(100)) {
    try {
      return await probe()
    } catch (error) {
      if (server.exitCode !== null || Date.now() > end) throw error
    }
  }
}
