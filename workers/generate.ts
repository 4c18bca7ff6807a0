import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TObject } from 'typebox'
import type { Topic } from '../api/platform/models/context.ts'
import { discoverWorkers } from './platform/discovery.ts'

const file = join(import.meta.dirname, '../processes/platform/topics.generated.json')

/** What diagrams may ask of the workers: gate and process studio read it from this file, because neither loads workers. */
async function topics(): Promise<string> {
  const workers = [...(await discoverWorkers())].sort(([a], [b]) => (a < b ? -1 : 1))
  const described = workers.map(([topic, { input, output, raises, schedule }]): [string, Topic] => [
    topic,
    {
      needs: required(input),
      gives: Object.keys(output.properties),
      ...(Object.keys(output.properties).length > 0 && { outputs: output.properties as NonNullable<Topic['outputs']> }),
      raises: [...(raises ?? [])],
      ...(schedule && { schedule }),
    },
  ])
  return `${JSON.stringify(Object.fromEntries(described), null, 2)}\n`
}

function required(schema: TObject): string[] {
  return [...((schema as { required?: string[] }).required ?? [])]
}

const made = await topics()
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8')) !== made) {
    console.error('processes/platform/topics.generated.json does not fit the workers: run node workers/generate.ts')
    process.exitCode = 1
  }
} else await writeFile(file, made)
