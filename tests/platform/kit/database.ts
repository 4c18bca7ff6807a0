import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, connect } from '../../../api/platform/kernel/db/database.ts'
import { stack } from './stack.ts'

const root = join(import.meta.dirname, '../../..')

/** A migrated database for one test file, beside the product's on the same server. */
export interface TestDatabase extends Database {
  /** As the owner: for what the application's role may not do. */
  owner: Database
  appUrl: string
  ownerUrl: string
  drop(): Promise<void>
}

/** Creates an empty database with the present schema. */
export async function freshDatabase(): Promise<TestDatabase> {
  const dataDir = process.env['PRAKRIYA_TEST_DATA']!
  const { ownerDatabaseUrl } = stack(dataDir)
  const { appPassword, enginePassword } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  const name = `test_${randomBytes(6).toString('hex')}`
  const model = await migrated(ownerDatabaseUrl, { appPassword, enginePassword })
  await query(ownerDatabaseUrl, `create database ${name} template ${model}`)
  const ownerUrl = at(ownerDatabaseUrl, name)
  const appUrl = new URL(ownerUrl)
  appUrl.username = 'prakriya_app'
  appUrl.password = appPassword
  const app = connect(appUrl.href, { name: 'test', max: 40 })
  const owner = connect(ownerUrl.href, { name: 'test-owner', max: 2 })
  return {
    ...app,
    owner,
    appUrl: appUrl.href,
    ownerUrl: ownerUrl.href,
    async drop() {
      await app.close()
      await owner.close()
      await query(ownerDatabaseUrl, `drop database ${name} with (force)`)
    },
  }
}

/** The migrated empty database, created once for all files: copying takes a tenth of the time. */
async function migrated(url: string, passwords: { appPassword: string; enginePassword: string }): Promise<string> {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  const files = globSync('api/platform/kernel/db/{migrate,migrations/*}.ts', { cwd: root }).sort()
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
  const name = `test_model_${hash.digest('hex').slice(0, 12)}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(hashtext('${name}'))`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return name
    // Renamed only when complete: an aborted one is no template.
    const making = `${name}_making`
    await client.query(`drop database if exists ${making} with (force)`)
    await client.query(`create database ${making}`)
    // The same passwords again: roles belong to the whole server, and the product still uses them.
    const { migrate } = await import('../../../api/platform/kernel/db/migrate.ts')
    await migrate({ ownerDatabaseUrl: at(url, making).href, ...passwords })
    await client.query(`alter database ${making} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
function at(url: string, name: string): URL {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
