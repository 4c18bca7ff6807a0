import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { columnTypes } from '../../kernel/db/column-types.ts'
import { formatted } from '../../kernel/formatted.ts'
import { resetData, startStack } from '../supervisor/stack.ts'

const root = join(import.meta.dirname, '../../../..')
const file = 'api/platform/kernel/db/database.generated.ts'

/**
 * The types of schema `app` as the migrations create it, with our own for some columns. Generating them needs
 * PostgreSQL, so the first line of the file has a hash of what they are made from and of the types. Only if it does not
 * match, a server is started and the types are generated again.
 */
export async function databaseTypes(): Promise<Record<string, string>> {
  const present = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
  const body = present.slice(present.indexOf('\n') + 1)
  return { [file]: present === bannerOf(body) + body ? present : await withScratchDatabase(typesOf) }
}

/** The content of the file for a migrated database. */
export async function typesOf(databaseUrl: string): Promise<string> {
  const tool = join(root, 'node_modules/kysely-codegen/dist/cli/bin.js')
  const options = ['--dialect', 'postgres', '--default-schema', 'app', '--include-pattern', 'app.*', '--print']
  options.push('--overrides', JSON.stringify({ columns: columnTypes }))
  const { stdout } = await promisify(execFile)(process.execPath, [tool, '--url', databaseUrl, ...options])
  const types = stdout.slice(stdout.indexOf('*/') + 2).trimStart()
  const body = await formatted(file, types)
  return bannerOf(body) + body
}

function bannerOf(body: string): string {
  const hash = createHash('sha256').update(body).update(JSON.stringify(columnTypes))
  for (const path of globSync('api/platform/kernel/db/migrations/*.ts', { cwd: root }).sort())
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return `// Made by \`npm run generate\` out of the migrations (${hash.digest('hex').slice(0, 16)}). Not to be edited.\n`
}

/** Starts a temporary PostgreSQL with all migrations, and deletes it afterwards. */
async function withScratchDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'prakriya-types-'))
  const options = { ownerDatabaseUrl: undefined, engine: undefined, port: 0, dataDir, demo: false }
  try {
    const stack = await startStack({ ...options, parts: ['postgres'], say: () => undefined })
    try {
      return await work(stack.status.databaseUrl)
    } finally {
      await stack.stop()
    }
  } finally {
    await resetData(dataDir)
  }
}
