import type { Progress } from '../../work/feed/progress.ts'
import type { SealedEntry } from './comparison-repository.ts'

/** The parts of a case that an auditor sees. */
export const comparedParts = [
  ...['case', 'steps', 'sent', 'tasks', 'titles', 'dues', 'times'],
  ...['names', 'documents', 'versions', 'mails', 'decisions'],
] as const
export type ComparedPart = (typeof comparedParts)[number]

/** Part of a case that does not match what was sealed, or cannot be compared. */
export interface CaseDifference {
  part: ComparedPart
  /** The id of an entry, submission, task, element, account, document or artifact; null for the whole part. */
  id: string | null
  /**
   * `differs`: it does not match what was sealed. `missing`: it was sealed and is gone. `unsealed`: it was never
   * sealed. `erased`: an act erased the details to compare with.
   */
  how: 'differs' | 'missing' | 'unsealed' | 'erased'
  /** The sealed value, if it is readable. */
  sealed: string | null
}

/** Times of one transaction differ by at most this, in milliseconds. */
const SAME_TRANSACTION_MS = 60_000

export const together = (one: Date, other: string) => Math.abs(one.getTime() - Date.parse(other)) <= SAME_TRANSACTION_MS

/** Actions by which a submission ends without effect. */
const VOIDING = ['command.refused', 'decision.overtaken']

/** Whether the entry takes back the decision about a task. */
export function isUndoing({ action, object }: SealedEntry, task: string | null): boolean {
  return action === 'task.completion-undone' && object === `task:${task}`
}

/** Whether the entry names this submission as one that ended without effect. */
export function isVoiding({ action, payload }: SealedEntry, submission: string): boolean {
  return VOIDING.includes(action) && payload?.['submissionId'] === submission
}

/**
 * Whether the entry may end the submission without effect. Older entries state only whose it was and why, erased ones
 * nothing.
 */
export function mayBeVoiding(
  { action, payload }: SealedEntry,
  { submission, by, reason }: { submission: unknown; by: string | null; reason?: string | null },
): boolean {
  if (!VOIDING.includes(action)) return false
  if (payload === null) return true
  const { submissionId, for: whose, reason: why } = payload
  if (submission !== undefined && submissionId !== undefined) return submissionId === submission
  return whose === by && (reason === undefined || why === reason)
}

export function unlike(
  part: ComparedPart,
  id: string | null,
  how: CaseDifference['how'],
  sealed: string | null = null,
): CaseDifference {
  return { part, id, how, sealed }
}

export function progressIn(entries: readonly SealedEntry[]): Progress[] {
  return entries.flatMap(({ action, payload }: { action: string; payload: unknown }) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the feed writes this action, as the engine's report
    action === 'case.progressed' && payload !== null ? [payload as Progress] : [],
  )
}
