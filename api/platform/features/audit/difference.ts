import type { Progress } from '../../work/feed/progress.ts'
import type { SealedEntry } from './comparison-repository.ts'

/** The parts of a case that an auditor sees. */
export const comparedParts = [
  ...['case', 'steps', 'sent', 'tasks', 'times'],
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
const TOGETHER = 60_000

export const together = (one: Date, other: string) => Math.abs(one.getTime() - Date.parse(other)) <= TOGETHER

/** Actions by which a submission ends without effect. */
export const VOIDING = ['command.refused', 'decision.overtaken']

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
    // Only the feed writes this action, with the engine's report as payload.
    action === 'case.progressed' && payload !== null ? [payload as Progress] : [],
  )
}
