import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { engine } from '../../tests/platform/kit/clock.ts'
import type { Case, Person } from '../../tests/platform/kit/people.ts'

type EngineVariables = Record<string, { type: string; value: unknown }>

/** The diagram of a case under a tenant of its own, with the case's start variables. */
export interface BareDiagram {
  /** The definition as a path of the engine's REST API. */
  definition: string
  variables: EngineVariables
  /** Those variables that are working days. */
  days: EngineVariables
}

/** Deploys the diagram of a case with its area's decision tables under a tenant, which the product ignores. */
export async function bareDiagram(example: Case, reader: Person): Promise<BareDiagram> {
  const { processDefinitionId, flow } = await reader.get(`/api/cases/${example.id}`)
  const given = (await reader.get(`/api/cases/${example.id}/variable-instances`)).items as {
    name: string
    type: string
    value: unknown
  }[]
  const variables = Object.fromEntries(given.map(({ name, type, value }) => [name, { type, value }]))
  const form = new FormData()
  form.set('deployment-name', 'bench')
  form.set('tenant-id', 'bench')
  const folder = join(import.meta.dirname, '../../processes', (flow as string).split('/')[0]!)
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.dmn')))
    form.set(file, new Blob([readFileSync(join(folder, file))]), file)
  const xml = await reader.get<string>(`/api/process-definitions/${processDefinitionId}/xml`)
  form.set('model.bpmn', new Blob([xml]), 'model.bpmn')
  const { deployedProcessDefinitions } = await engine<{ deployedProcessDefinitions: object }>(
    'POST',
    '/deployment/create',
    form,
  )
  return {
    definition: encodeURIComponent(Object.keys(deployedProcessDefinitions)[0]!),
    variables,
    days: Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('workday'))),
  }
}
