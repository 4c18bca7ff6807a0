import { resolve } from 'node:path'
import { readEnvFile } from '../../kernel/env-file.ts'
import { readBackupSettings } from '../../kernel/settings.ts'
import { interruption, refuse } from '../backup/ending.ts'
import { restoreInto } from '../backup/restoring.ts'

// `npm run restore -- FILE`: puts a backup into the data folder, which must be empty, and says whether it is whole.
const root = resolve(import.meta.dirname, '../../../..')

async function main(signal: AbortSignal): Promise<void> {
  readEnvFile(root)
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new Error('npm run restore -- FILE')
  const { dataDir: given, ownerDatabaseUrl, keys } = readBackupSettings(process.env)
  if (ownerDatabaseUrl)
    throw new Error(
      'DATABASE_URL names a PostgreSQL of your own: restore it with its own tools, and copy the data folder back.',
    )
  const dataDir = resolve(root, given)
  const { head, bounds, findings } = await restoreInto(dataDir, {
    file: resolve(file),
    ...keys,
    say: console.log,
    signal,
  })
  const { cases, auditEntries } = bounds.after
  console.log(
    `Restored into ${dataDir}: as it was on ${head.at.slice(0, 16).replace('T', ' ')} UTC, Prakriya ${head.product}.`,
  )
  if (findings.length > 0) {
    for (const line of findings) console.error(`NOT WHOLE: ${line}`)
    process.exitCode = 1
    return
  }
  console.log(
    `It is whole: up to ${cases} cases and ${auditEntries} audit entries, nothing missing. Start it with npm start.`,
  )
}

main(interruption()).catch(refuse)
