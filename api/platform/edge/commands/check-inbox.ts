import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readJson } from '../../kernel/json-file.ts'
import { connect } from '../../kernel/db/database.ts'
import { operaton } from '../../kernel/engine/operaton/operaton.ts'
import { definitionStore } from '../../model/deployed/definitions.ts'
import { loadLibrary } from '../../model/library/library.ts'
import { readSettings, readStackSettings } from '../../kernel/settings.ts'
import type { StackStatus } from '../supervisor/stack.ts'
import { checkInbox, sweepInbox } from '../../work/inbox/check.ts'

// `npm run inbox -- check|rebuild`: compares the inbox with the engine, case by case, and prints the differences;
// `rebuild` rewrites what differs. It uses the running stack of the data folder, or the API's settings.
const root = join(import.meta.dirname, '../../../..')
/** Cases per step. */
const CASES_PER_STEP = 50

const mode = process.argv[2]
if (mode !== 'check' && mode !== 'rebuild') {
  console.error('npm run inbox -- check|rebuild')
  process.exit(2)
}
const mend = mode === 'rebuild'
const { databaseUrl, engineUrl, engineSecret, publicUrl } = process.env['AUDIT_KEY']
  ? readSettings(process.env)
  : running()
const library = loadLibrary(root)
const database = connect(databaseUrl, { name: 'prakriya-inbox', max: 4 })
const { db } = database
try {
  const dependencies = {
    db,
    engine: operaton({ url: engineUrl, secret: engineSecret }),
    definitions: definitionStore(db),
    roles: library.roles,
    library,
    publicUrl,
  }
  let [checked, drifted, busy, after]: [number, number, number, string | null] = [0, 0, 0, null]
  do {
    const found = await checkInbox(dependencies, { cases: CASES_PER_STEP, mend, ...(after !== null && { after }) })
    for (const { reference, differences } of found.drifted) {
      console.log(`${reference}${mend ? ', rewritten' : ''}:`)
      for (const { of, is, row } of differences) console.log(`  ${is} in ${of}: ${JSON.stringify(row)}`)
    }
    checked += found.checked
    drifted += found.drifted.length
    busy += found.busy
    after = found.last
  } while (after !== null)
  const over = await sweepInbox(db, mend)
  if (over.length > 0) console.log(`Over, but still in a list${mend ? '; taken out' : ''}: ${over.join(', ')}`)
  console.log(`${checked} running cases: ${drifted} differed, ${busy} were being changed and were left out.`)
  if (!mend && drifted + over.length > 0) process.exitCode = 1
} finally {
  await database.close()
}

/** The address of the stack that runs on the data folder. */
function running() {
  const file = resolve(root, readStackSettings(process.env).dataDir, 'stack.json')
  const status = existsSync(file) ? readJson<StackStatus>(file) : undefined
  if (status?.state !== 'ready') {
    console.error('Prakriya does not run here: start it first (npm start).')
    process.exit(1)
  }
  return { ...status, publicUrl: status.url }
}
