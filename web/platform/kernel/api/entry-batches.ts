import useSWR, { mutate } from 'swr'
import { request, type Problem } from '../client/client.ts'
import type { GetEntryBatch, PreviewEntryBatch } from '../client/operations.generated.ts'

/** The newest batch of a flow that is opened for chosen entries. */
export type EntryBatch = GetEntryBatch['answer']
export type EntryPreview = PreviewEntryBatch['answer']

/** Entries chosen one by one, or those of the list's search and filters. */
export interface EntryChoice {
  ids?: string[]
  search?: string
  status?: string
  filters?: Record<string, string>
}

const pathOf = (flow: string) => `/api/entry-batches/${flow}`

/** Polling interval of a batch in progress, in milliseconds. */
const pace = 1000

export const previewEntries = (flow: string, choice: EntryChoice) =>
  request<EntryPreview>('POST', `${pathOf(flow)}/preview`, { body: { choice } })

/** Starts the batch, if the entries are those of the preview. */
export async function openEntries(flow: string, choice: EntryChoice, stamp: string): Promise<void> {
  const batch = await request<EntryBatch>('POST', pathOf(flow), { body: { choice, stamp } })
  await mutate(pathOf(flow), batch, { revalidate: false })
}

export async function stopEntries(flow: string): Promise<void> {
  await mutate(pathOf(flow), await request<EntryBatch>('POST', `${pathOf(flow)}/stop`), { revalidate: false })
}

/** Polls as long as the batch is in progress. */
export const useEntryBatch = (flow: string) =>
  useSWR<EntryBatch, Problem>(pathOf(flow), (path: string) => request('GET', path), {
    refreshInterval: (batch) => (batch?.latest?.state === 'running' ? pace : 0),
  })
