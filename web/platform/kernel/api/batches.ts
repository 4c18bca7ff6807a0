import useSWR, { mutate } from 'swr'
import { request, sheetAt, withQuery, type Problem, type Sheet } from '../client/client.ts'
import type { ListBatchMembers, OpenBatch } from '../client/operations.generated.ts'

/** What has become of an item for all whom it is meant for. */
export type Batch = OpenBatch['answer']
/** Some of them. */
type Members = ListBatchMembers['answer']
export type Member = Members['members'][number]
export type Standing = Member['standing']

/** In the order in which things go on. */
export const standings = ['to-open', 'no-account', 'out-of-use', 'asked', 'under-way', 'done', 'ended'] as const

const pathOf = (flow: string, item: string) => `/api/batches/${flow}/${item}`

/** How often one under way is looked at, in milliseconds. */
const pace = 1000

/** Looked at again as long as a batch goes on. */
export const useBatch = (flow: string, item: string) =>
  useSWR<Batch, Problem>(pathOf(flow, item), (path: string) => request('GET', path), {
    refreshInterval: (batch) => (batch?.latest?.state === 'running' ? pace : 0),
  })

/** Those of one standing. */
export const useMembers = (flow: string, item: string, standing: Standing | 'not-done', version: string) =>
  useSWR<Members, Problem>(
    [withQuery(`${pathOf(flow, item)}/members`, { standing }), version],
    ([path]: [string, string]) => request('GET', path),
    { keepPreviousData: true },
  )

/** Begins to open it for everybody for whom it can be. */
export async function openBatch(flow: string, item: string): Promise<void> {
  await request('POST', pathOf(flow, item))
  await mutate(pathOf(flow, item))
}

export async function stopBatch(flow: string, item: string): Promise<void> {
  await request('POST', `${pathOf(flow, item)}/stop`)
  await mutate(pathOf(flow, item))
}

/** All of one standing as a file. */
export const exportMembers = (
  flow: string,
  item: string,
  query: { format: 'csv' | 'xlsx'; standing: Standing | 'not-done' },
): Promise<Sheet> => sheetAt(withQuery(`${pathOf(flow, item)}/export`, query), `list.${query.format}`)
