import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { format, resolveConfig } from 'prettier'

/** The types of schema `app` as a migrated database has it: the content of `database.generated.ts`. */
export async function databaseTypes(databaseUrl: string): Promise<string> {
  const tool = join(import.meta.dirname, '../../../node_modules/kysely-codegen/dist/cli/bin.js')
  const options = ['--dialect', 'postgres', '--default-schema', 'app', '--include-pattern', 'app.*', '--print']
  const { stdout } = await promisify(execFile)(process.execPath, [tool, '--url', databaseUrl, ...options])
  const file = join(import.meta.dirname, 'database.generated.ts')
  return format(stdout.slice(stdout.indexOf('/**')), { ...(await resolveConfig(file)), parser: 'typescript' })
}

// To be run after a change of the migrations, with the address of a database that has them.
if (import.meta.main) {
  const [databaseUrl] = process.argv.slice(2)
  if (!databaseUrl) throw new Error('usage: node api/platform/db/generate.ts <address of a migrated database>')
  await writeFile(join(import.meta.dirname, 'database.generated.ts'), await databaseTypes(databaseUrl))
}
