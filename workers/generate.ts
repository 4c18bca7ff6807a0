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
      ...(Object.keys(output.properties).length > 0 && { outputs: fieldsOf(output) }),
      raises: [...(raises ?? [])],
      ...(schedule && { schedule }),
    },
  ])
  return {
    'processes/platform/topics.generated.json': `${JSON.stringify(Object.fromEntries(described), null, 2)}\n`,
  }
}

function fieldsOf({ properties }: TObject): NonNullable<Topic['outputs']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typebox writes JSON Schemas, which fields are
  return properties as NonNullable<Topic['outputs']>
}

function required(schema: TObject): string[] {
  return [...((schema as { required?: string[] }).required ?? [])]
}
