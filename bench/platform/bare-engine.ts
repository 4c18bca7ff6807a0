import { engine } from '../../tests/platform/kit/clock.ts'
import type { Case, Person } from '../../tests/platform/kit/people.ts'

type EngineVariables = Record<string, { type: string; value: unknown }>

/** The diagram of a case under a tenant of its own, with what the case began with. */
export interface BareDiagram {
  /** Of the definition, as a path of the engine's REST interface takes it. */
  definition: string
  variables: EngineVariables
  /** Those of them that are working days. */
  days: EngineVariables
}

/** Deploys the diagram of a case under a tenant, which the product leaves alone, with the decision tables it names. */
export async function bareDiagram(
  example: Case,
  reader: Person,
  tables: Record<string, Blob> = {},
): Promise<BareDiagram> {
  const { processDefinitionId } = await reader.get(`/api/cases/${example.id}`)
  const given = (await reader.get(`/api/cases/${example.id}/variable-instances`)).items as {
    name: string
    type: string
    value: unknown
  }[]
  const variables = Object.fromEntries(given.map(({ name, type, value }) => [name, { type, value }]))
  const form = new FormData()
  form.set('deployment-name', 'bench')
  form.set('tenant-id', 'bench')
  for (const [file, table] of Object.entries(tables)) form.set(file, table, file)
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
