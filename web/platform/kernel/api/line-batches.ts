import useSWR, { mutate } from 'swr'
import { request, type Problem } from '../client/client.ts'
import type { GetLineBatch, PreviewLineBatch } from '../client/operations.generated.ts'

/** The newest batch of a flow that is opened for chosen entries. */
export type LineBatch = GetLineBatch['answer']
export type LinePreview = PreviewLineBatch['answer']

/** Entries chosen one by one, or those of the list's search and filters. */
export interface LineChoice {
  ids?: string[]
  search?: string
  status?: string
  filters?: Record<string, string>
}

const pathOf = (flow: string) => `/api/line-batches/${flow}`

/** Polling interval of a batch in progress, in milliseconds. */
const pace = 1000

export const previewLines = (flow: string, choice: LineChoice) =>
  request<LinePreview>('POST', `${pathOf(flow)}/preview`, { body: { choice } })

/** Starts the batch, if as many entries are ready as expected. */
export async function openLines(flow: string, choice: LineChoice, expected: number): Promise<void> {
  const batch = await request<LineBatch>('POST', pathOf(flow), { body: { choice, expected } })
  await mutate(pathOf(flow), batch, { revalidate: false })
}

export async function stopLines(flow: string): Promise<void> {
  await mutate(pathOf(flow), await request<LineBatch>('POST', `${pathOf(flow)}/stop`), { revalidate: false })
}

/** Polls as long as the batch is in progress. */
export const useLineBatch = (flow: string) =>
  useSWR<LineBatch, Problem>(pathOf(flow), (path: string) => request('GET', path), {
    refreshInterval: (batch) => (batch?.latest?.state === 'running' ? pace : 0),
  })
