import { existsSync, mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../../kernel/db/database.ts'
import { readEnvFile } from '../../kernel/env-file.ts'
import { readJson } from '../../kernel/json-file.ts'
import { readBackupSettings } from '../../kernel/settings.ts'
import { type ClusterPlace, clusterPlace } from '../supervisor/postgres.ts'
import { isAlive } from '../supervisor/processes.ts'
import { type StackStatus, resetData } from '../supervisor/stack.ts'
import { type ArchiveWriter, writeArchive } from '../backup/archive.ts'
import { copyCluster } from '../backup/cluster.ts'
import { withDatabaseOf } from '../backup/database.ts'
import { figuresOf, missingFiles } from '../backup/findings.ts'
import { type BackupHead, FORMAT, type Keys, entries, restoreInto } from '../backup/restoring.ts'
import { interruption, refuse } from '../backup/ending.ts'

// `npm run backup -- [FILE] [--unchecked]`: one file with the database, the files and the secrets of the data folder,
// of a running or stopped product. It is restored into a folder beside the data once, to see that it is whole.
const root = resolve(import.meta.dirname, '../../../..')
const say = (line: string) => console.log(line)

async function main(signal: AbortSignal): Promise<void> {
  readEnvFile(root)
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { unchecked: { type: 'boolean' } } })
  const { dataDir: given, ownerDatabaseUrl, keys } = readBackupSettings(process.env)
  if (ownerDatabaseUrl)
    throw new Error(
      'DATABASE_URL names a PostgreSQL of your own: back it up with its own tools (pg_basebackup), and copy the data folder after it.',
    )
  const { key } = keys
  if (key?.startsWith('AGE-SECRET-KEY-'))
    throw new Error('BACKUP_KEY is a secret key, which opens backups: to make one, set it to its public key (age1…).')
  const dataDir = resolve(root, given)
  const place = clusterPlace(dataDir)
  if (![join(dataDir, 'secrets.json'), join(place.folder, 'PG_VERSION')].every((one) => existsSync(one)))
    throw new Error(`There is nothing to back up in ${dataDir}.`)
  const file = resolve(positionals[0] ?? join(root, 'backups', nameOf(new Date(), key !== undefined)))
  if (existsSync(file)) throw new Error(`${file} exists already.`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const began = Date.now()
  const archive = writeArchive(file, key, signal)
  try {
    await withDatabase(dataDir, signal, (ownerUrl) => copyAll(dataDir, { ownerUrl, place, archive }))
    await archive.finish()
  } catch (error) {
    await archive.abandon()
    throw error
  }
  const megabytes = Math.ceil(statSync(file).size / 1024 ** 2)
  say(`Written in ${seconds(began)} s: ${file} (${megabytes} MB${key === undefined ? '' : ', encrypted'})`)
  if (key === undefined)
    say('It is not encrypted, and holds the secrets and keys: keep it where only you can read it, or set BACKUP_KEY.')
  if (values.unchecked) return
  if (key?.startsWith('age1')) {
    return say('It can be opened elsewhere only, so it was not tried here: run `npm run restore` where its key is.')
  }
  await tryOut(dataDir, { file, ...keys, signal })
}

const seconds = (began: number) => ((Date.now() - began) / 1000).toFixed(1)

/** `prakriya-2026-11-30-101500.tar.zst`, in UTC. */
function nameOf(at: Date, encrypted: boolean): string {
  const [day, time = ''] = at.toISOString().split('T')
  return `prakriya-${day}-${time.slice(0, 8).replaceAll(':', '')}.tar.zst${encrypted ? '.age' : ''}`
}

/** The database of the product that runs on the folder; of one that does not, its database alone is started. */
async function withDatabase(
  dataDir: string,
  signal: AbortSignal,
  act: (ownerUrl: string) => Promise<void>,
): Promise<void> {
  const status = existsSync(join(dataDir, 'stack.json'))
    ? readJson<StackStatus>(join(dataDir, 'stack.json'))
    : undefined
  if (status?.supervisor && isAlive(status.supervisor)) {
    if (status.state !== 'ready') throw new Error(`Prakriya is ${status.state}: try again when it is ready.`)
    return act(status.ownerDatabaseUrl)
  }
  return withDatabaseOf(dataDir, signal, act)
}

/**
 * In an order in which everything that the database names is there: what was signed before the database, files before and
 * after it, because they come and go while it is copied.
 */
async function copyAll(
  dataDir: string,
  { ownerUrl, place, archive }: { ownerUrl: string; place: ClusterPlace; archive: ArchiveWriter },
): Promise<void> {
  const database = connect(ownerUrl, { name: 'prakriya-backup', max: 1 })
  try {
    const head: BackupHead = {
      format: FORMAT,
      product: readJson<{ version: string }>(join(root, 'package.json')).version,
      postgres: place.version,
      at: new Date().toISOString(),
      before: await figuresOf(database.db),
    }
    await archive.text(entries.head, JSON.stringify(head))
    for (const name of [entries.secrets, entries.signed]) await archive.file(name, join(dataDir, name))
    const taken = new Set<string>()
    await copyFiles(dataDir, archive, taken)
    say('Copying the database …')
    await copyCluster(ownerUrl, place.folder, archive)
    const after = await figuresOf(database.db)
    await copyFiles(dataDir, archive, taken)
    const missing = await missingFiles(database.db, dataDir)
    if (missing > 0)
      say(`WARNING: ${missing} files that the database names are missing in ${dataDir}, so in the backup too.`)
    await archive.text(entries.end, JSON.stringify({ after, missing }))
  } finally {
    await database.close()
  }
}

/** Copies the files that are not taken yet, without those that are still being written. */
async function copyFiles(dataDir: string, archive: ArchiveWriter, taken: Set<string>): Promise<void> {
  const folder = join(dataDir, 'files')
  if (!existsSync(folder)) return
  for (const one of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(one.parentPath, one.name)
    const name = `files/${path.slice(folder.length + 1)}`
    if (!one.isFile() || one.name.includes('.') || taken.has(name)) continue
    if (await archive.file(name, path)) taken.add(name)
  }
}

/** Restores the backup beside the data folder, compares, and removes it again. */
async function tryOut(dataDir: string, how: Keys & { file: string; signal: AbortSignal }): Promise<void> {
  const began = Date.now()
  const folder = mkdtempSync(`${dataDir}-trial-`)
  try {
    const { bounds, findings } = await restoreInto(folder, { ...how, say: () => undefined })
    if (findings.length > 0) throw new Error([`The backup is not whole:`, ...findings].join('\n'))
    const { cases, auditEntries } = bounds.before
    say(`Restored for trial in ${seconds(began)} s: whole, with ${cases} cases and ${auditEntries} audit entries.`)
  } finally {
    await resetData(folder)
  }
}

main(interruption()).catch(refuse)
