import { readFile, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/**
 * Brings a generated file up to date, and says so where it was not. A script that runs with `--check` writes nothing: it
 * says which file does not fit, or is missing, and fails.
 */
export async function bringUpToDate(file: string, made: string): Promise<void> {
  if ((await contentOf(file)) === made) return
  const name = relative(root, file)
  if (process.argv.includes('--check')) {
    console.error(`${name} does not fit its sources: npm run generate`)
    process.exitCode = 1
    return
  }
  await writeFile(file, made)
  console.log(`written: ${name}`)
}

/** Nothing for a file that is missing. */
async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
