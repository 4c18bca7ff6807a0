import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runMigrations } from 'graphile-worker'
import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { readMigrationSettings } from '../settings.ts'
import { patientPool } from './database.ts'

/** The owner's URL, and the passwords for the two roles with fewer rights. */
export interface MigrateOptions {
  ownerDatabaseUrl: string
  appPassword: string
  enginePassword: string
}

/** Advisory lock key; arbitrary, but the same on every node. */
const migrationLock = 7_001_001

/**
 * Migrates a database: the roles `prakriya_app` and `prakriya_engine`, the migrations by name, then those of the job
 * queue. Several nodes may call it at once; one runs them, the others wait. Returns the names of the migrations that
 * ran.
 */
export async function migrate({ ownerDatabaseUrl, appPassword, enginePassword }: MigrateOptions): Promise<string[]> {
  const pool = patientPool({ connectionString: ownerDatabaseUrl, max: 3, application_name: 'prakriya-migrate' })
  const lock = await pool.connect()
  try {
    await lock.query('select pg_advisory_lock($1)', [migrationLock])
    await createRole(lock, 'prakriya_app', appPassword)
    await createRole(lock, 'prakriya_engine', enginePassword)
    const ran = await runOurs(pool)
    await runJobQueues(lock, ownerDatabaseUrl)
    return ran
  } finally {
    lock.release(true)
    await pool.end()
  }
}

async function createRole(owner: pg.PoolClient, role: string, password: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [role])
  // An owner without superuser rights needs this setting to act for the roles that it creates.
  await owner.query(`set createrole_self_grant = 'set, inherit'`)
  const verb = rowCount === 0 ? 'create' : 'alter'
  await owner.query(`${verb} role ${role} login password ${owner.escapeLiteral(password)}`)
}

async function runOurs(pool: pg.Pool): Promise<string[]> {
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    provider: { getMigrations: readMigrations },
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return results.map((result) => result.migrationName)
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const folder = join(import.meta.dirname, 'migrations')
  const files = (await readdir(folder)).filter((file) => /^\d{4}-.*\.ts$/.test(file)).sort()
  const named = files.map(async (file) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every file of the folder exports `up`
    return [file.slice(0, -3), (await import(join(folder, file))) as Migration] as const
  })
  return Object.fromEntries(await Promise.all(named))
}

/** The tables of the job queue use row-level security, so they must belong to the role that uses them. */
async function runJobQueues(owner: pg.PoolClient, ownerDatabaseUrl: string): Promise<void> {
  const database = owner.escapeIdentifier((await owner.query('select current_database() as name')).rows[0].name)
  const asApp = patientPool({ connectionString: ownerDatabaseUrl, max: 2, options: '-c role=prakriya_app' })
  await owner.query(`grant create on database ${database} to prakriya_app`)
  try {
    await runMigrations({ pgPool: asApp })
  } finally {
    await asApp.end()
    await owner.query(`revoke create on database ${database} from prakriya_app`)
  }
}

// Runs on its own where the parts start separately (docker-compose.yml); the supervisor calls `migrate`.
if (import.meta.main) {
  const ran = await migrate(readMigrationSettings(process.env))
  console.log(ran.length === 0 ? 'nothing to migrate' : `migrated: ${ran.join(', ')}`)
}
