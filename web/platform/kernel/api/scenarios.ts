import useSWR, { mutate } from 'swr'
import { request, withQuery, type Problem } from '../client/client.ts'
import type {
  CheckDecisionTables,
  GetScenarioParts,
  GetScenarioRun,
  ListScenarios,
  TryDecisionTable,
} from '../client/operations.generated.ts'
import { useRead } from './read.ts'

/** A scenario of a flow, with its last result. */
export type ScenarioRow = ListScenarios['answer']['items'][number]
export type Scenario = ScenarioRow['scenario']
/** The parts that a scenario can be built from. */
export type Parts = GetScenarioParts['answer']
/** The progress and the results of a run. */
export type Run = GetScenarioRun['answer']
export type TableCheck = CheckDecisionTables['answer']
export type TableAnswer = TryDecisionTable['answer']
type Inputs = TryDecisionTable['body']['inputs']

const of = (process: string) => `/api/studio/models/${encodeURIComponent(process)}`
const list = (process: string) => `${of(process)}/scenarios`

export const useScenarios = (process: string) => useRead<ListScenarios['answer']>(list(process))
export const useParts = (process: string, draft: boolean) =>
  useRead<Parts>(withQuery(`${list(process)}/parts`, { draft }))

/** An ended case as an unsaved scenario. */
export const recordScenario = (process: string, reference: string) =>
  request<Scenario>('POST', `${list(process)}/record`, { body: { reference } })

/** Polling interval of a run, in milliseconds. */
const pace = 1000

/** Polls a run while it is in progress; undefined waits. */
export const useRun = (process: string, id: string | undefined) =>
  useSWR<Run, Problem>(id ? `${of(process)}/runs/${id}` : null, (path: string) => request('GET', path), {
    refreshInterval: (latest) => (latest && latest.state !== 'running' ? 0 : pace),
    onSuccess: (latest) => void (latest.state !== 'running' && mutate(list(process))),
  })

/** Runs scenarios on the engine; returns the id of the run. */
export async function runScenarios(process: string, wanted: { ids?: string[]; draft?: boolean }): Promise<string> {
  return (await request<{ runId: string }>('POST', `${list(process)}/run`, { body: wanted })).runId
}

/** Runs the newest ended cases again; returns the id of the run, and the case numbers that are left out. */
export function rehearse(process: string, last: number): Promise<{ runId: string; leftOut: string[] }> {
  return request('POST', `${of(process)}/rehearsal`, { body: { last } })
}

/** Saves a scenario; without an id, a new one. */
export async function saveScenario(process: string, id: string | undefined, scenario: Scenario): Promise<void> {
  if (id) await request('PUT', `${list(process)}/${id}`, { body: scenario })
  else await request('POST', list(process), { body: scenario })
  await mutate(list(process))
}

export async function deleteScenario(process: string, id: string): Promise<void> {
  await request('DELETE', `${list(process)}/${id}`)
  await mutate(list(process))
}

export const checkTable = (process: string, dmn: string) =>
  request<TableCheck>('POST', `${of(process)}/decisions/check`, { body: { dmn } })

export const tryTable = (process: string, dmn: string, decision: string, inputs: Inputs) =>
  request<TableAnswer>('POST', `${of(process)}/decisions/try`, { body: { dmn, decision, inputs } })
