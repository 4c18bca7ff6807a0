import type { TObject } from 'typebox'
import type { Topic } from '../api/platform/model/definitions/topic.ts'
import { discoverWorkers } from './platform/discovery.ts'

/** The topics of all workers; gate and process studio read them from this file, because neither loads workers. */
export async function topics(): Promise<Record<string, string>> {
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
  return {
    'processes/platform/topics.generated.json': `${JSON.stringify(Object.fromEntries(described), null, 2)}\n`,
  }
}

function required(schema: TObject): string[] {
  return [...((schema as { required?: string[] }).required ?? [])]
}
