import useSWR, { mutate } from 'swr'
import { request, sheetAt, withQuery, type Problem, type Sheet } from '../client/client.ts'
import type { ListBatchMembers, OpenBatch } from '../client/operations.generated.ts'

/** The cases of an item, opened for everybody who matches it. */
export type Batch = OpenBatch['answer']
type Members = ListBatchMembers['answer']
export type Member = Members['members'][number]
export type MemberState = Member['state']

/** In the order of their progress. */
export const memberStates = [
  'to-open',
  'no-account',
  'left-out',
  'out-of-use',
  'asked',
  'under-way',
  'done',
  'ended',
] as const

const pathOf = (flow: string, item: string) => `/api/batches/${flow}/${item}`

/** Polling interval of a batch in progress, in milliseconds. */
const pace = 1000

/** Polls as long as the batch is in progress. */
export const useBatch = (flow: string, item: string) =>
  useSWR<Batch, Problem>(pathOf(flow, item), (path: string) => request('GET', path), {
    refreshInterval: (batch) => (batch?.latest?.state === 'running' ? pace : 0),
  })

export const useMembers = (flow: string, item: string, state: MemberState | 'not-done', version: string) =>
  useSWR<Members, Problem>(
    [withQuery(`${pathOf(flow, item)}/members`, { state }), version],
    ([path]: [string, string]) => request('GET', path),
    { keepPreviousData: true },
  )

/** Starts to open the batch for every eligible member. */
export async function openBatch(flow: string, item: string): Promise<void> {
  await request('POST', pathOf(flow, item))
  await mutate(pathOf(flow, item))
}

export async function stopBatch(flow: string, item: string): Promise<void> {
  await request('POST', `${pathOf(flow, item)}/stop`)
  await mutate(pathOf(flow, item))
}

/** All members of one state, as a file. */
export const exportMembers = (
  flow: string,
  item: string,
  query: { format: 'csv' | 'xlsx'; state: MemberState | 'not-done' },
): Promise<Sheet> => sheetAt(withQuery(`${pathOf(flow, item)}/export`, query), `list.${query.format}`)
