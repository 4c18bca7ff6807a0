import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Database, connect } from '../../../api/platform/db/database.ts'
import { migrate } from '../../../api/platform/db/migrate.ts'
import { stack } from './stack.ts'

/** A migrated database of its own for one test file, beside the product's on the same server. */
export interface TestDatabase extends Database {
  /** As the owner: for what the app role may not do. */
  owner: Database
  appUrl: string
  drop(): Promise<void>
}

/** Makes an empty database with today's shape. */
export async function freshDatabase(): Promise<TestDatabase> {
  const dataDir = process.env['PRAKRIYA_TEST_DATA']!
  const { ownerDatabaseUrl } = stack(dataDir)
  const { appPassword, enginePassword } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  const name = `test_${randomBytes(6).toString('hex')}`
  await query(ownerDatabaseUrl, `create database ${name}`)
  const ownerUrl = new URL(ownerDatabaseUrl)
  ownerUrl.pathname = `/${name}`
  // The same passwords again: roles belong to the whole server, and the product goes on using them.
  await migrate({ ownerDatabaseUrl: ownerUrl.href, appPassword, enginePassword })
  const appUrl = new URL(ownerUrl)
  appUrl.username = 'prakriya_app'
  appUrl.password = appPassword
  const app = connect(appUrl.href, { name: 'test', max: 40 })
  const owner = connect(ownerUrl.href, { name: 'test-owner', max: 2 })
  return {
    ...app,
    owner,
    appUrl: appUrl.href,
    async drop() {
      await app.close()
      await owner.close()
      await query(ownerDatabaseUrl, `drop database ${name} with (force)`)
    },
  }
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
