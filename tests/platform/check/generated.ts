import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from './reason.ts'

/** Makes generated files: path from the root folder → content. */
export type Maker = () => Promise<Record<string, string>>

const topics = 'processes/platform/topics.generated.json'

/** One line for each generated file that is missing, or that is not what its sources make. */
export async function staleFiles(root: string, makers: readonly Maker[]): Promise<string[]> {
  const stale: string[] = []
  for (const make of makers)
    try {
      for (const [file, content] of Object.entries(await make())) {
        const present = read(root, file)
        if (present === undefined) stale.push(`${file} is missing: run npm run generate`)
        else if (present !== content) stale.push(`${file} does not fit its sources: run npm run generate`)
      }
    } catch (error) {
      stale.push(reasonOf(error, root))
    }
  return [...new Set(stale)]
}

/** Writes each generated file that is missing or out of date; gives their paths. */
export async function writeGenerated(root: string, makers: readonly Maker[]): Promise<string[]> {
  const written = new Set<string>()
  const write = (file: string, content: string) => {
    if (read(root, file) === content) return
    writeFileSync(join(root, file), content)
    written.add(file)
  }
  // Whatever reads the areas reads it, and the constants, which workers may import, need none of its topics.
  if (read(root, topics) === undefined) write(topics, '{}\n')
  for (const make of makers) for (const [file, content] of Object.entries(await make())) write(file, content)
  return [...written]
}

function read(root: string, file: string): string | undefined {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
