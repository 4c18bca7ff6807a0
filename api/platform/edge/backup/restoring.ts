import { chownSync, createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { connect } from '../../kernel/db/database.ts'
import { type ClusterPlace, claimPlace, clusterPlace } from '../supervisor/postgres.ts'
import { readSecrets } from '../supervisor/secrets.ts'
import { makeFolder, resetData } from '../supervisor/stack.ts'
import { type ArchiveEntry, readArchive } from './archive.ts'
import { withDatabaseOf } from './database.ts'
import { type Bounds, Figures, findingsOf } from './findings.ts'

export const FORMAT = 'prakriya-backup-1'

/** The first entry of a backup. */
const BackupHead = Type.Object({
  format: Type.Literal(FORMAT),
  /** Version of the product. */
  product: Type.String(),
  /** Major version of PostgreSQL. */
  postgres: Type.String(),
  at: Type.String(),
  before: Figures,
})
export type BackupHead = Static<typeof BackupHead>

/** The last entry of a backup. */
const BackupEnd = Type.Object({ after: Figures, missing: Type.Integer({ minimum: 0 }) })
type BackupEnd = Static<typeof BackupEnd>

/** What opens a backup, and the keys of its data that the environment has; otherwise they are in the backup. */
export interface Keys {
  key: string | undefined
  auditKey: string | undefined
  fieldKeys: string | undefined
}

interface Restoring extends Keys {
  file: string
  say(line: string): void
  /** Ends it, and leaves nothing. */
  signal: AbortSignal
}

/** Names of what a backup holds, beside `postgres/` and `files/`; the first is its first entry, the last its last. */
export const entries = {
  head: 'backup.json',
  secrets: 'secrets.json',
  signed: 'audit-head.json',
  end: 'backup-end.json',
}

const isPlain = (name: string) => /^(?:postgres|files)(?:\/[\w.-]+)+$/.test(name) && !name.split('/').includes('..')

/**
 * Restores a backup into an empty data folder, and starts its database once to see that it is whole. Returns what it
 * holds and what is wrong with it. What cannot be restored at all is an Error, and leaves no folder.
 */
export async function restoreInto(
  dataDir: string,
  { file, key, say, signal, ...keys }: Restoring,
): Promise<{ head: BackupHead; bounds: Bounds; findings: string[] }> {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new Error(`${dataDir} is not empty. Move it away, or name an empty folder as PRAKRIYA_DATA.`)
  makeFolder(dataDir)
  const place = clusterPlace(dataDir)
  if (existsSync(place.folder)) {
    rmSync(dataDir, { recursive: true })
    throw new Error(`${place.folder} holds the database of what was in ${dataDir} before. Move it away too.`)
  }
  try {
    say('Reading the backup …')
    claimPlace(dataDir, place)
    const { head, end } = await unpack(dataDir, place, { file, key, signal })
    const bounds = { before: head.before, ...end }
    say('Starting its database …')
    return { head, bounds, findings: await look(dataDir, bounds, { ...keys, say, signal }) }
  } catch (error) {
    await resetData(dataDir)
    throw error
  }
}

async function unpack(
  dataDir: string,
  { folder, user, version }: ClusterPlace,
  { file, key, signal }: Pick<Restoring, 'file' | 'key' | 'signal'>,
) {
  let head: BackupHead | undefined
  let end: BackupEnd | undefined
  const placeOf = (name: string) =>
    name.startsWith('postgres/') ? join(folder, name.slice('postgres/'.length)) : join(dataDir, name)
  const give = (path: string, name: string) => {
    if (user && name.startsWith('postgres/')) chownSync(path, user.uid, user.gid)
  }
  const makeFor = (path: string, name: string) => {
    const made = mkdirSync(path, { recursive: true, mode: name.startsWith('postgres/') ? 0o700 : 0o755 })
    if (made !== undefined) give(path, name)
  }
  const keep = async ({ name, content }: ArchiveEntry) => {
    const path = placeOf(name)
    if (name.startsWith('files/')) makeFor(dirname(path), name)
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    give(path, name)
  }
  await readArchive(
    file,
    key,
    async (entry) => {
      const { name } = entry
      if (!head) {
        if (name !== entries.head) throw new Error(`${file} is no backup of Prakriya.`)
        head = headIn(JSON.parse(await text(entry.content)), file, version)
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        give(folder, 'postgres/')
      } else if (name === entries.end) end = endIn(JSON.parse(await text(entry.content)), file)
      else if (name === entries.secrets || name === entries.signed || (isPlain(name) && !entry.isFolder))
        await keep(entry)
      else if (isPlain(name)) makeFor(placeOf(name), name)
      else throw new Error(`${file} holds ${name}, which no backup of Prakriya does.`)
    },
    signal,
  )
  if (!head || !end) throw new Error(`${file} is not complete: the backup was interrupted.`)
  return { head, end }
}

function headIn(head: unknown, file: string, version: string): BackupHead {
  if (!Value.Check(BackupHead, head))
    throw new Error(`${file} is of another format than ${FORMAT}: restore it with the version that made it.`)
  if (head.postgres === version) return head
  throw new Error(
    `${file} holds a database of PostgreSQL ${head.postgres}, and this version brings ${version}: restore it with Prakriya ${head.product}.`,
  )
}

function endIn(end: unknown, file: string): BackupEnd {
  if (Value.Check(BackupEnd, end)) return end
  throw new Error(`${file} does not say what it holds.`)
}

async function look(
  dataDir: string,
  bounds: Bounds,
  { auditKey, fieldKeys, say, signal }: Pick<Restoring, 'auditKey' | 'fieldKeys' | 'say' | 'signal'>,
): Promise<string[]> {
  return withDatabaseOf(dataDir, signal, async (ownerUrl) => {
    const database = connect(ownerUrl, { name: 'prakriya-restore', max: 2 })
    try {
      say('Comparing rows, balances, files and the audit trail …')
      const own = readSecrets(dataDir)
      return await findingsOf(database.db, bounds, {
        dataDir,
        auditKey: auditKey ?? own.auditKey,
        fieldKeys: fieldKeys ?? own.fieldKeys,
      })
    } finally {
      await database.close()
    }
  })
}
