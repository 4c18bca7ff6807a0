import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { connect } from '../../kernel/db/database.ts'
import { fieldKeys } from '../../kernel/field-keys.ts'
import { readJson } from '../../kernel/json-file.ts'
import { readKeySettings, readStackSettings } from '../../kernel/settings.ts'
import { encryptAgain, usesOfKeys } from '../../records/registers/keys-in-use.ts'
import { readSecrets } from '../supervisor/secrets.ts'
import type { StackStatus } from '../supervisor/stack.ts'

// `npm run keys -- status|rotate`: says what each key of FIELD_KEYS encrypts, and encrypts everything again under the
// newest, while the product runs. Whatever stops it, the next run goes on. It uses the running stack of the data
// folder, or OWNER_DATABASE_URL with FIELD_KEYS.
const root = resolve(import.meta.dirname, '../../../..')
/** Versions of entries per transaction. */
const VERSIONS_PER_STEP = 200

const mode = process.argv[2]
if (mode !== 'status' && mode !== 'rotate') {
  console.error('npm run keys -- status|rotate')
  process.exit(2)
}
const settings = process.env['OWNER_DATABASE_URL'] ? readKeySettings(process.env) : running()
const keys = fieldKeys(settings.fieldKeys)
const [newest] = keys.ids
const database = connect(settings.ownerDatabaseUrl, { name: 'prakriya-keys', max: 1 })
try {
  if (mode === 'rotate') {
    let total = 0
    for (let done = 1; done > 0; total += done) {
      done = await encryptAgain(database.db, keys, { versions: VERSIONS_PER_STEP })
      if (done > 0) console.log(`${total + done} encrypted again under ${newest}`)
    }
  }
  for (const { id, versions } of await usesOfKeys(database.db, keys)) {
    const missing = !keys.ids.includes(id)
    const word = missing ? 'MISSING in FIELD_KEYS' : id === newest ? 'encrypts' : versions > 0 ? 'decrypts' : 'can go'
    console.log(`${id}: ${versions} versions of entries, ${word}`)
    if (missing) process.exitCode = 1
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await database.close()
}

/** Keys and database of the stack that runs on the data folder. */
function running() {
  const dataDir = resolve(root, readStackSettings(process.env).dataDir)
  const file = resolve(dataDir, 'stack.json')
  const status = existsSync(file) ? readJson<StackStatus>(file) : undefined
  if (status?.state !== 'ready') {
    console.error('Prakriya does not run here: start it first (npm start), or set OWNER_DATABASE_URL and FIELD_KEYS.')
    process.exit(1)
  }
  const { ownerDatabaseUrl } = status
  return { ownerDatabaseUrl, fieldKeys: process.env['FIELD_KEYS'] || readSecrets(dataDir).fieldKeys }
}
