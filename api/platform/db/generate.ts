import { execFile } from 'node:child_process'
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
