import { request } from '../client/client.ts'
import type { PreviewGatheredCases, StartGatheredCases } from '../client/operations.generated.ts'
import type { EntryChoice } from './entry-batches.ts'

export type GatherPreview = PreviewGatheredCases['answer']
export type GatheredCases = StartGatheredCases['answer']['cases']
/** The entries of a list, without some of them. */
export type GatherChoice = EntryChoice & { except?: string[] }

const pathOf = (flow: string) => `/api/gathered-cases/${flow}`

export const previewGathered = (flow: string, choice: GatherChoice) =>
  request<GatherPreview>('POST', `${pathOf(flow)}/preview`, { body: { choice } })

/** Begins the cases of the preview with one form: all of them, or none. */
export const startGathered = async (
  flow: string,
  asked: { choice: GatherChoice; stamp: string; data: unknown },
  key: string,
): Promise<GatheredCases> => {
  const headers = { 'idempotency-key': key }
  return (await request<StartGatheredCases['answer']>('POST', pathOf(flow), { body: asked, headers })).cases
}
