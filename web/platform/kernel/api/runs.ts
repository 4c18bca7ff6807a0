import { mutate } from 'swr'
import { request, sheetAt, withQuery, type Sheet } from '../client/client.ts'
import type {
  ActOnRunLine,
  ActOnRunLines,
  GetRun,
  ListOwnAwards,
  ListOwnRunLines,
  ListRunLineEvents,
  ListRunLines,
  SignRunLines,
} from '../client/operations.generated.ts'
import { readAll, usePages, useRead } from './read.ts'

/** The payments of a case in one run. */
export type Run = GetRun['answer']
export type RunLine = ListRunLines['answer']['items'][number]
export type OwnLine = ListOwnRunLines['answer']['items'][number]
export type OwnAwards = ListOwnAwards['answer']
export type LineAct = ActOnRunLine['body']['act'] | 'return' | 'settle' | 'owe'
export type Signatures = SignRunLines['answer']
type LineEvents = ListRunLineEvents['answer']

export interface LineFilter {
  state?: string
  signature?: string
  questioned?: string
  changed?: string
  search?: string
}

const pathOf = (caseId: string) => `/api/cases/${caseId}/run`
const own = '/api/me/run-lines'

export const useRun = (caseId: string) => useRead<Run>(pathOf(caseId))

export const useLines = (caseId: string, filter: LineFilter) =>
  usePages<RunLine>(withQuery(`${pathOf(caseId)}/lines`, { limit: '50', ...filter }))

export const useLineEvents = (caseId: string, line: string) =>
  useRead<LineEvents>(`${pathOf(caseId)}/lines/${line}/events`)

export async function actOnLine(
  caseId: string,
  line: string,
  act: ActOnRunLine['body']['act'],
  text: string,
): Promise<void> {
  await request('POST', `${pathOf(caseId)}/lines/${line}/acts`, { body: { act, text } })
  await rereadRun(caseId)
}

/** Holds back, releases or strikes many lines with one reason; says on which it had no effect, and why. */
export async function actOnLines(
  caseId: string,
  { lines, ...given }: Omit<ActOnRunLines['body'], 'lines'> & { lines: readonly string[] },
): Promise<ActOnRunLines['answer']> {
  const all: ActOnRunLines['answer'] = { done: 0, refused: [] }
  try {
    for (const some of someOf(lines)) {
      const body = { ...given, lines: some }
      const { done, refused } = await request<ActOnRunLines['answer']>('POST', `${pathOf(caseId)}/acts`, { body })
      all.done += done
      all.refused.push(...refused)
    }
  } finally {
    await rereadRun(caseId)
  }
  return all
}

/** Numbers the cheques of a paid run from the first number, without those of torn leaves. */
export async function numberCheques(caseId: string, given: { first: string; torn: string[] }): Promise<void> {
  await request('POST', `${pathOf(caseId)}/cheques`, { body: given })
  await rereadRun(caseId)
}

export async function returnLine(
  caseId: string,
  line: string,
  given: { reason: string; bankReference: string },
): Promise<void> {
  await request('POST', `${pathOf(caseId)}/lines/${line}/return`, { body: given })
  await rereadRun(caseId)
}

/** Records that a payment which was entered as returned was made after all, or that a month is owed after all. */
export async function correctLine(caseId: string, line: string, act: 'settle' | 'owe', reason: string): Promise<void> {
  await request('POST', `${pathOf(caseId)}/lines/${line}/${act}`, { body: { reason } })
  await rereadRun(caseId)
}

/** Records signatures, by line or by student code; says how many were new, and which were refused and why. */
export async function signLines(caseId: string, given: { lines?: string[]; codes?: string[] }): Promise<Signatures> {
  const answer = await recordSignatures(caseId, given)
  await rereadRun(caseId)
  return answer
}

const recordSignatures = (caseId: string, given: { lines?: string[]; codes?: string[] }) =>
  request<Signatures>('POST', `${pathOf(caseId)}/signatures`, { body: given })

/** Lines of one request; more go in several. */
const AT_ONCE = 100

const someOf = (lines: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(lines.length / AT_ONCE) }, (_, nr) => lines.slice(nr * AT_ONCE, (nr + 1) * AT_ONCE))

/**
 * Records the signatures of a printed sheet, however many it has; says which were refused and why. `onDone` is told the
 * lines of each request that was answered: if a later one fails, these are recorded.
 */
export async function signFromSheet(
  caseId: string,
  lines: readonly string[],
  onDone: (lines: string[]) => void,
): Promise<Signatures> {
  const all: Signatures = { signed: 0, byCode: [], refused: [] }
  try {
    for (const some of someOf(lines)) {
      const { signed, refused } = await recordSignatures(caseId, { lines: some })
      all.signed += signed
      all.refused.push(...refused)
      onDone(some)
    }
  } finally {
    await rereadRun(caseId)
  }
  return all
}

/** All lines that match, page after page. */
export const listLines = async (caseId: string, filter: LineFilter): Promise<RunLine[]> =>
  (await readAll<RunLine>(`${pathOf(caseId)}/lines`, { ...filter })).items

/** A paper of a run as PDF: `signing-sheet`, `annexure` or `cheque-list`. */
export const printRun = (caseId: string, paper: string): Promise<Sheet> =>
  sheetAt(withQuery(`${pathOf(caseId)}/paper`, { paper }), `${paper}.pdf`)

export const exportRun = (caseId: string, sheet: string, format: 'csv' | 'xlsx'): Promise<Sheet> =>
  sheetAt(withQuery(`${pathOf(caseId)}/export`, { sheet, format }), `${sheet}.${format}`)

export const useOwnLines = () => useRead<{ items: OwnLine[] }>(own)

/** What the reader applied for and was awarded. */
export const useOwnAwards = () => useRead<OwnAwards>('/api/me/awards')

export async function signOwnLine(line: string): Promise<void> {
  await request('POST', `${own}/${line}/sign`)
  await mutate(own)
}

/** Reads a run and its lines again. */
export async function rereadRun(caseId: string): Promise<void> {
  await mutate((key) => typeof key === 'string' && key.includes(pathOf(caseId)))
}
