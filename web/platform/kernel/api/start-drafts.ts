import { mutate } from 'swr'
import { request } from '../client/client.ts'
import type { BeginStartForm, GetStartDraft, SaveStartDraft } from '../client/operations.generated.ts'
import { useRead } from './read.ts'

const path = (flow: string) => `/api/flows/${flow}/draft`

/** The reader's unsent start form of a flow, from any device; requested only if `wanted`. */
export const useStartDraft = (flow: string, wanted: boolean) =>
  useRead<GetStartDraft['answer']>(wanted ? path(flow) : null)

export const saveStartDraft = (flow: string, data: Record<string, unknown>) =>
  request<SaveStartDraft['answer']>('PUT', path(flow), { body: { data } })

/** Says that the reader begins the form for an item. */
export const beginStartForm = (flow: string, item: string) =>
  request<BeginStartForm['answer']>('POST', `/api/flows/${flow}/begun`, { body: { item } })

export const discardStartDraft = async (flow: string): Promise<void> => {
  await request('DELETE', path(flow))
  startDraftIsGone(flow)
}

/** The form was sent, and the server has deleted its draft. */
export const startDraftIsGone = (flow: string): void => void mutate(path(flow), { draft: null }, { revalidate: false })
