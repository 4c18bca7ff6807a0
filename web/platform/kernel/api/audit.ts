import { mutate } from 'swr'
import { request, sheetAt, withQuery, type Sheet } from '../client/client.ts'
import type {
  GetAuditCase,
  GetAuditReport,
  GetAuditVocabulary,
  ListAuditMoments,
  ListAuditSearches,
  ListErasures,
  SearchAudit,
  SearchAuditCases,
  VerifyAudit,
} from '../client/operations.generated.ts'
import { usePages, useRead } from './read.ts'

export type AuditEntry = SearchAudit['answer']['items'][number]
export type AuditedCase = SearchAuditCases['answer']['items'][number]
export type CaseThen = GetAuditCase['answer']
export type Moment = ListAuditMoments['answer']['items'][number]
export type KeptSearch = ListAuditSearches['answer']['items'][number]
export type ReportName = GetAuditReport['params']['name']
export type Verdict = VerifyAudit['answer']
export type Erasure = ListErasures['answer']['items'][number]

/** The filters of a search, as in the address bar; '' means any. */
export type AuditAsked = { readonly [name: string]: string }

export const useAuditEntries = (asked: AuditAsked | null) =>
  usePages<AuditEntry>(asked && withQuery('/api/audit/entries', asked))
export const useAuditCases = (asked: AuditAsked | null) =>
  usePages<AuditedCase>(asked && withQuery('/api/audit/cases', asked))
export const useVocabulary = () => useRead<GetAuditVocabulary['answer']>('/api/audit/vocabulary')
export const usePeopleNamed = (name: string) =>
  useRead<{ items: { id: string; name: string; post: string | null }[] }>(
    name.length < 2 ? null : withQuery('/api/audit/people', { name }),
  )
export const usePersonOf = (id: string) =>
  useRead<{ id: string; name: string; post: string | null }>(
    id === '' ? null : `/api/audit/people/${encodeURIComponent(id)}`,
  )

const caseOf = (id: string, part = '') => `/api/audit/cases/${encodeURIComponent(id)}${part}`
export const useMoments = (id: string) => useRead<{ items: Moment[] }>(caseOf(id, '/moments'))
export const useCaseThen = (id: string, at: string | undefined) => useRead<CaseThen>(withQuery(caseOf(id), { at }))
export const caseFile = (id: string, format: 'pdf' | 'csv' | 'json'): Promise<Sheet> =>
  sheetAt(withQuery(caseOf(id, '/file'), { format }), `case.${format}`)

export const useAuditReport = (name: ReportName, days: AuditAsked) =>
  useRead<GetAuditReport['answer']>(withQuery(`/api/audit/reports/${name}`, days))
export const reportSheet = (name: ReportName, days: AuditAsked, format: 'csv' | 'xlsx'): Promise<Sheet> =>
  sheetAt(withQuery(`/api/audit/reports/${name}/file`, { ...days, format }), `audit.${format}`)
export const searchSheet = (asked: AuditAsked, format: 'csv' | 'xlsx'): Promise<Sheet> =>
  sheetAt(withQuery('/api/audit/entries/file', { ...asked, format }), `audit.${format}`)

export const verifyChain = (days: AuditAsked): Promise<Verdict> => request('GET', withQuery('/api/audit/chain', days))
export const chainFile = (days: AuditAsked, registers: boolean): Promise<Sheet> =>
  sheetAt(withQuery('/api/audit/export', { ...days, ...(registers && { registers }) }), 'audit.jsonl')
export const keyFile = (): Promise<Sheet> => sheetAt('/api/audit/key', 'audit-key.pem')

const searches = '/api/audit/searches'
export const useKeptSearches = () => useRead<{ items: KeptSearch[] }>(searches)
export const keepSearch = async (name: string, query: AuditAsked): Promise<void> => {
  const said = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  await request('POST', searches, { body: { name, query: said } })
  await mutate(searches)
}
export const forgetSearch = async (id: string): Promise<void> => {
  await request('DELETE', `${searches}/${encodeURIComponent(id)}`)
  await mutate(searches)
}

const erasures = '/api/audit/erasures'
export const useErasures = () => useRead<ListErasures['answer']>(erasures)
const decide = async (id: string, how: 'confirm' | 'refuse', body?: object): Promise<Erasure> => {
  const decided = await request<Erasure>('POST', `${erasures}/${encodeURIComponent(id)}/${how}`, body ? { body } : {})
  await mutate(erasures)
  return decided
}
export const confirmErasure = (id: string): Promise<Erasure> => decide(id, 'confirm')
export const refuseErasure = (id: string, reason: string): Promise<Erasure> => decide(id, 'refuse', { reason })
