import { mutate } from 'swr'
import { request, withQuery } from '../client/client.ts'
import type {
  CheckModel,
  DeployModel,
  GetHeat,
  GetMigration,
  GetModelDraft,
  GetModelProposal,
  GetModelVersion,
  GetModelVocabulary,
  ListModels,
  ListModelVersions,
  LockModelDraft,
  PlanMigration,
} from '../client/operations.generated.ts'
import { useRead } from './read.ts'

export type StudioModel = ListModels['answer']['items'][number]
export type ModelVersion = ListModelVersions['answer']['items'][number]
export type Content = GetModelVersion['answer']
/** A decision table with its XML. */
export type Table = Content['dmn'][number]
/** Everything that a model of a flow may name. */
export type Vocabulary = GetModelVocabulary['answer']
export type Draft = GetModelDraft['answer']
type Proposal = GetModelProposal['answer']
export type ModelProblem = CheckModel['answer']['problems'][number]
export type Plan = PlanMigration['answer']
export type Instruction = Plan['instructions'][number]
export type Migration = GetMigration['answer']
type Heat = GetHeat['answer']
export type HeatElement = Heat['elements'][number]

const pathOf = (process: string, part = '') => `/api/studio/models/${encodeURIComponent(process)}${part}`

/** Reads all studio data again after an act on a model. */
const changed = () => mutate((key) => typeof key === 'string' && key.startsWith('/api/studio/'))

async function act<T>(method: string, process: string, part: string, body?: unknown): Promise<T> {
  const answer = await request<T>(method, pathOf(process, part), body === undefined ? {} : { body })
  await changed()
  return answer
}

export const useModels = () => useRead<{ items: StudioModel[] }>('/api/studio/models')
export const useVersions = (process: string) => useRead<{ items: ModelVersion[] }>(pathOf(process, '/versions'))
export const useVocabulary = (process: string) => useRead<Vocabulary>(pathOf(process, '/vocabulary'))

/** The diagram and the decision tables of one version; null waits. */
export const useContent = (process: string, definitionId: string | null) =>
  useRead<Content>(definitionId === null ? null : pathOf(process, `/versions/${encodeURIComponent(definitionId)}`))

/** The same, read once, for a download. */
export const readVersion = (process: string, definitionId: string) =>
  request<Content>('GET', pathOf(process, `/versions/${encodeURIComponent(definitionId)}`))

/** The current draft, read once, so that no later read overwrites edits. */
export const readDraft = (process: string) => request<Draft>('GET', pathOf(process, '/draft'))
export const useDraft = (process: string, wanted = true) => useRead<Draft>(wanted ? pathOf(process, '/draft') : null)

/** Creates the draft from the deployed version or another one; an existing draft is returned unchanged. */
export const openDraft = (process: string, from?: string) =>
  act<Draft>('POST', process, '/draft', from === undefined ? {} : { from })
export const dropDraft = (process: string) => act<undefined>('DELETE', process, '/draft')

/** The proposal that waits for another owner's approval; null waits. */
export const useProposal = (process: string, id: string | null) =>
  useRead<Proposal>(id === null ? null : pathOf(process, `/approvals/${encodeURIComponent(id)}`))

/** Saves on top of a revision; refused if somebody else has saved since. */
export const saveDraft = (process: string, revision: number, part: { bpmn?: string; dmn?: Table[] }) =>
  request<{ revision: number; savedAt: string }>('PUT', pathOf(process, '/draft'), { body: { revision, ...part } })

export const lockDraft = (process: string, takeOver: boolean) =>
  request<LockModelDraft['answer']>('PUT', pathOf(process, '/draft/lock'), { body: takeOver ? { takeOver } : {} })
export const unlockDraft = (process: string) =>
  request<undefined>('DELETE', pathOf(process, '/draft/lock'), { keepalive: true })

/** Checks any model, whether or not it is a draft. */
export const checkModel = (process: string, bpmn: string, dmn: Table[], signal?: AbortSignal) =>
  request<{ problems: ModelProblem[] }>('POST', pathOf(process, '/check'), {
    body: { bpmn, dmn },
    ...(signal ? { signal } : {}),
  })

/** Confirms that nobody decides after some table rows. */
type Meant = { nobodyDecides?: true }

export const deployDraft = (process: string, body: { revision: number; note: string; results?: string } & Meant) =>
  act<DeployModel['answer']>('POST', process, '/deploy', body)
export const answerProposal = (process: string, id: string, body: { accept: boolean; note: string } & Meant) =>
  act<unknown>('POST', process, `/approvals/${encodeURIComponent(id)}`, body)
export const rollBack = (process: string, body: { definitionId: string; note: string } & Meant) =>
  act<DeployModel['answer']>('POST', process, '/rollback', body)
export const askSecondOwner = (process: string) => act<unknown>('PUT', process, '/settings', { secondOwner: true })
export const askWaiver = (process: string, reason: string) =>
  act<{ id: string }>('POST', process, '/settings/waivers', { reason })
export const answerWaiver = (process: string, id: string, accept: boolean, note: string) =>
  act<unknown>('POST', process, `/settings/waivers/${encodeURIComponent(id)}`, { accept, note })

export const planMigration = (process: string, from: string, to: string) =>
  request<Plan>('POST', pathOf(process, '/migration/plan'), { body: { from, to } })
export const validateMigration = (process: string, from: string, to: string, instructions: Instruction[]) =>
  request<Pick<Plan, 'problems' | 'open'>>('POST', pathOf(process, '/migration/validate'), {
    body: { from, to, instructions },
  })
export const migrate = (process: string, from: string, to: string, instructions: Instruction[]) =>
  act<{ id: string }>('POST', process, '/migrations', { from, to, instructions })
export const migrationPath = (process: string, id: string) => pathOf(process, `/migrations/${encodeURIComponent(id)}`)
export const stopMigration = (process: string, id: string, reason: string) =>
  act<undefined>('POST', process, `/migrations/${encodeURIComponent(id)}/stop`, { reason })
/** Further cases of a migration. */
export const readMigration = (process: string, id: string, cursor: string) =>
  request<Migration>('GET', withQuery(migrationPath(process, id), { cursor }))

/** How cases passed the diagram's elements between two moments; null waits. */
export const useHeat = (process: string, period: { from: string; until: string } | null) =>
  useRead<Heat>(period && withQuery(pathOf(process, '/heat'), period))
