import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AnyWorker, isWorker } from './worker.ts'

/**
 * All workers by topic: `workers/<area>/<verb-noun>.ts` is `<area>.<verb-noun>`. The folder `platform` also contains
 * the harness. In an area every file must be a worker, or the start fails.
 */
export async function discoverWorkers(folder = join(import.meta.dirname, '..')): Promise<Map<string, AnyWorker>> {
  const found = new Map<string, AnyWorker>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    for (const file of await readdir(join(folder, entry.name))) {
      if (!file.endsWith('.ts') || file.endsWith('.d.ts')) continue
      const path = join(folder, entry.name, file)
      const { default: exported }: { default?: unknown } = await import(pathToFileURL(path).href)
      if (isWorker(exported)) found.set(`${entry.name}.${basename(file, '.ts')}`, exported)
      else if (entry.name !== 'platform') throw new Error(`${path} does not export a worker`)
    }
  }
  return found
}
