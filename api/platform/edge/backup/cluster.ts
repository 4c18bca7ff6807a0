import { type Dirent, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pg from 'pg'
import type { ArchiveWriter } from './archive.ts'

/**
 * Folders of a cluster that stay empty in a backup, and files that are left out: PostgreSQL makes them again
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA).
 */
const EMPTY = new Set([
  ...['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans', 'pg_wal'],
])
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*)$/
const WAL_FILE = /^[0-9A-F]{24}$/

/**
 * Copies a running cluster under `postgres/`, as it is at the end of the copy: its files while they change, and the log of
 * what changed meanwhile, from which PostgreSQL mends them when it starts.
 */
export async function copyCluster(ownerUrl: string, folder: string, archive: ArchiveWriter): Promise<void> {
  // One connection for all: the backup and the slot, which keeps the log of the meantime, end with it.
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'prakriya-backup' })
  client.on('error', () => undefined) // the server went away: the next query reports it
  await client.connect()
  try {
    const ask = async (text: string, values: string[] = []): Promise<Record<string, string>> =>
      (await client.query<Record<string, string>>(text, values)).rows[0] ?? {}
    await ask('select pg_create_physical_replication_slot($1, true, true)', [`prakriya_backup_${process.pid}`])
    const { runs = '' } = await ask(`select current_setting('data_directory') as runs`)
    if (realpathSync(runs) !== realpathSync(folder))
      throw new Error(`The database that runs is in ${runs}, not ${folder}.`)
    await ask(`select pg_backup_start('prakriya', true)`)
    await copyFiles(folder, folder, archive)
    const { label = '', last = '' } = await ask(
      `select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)`,
    )
    const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
    if (first === undefined) throw new Error('PostgreSQL does not say where its log begins.')
    const log = (await readdir(join(folder, 'pg_wal'))).filter(
      (name) => WAL_FILE.test(name) && name >= first && name <= last,
    )
    if (!log.includes(first) || !log.includes(last))
      throw new Error('A part of the log of PostgreSQL is gone: try again.')
    for (const name of log.toSorted())
      if (!(await archive.file(`postgres/pg_wal/${name}`, join(folder, 'pg_wal', name))))
        throw new Error(`A part of the log of PostgreSQL is gone (${name}): try again.`)
    await archive.text('postgres/backup_label', label)
  } finally {
    await client.end()
  }
}

async function copyFiles(root: string, folder: string, archive: ArchiveWriter): Promise<void> {
  const placed = (one: Dirent) => `postgres/${relative(root, join(folder, one.name))}`
  for (const one of await readdir(folder, { withFileTypes: true })) {
    if (LEFT_OUT.test(one.name)) continue
    if (one.isSymbolicLink()) throw new Error(`${join(folder, one.name)} is a link, which a backup does not follow.`)
    if (one.isFile()) await archive.file(placed(one), join(folder, one.name))
    if (!one.isDirectory()) continue
    await archive.folder(placed(one))
    if (folder !== root || !EMPTY.has(one.name)) await copyFiles(root, join(folder, one.name), archive)
  }
}
