import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../../kernel/db/database.ts'
import { readEnvFile } from '../../kernel/env-file.ts'
import { fieldKeys } from '../../kernel/field-keys.ts'
import { readJson } from '../../kernel/json-file.ts'
import { readKeySettings, readStackSettings } from '../../kernel/settings.ts'
import {
  type Cursor,
  declareLost,
  encryptAgain,
  lossOf,
  refuseChanged,
  usesOfKeys,
} from '../../records/registers/keys-in-use.ts'
import { readSecrets } from '../supervisor/secrets.ts'
import type { StackStatus } from '../supervisor/stack.ts'

// `npm run keys -- status|rotate|lost NAME`: says what each key of FIELD_KEYS encrypts, encrypts everything again under
// the newest while the product runs, or lets the product start without a key that is gone for good. Whatever stops it,
// the next run goes on. It uses the running stack of the data folder, or OWNER_DATABASE_URL with FIELD_KEYS.
const root = resolve(import.meta.dirname, '../../../..')
/** Versions of entries per transaction. */
const VERSIONS_PER_STEP = 200
/** How many versions that do not open are named. */
const NAMED = 50

const { values, positionals } = parseArgs({ options: { because: { type: 'string' } }, allowPositionals: true })
const [mode, name] = positionals
if ((mode !== 'status' && mode !== 'rotate' && mode !== 'lost') || (mode === 'lost') !== (name !== undefined)) {
  console.error('npm run keys -- status|rotate|lost NAME')
  process.exit(2)
}
readEnvFile(root)
const settings = process.env['OWNER_DATABASE_URL'] ? readKeySettings(process.env) : running()
const keys = fieldKeys(settings.fieldKeys)
const [newest] = keys.ids
const database = connect(settings.ownerDatabaseUrl, { name: 'prakriya-keys', max: 1 })
try {
  if (name !== undefined) await lose(name)
  if (mode === 'rotate') await rotate()
  await tellStatus()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await database.close()
}

/** Again from the start until nothing is left, because people write under an older key until every part knows the newest. */
async function rotate(): Promise<void> {
  let total = 0
  for (let moved = -1; moved !== 0;) {
    moved = 0
    const unopened: string[] = []
    for (let [after, goesOn]: [Cursor | undefined, boolean] = [undefined, true]; goesOn;) {
      const step = await encryptAgain(database.db, keys, { versions: VERSIONS_PER_STEP, after })
      moved += step.done
      total += step.done
      unopened.push(...step.unopened)
      if (step.done > 0) console.log(`${total} encrypted again under ${newest}`)
      ;[after, goesOn] = [step.next, step.next !== undefined]
    }
    if (moved > 0 || unopened.length === 0) continue
    for (const label of unopened.slice(0, NAMED)) console.error(`does not open: ${label}`)
    console.error(`${unopened.length} versions do not open with the key that they name, and stay as they are.`)
    process.exitCode = 1
  }
}

async function tellStatus(): Promise<void> {
  for (const { id, versions, lost } of await usesOfKeys(database.db, keys)) {
    const missing = !lost && !keys.ids.includes(id)
    const word = missing
      ? 'MISSING in FIELD_KEYS'
      : lost
        ? 'declared lost'
        : id === newest
          ? 'encrypts'
          : versions > 0
            ? 'decrypts'
            : 'can go'
    console.log(`${id}: ${versions} versions of entries, ${word}`)
    if (missing) process.exitCode = 1
  }
  await refuseChanged(database.db, keys)
}

/** Says what is lost with a key; with a reason, declares it lost. */
async function lose(id: string): Promise<void> {
  for (const { register, entries, versions } of await lossOf(database.db, id))
    console.log(`${register}: ${entries} entries in ${versions} versions are encrypted with ${id}`)
  const reason = values.because?.trim()
  if (reason) return declareLost(database.db, keys, { id, reason, by: userInfo().username })
  throw new Error(
    [
      `WARNING: once ${id} is declared lost, the product starts without it, and nobody can read any more what it encrypted:`,
      'for those entries it shows that their fields are lost. Search every backup of FIELD_KEYS and of secrets.json first.',
      'A declaration is final and in the audit trail; should the same secret be found, FIELD_KEYS takes it again.',
      `To declare it: npm run keys -- lost ${id} --because "how it was lost"`,
    ].join('\n'),
  )
}

/** Keys and database of the stack that runs on the data folder. */
function running() {
  const dataDir = resolve(root, readStackSettings(process.env).dataDir)
  const file = resolve(dataDir, 'stack.json')
  const status = existsSync(file) ? readJson<StackStatus>(file) : undefined
  if (status?.state !== 'ready') {
    console.error(
      'Prakriya does not run here: start it first (npm start; npm start -- --parts postgres if it refuses a key), or set OWNER_DATABASE_URL and FIELD_KEYS.',
    )
    process.exit(1)
  }
  const { ownerDatabaseUrl } = status
  return { ownerDatabaseUrl, fieldKeys: process.env['FIELD_KEYS'] || readSecrets(dataDir).fieldKeys }
}
