import { mutate } from 'swr'
import { asFilters, request, send, withQuery } from '../client/client.ts'
import { openingOf } from './flows.ts'
import { usePages, useRead } from './read.ts'
import type { Case, CaseOffer, CasePath, CaseRow, EarlierCase, HistoryEntry, Variable } from '../client/types.ts'

const pathOf = (id: string, part = '') => `/api/cases/${encodeURIComponent(id)}${part}`

export interface CaseFilter {
  mine?: boolean
  /** Only cases that have not ended. */
  running?: boolean
  flow?: string | undefined
  status?: string | undefined
  /** Only cases of this register entry. */
  item?: string | undefined
  /** The flow's other status lists: list → state. Fields of its start form marked `x-filter`: field → value. */
  filters?: Record<string, string> | undefined
  search?: string | undefined
  limit?: number
}

export const casesPath = ({ filters = {}, ...filter }: CaseFilter) =>
  withQuery('/api/cases', {
    ...filter,
    ...asFilters(filters),
  })
export const useCases = (filter: CaseFilter) => usePages<CaseRow>(casesPath(filter))
export const useCase = (id: string) => useRead<Case>(pathOf(id))
export const useHistory = (id: string | undefined) =>
  useRead<{ items: HistoryEntry[] }>(id ? pathOf(id, '/history') : null)
export const useEarlier = (id: string) => useRead<{ items: EarlierCase[] }>(pathOf(id, '/earlier'))
/** What a case fills in of the start form of another one that the reader may begin from it. */
export const useCaseOffer = (from: Origin | undefined) =>
  useRead<CaseOffer>(from ? pathOf(from.case, `/offers/${encodeURIComponent(from.name)}`) : null)
export const usePath = (id: string | undefined) => useRead<CasePath>(id ? pathOf(id, '/path') : null)
export const useVariables = (id: string | undefined) =>
  useRead<{ items: Variable[] }>(id ? pathOf(id, '/variable-instances') : null)

/** The diagram of one deployed version. It never changes, so it is read once. */
export const readDefinition = async (definitionId: string): Promise<string> => {
  const path = `/api/process-definitions/${encodeURIComponent(definitionId)}/xml`
  return (await send('GET', path, { headers: { accept: 'application/xml' } })).text()
}

/** The case that a new one follows from, and its name there. */
export interface Origin {
  case: string
  name: string
}

/** Who gets a case that somebody else starts: an account, or the person of a register entry. */
type OnBehalf = { accountId: string } | { entry: string }

/**
 * Starts a case, for somebody else if an account or a register entry is given. The key makes it idempotent, so an
 * uncertain request may be repeated.
 */
export const submitCase = async (
  flow: string,
  data: unknown,
  key: string,
  { other, follows }: { other?: OnBehalf | undefined; follows?: Origin | undefined } = {},
): Promise<Case> => {
  const sent = await request<Case>('POST', '/api/cases', {
    body: { flow, data, ...(other && { for: other }), ...(follows && { follows }) },
    headers: { 'idempotency-key': key },
  })
  if (follows) await refresh(follows.case)
  // What can be asked for next may be less now.
  void mutate(openingOf(flow))
  return sent
}

/** An act of the requester on a running case, by its name in the flow. */
export const doAct = async (id: string, name: string, data: unknown): Promise<void> => {
  await request('POST', pathOf(id, `/acts/${encodeURIComponent(name)}`), { body: { data } })
  await refresh(id)
}

export const withdrawCase = async (id: string, reason: string): Promise<void> => {
  await request('POST', pathOf(id, '/withdraw'), { body: { reason } })
  await refresh(id)
}

/** Answers a desk's question about the requester's own case. */
export const answerQuestion = async (id: string, question: string, answer: string): Promise<void> => {
  await request('POST', pathOf(id, `/questions/${encodeURIComponent(question)}/answer`), { body: { answer } })
  await refresh(id)
}

const refresh = (id: string) => mutate((key) => typeof key === 'string' && key.startsWith(pathOf(id)))

/** An issued document of a case, such as its invoice. */
export const documentOf = async (id: string, document: string): Promise<Blob> =>
  (
    await send('GET', pathOf(id, `/documents/${encodeURIComponent(document)}`), {
      headers: { accept: 'application/pdf' },
    })
  ).blob()
