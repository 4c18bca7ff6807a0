import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { databaseTypes } from '../../../api/platform/db/generate.ts'
import { bringUpToDate } from '../../../api/platform/generated.ts'
import { resetData, startStack } from '../../../api/platform/supervisor/stack.ts'
import { generators } from './generators.ts'

const root = resolve(import.meta.dirname, '../../..')
const types = join(root, 'api/platform/db/database.generated.ts')
/** What every other generator reads. */
const topics = join(root, 'processes/platform/topics.generated.json')

/** The types of the tables, out of a new PostgreSQL with today's migrations, which is thrown away. */
async function typesOfTables(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'prakriya-generate-'))
  const options = { ownerDatabaseUrl: undefined, engine: undefined, port: 0, dataDir, demo: false }
  try {
    const stack = await startStack({ ...options, parts: ['postgres'], say: () => undefined })
    try {
      return await databaseTypes(stack.status.databaseUrl)
    } finally {
      await stack.stop()
    }
  } finally {
    await resetData(dataDir)
  }
}

if (!existsSync(topics)) writeFileSync(topics, '{}\n')
for (const script of generators) {
  const { status } = spawnSync(process.execPath, [join(root, script)], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
await bringUpToDate(types, await typesOfTables())
console.log('Everything that is generated fits its sources.')
