import { request } from '../client/client.ts'
import type { BegunForm, PublicFlow } from '../client/types.ts'
import { proved } from '../session/proof.ts'
import { useRead } from './read.ts'

/** A flow that people without an account may start: its forms, and what it is open for. */
export const usePublicFlow = (flow: string | undefined) =>
  useRead<PublicFlow>(flow === undefined ? null : `/api/public/flows/${flow}/open`)

/** Says that a visitor begins the form for an item. */
export const beginApplication = (flow: string, item: string) =>
  request<BegunForm>('POST', '/api/public/applications/begun', { body: { flow, item } })

/** Begins a case and creates the account of its requester. */
export const applyWithAccount = (body: { flow: string; data: object; account: object; begun?: string }, key: string) =>
  proved((headers) =>
    request<{ username: string; caseId: string; reference: string }>('POST', '/api/public/applications', {
      body,
      headers: { ...headers, 'idempotency-key': key },
    }),
  )
