import type { Named } from '../../model/library/words.ts'
import type { DescribedDecision } from '../../work/tasks/decision-words.ts'
import type { CaseDifference } from './difference.ts'
import type { DescribedChange, DescribedField } from './fields.ts'
import type { Doer } from './words.ts'

/** A task at that moment. */
export interface TaskThen {
  id: string
  desk: string
  name: string
  state: 'open' | 'held' | 'decided' | 'gone'
  /** Roles of the desk in the diagram. */
  roles: string[]
  since: string
  dueAt: string | null
  holder: string | null
  decidedBy: string | null
  decidedAt: string | null
  outcome: string | null
}

/** A submission at that moment. */
export interface SentThen {
  id: string
  at: string
  form: string
  title: string
  by: Doer
  authority: string | null
  for: string | null
  /** Why it had no effect; null if it had. */
  void: string | null
  fields: DescribedField[]
  /** Changes since the previous submission of the same form; null for the first. */
  changes: DescribedChange[] | null
}

/** A case as it was at a moment. */
export interface CaseThen {
  id: string
  reference: string
  flow: { key: string; text: string }
  title: string
  requester: Doer
  at: string
  createdAt: string
  endedAt: string | null
  /** How it ended, in words. */
  end: string | null
  state: 'running' | 'ended'
  statuses: { list: string; status: Named }[]
  data: DescribedField[]
  tasks: TaskThen[]
  path: {
    definitionId: string
    visited: { element: string; startedAt: string; endedAt: string | null; canceled: boolean }[]
    present: string[]
  }
  /** Per element: number of passes and total time in milliseconds. */
  elements: { element: string; name: string; passes: number; milliseconds: number }[]
  submissions: SentThen[]
  /** Null while the engine, which stores them, is down. */
  decisions: (DescribedDecision & { at: string; element: string | null })[] | null
  versions: {
    model: { definitionId: string; version: number; deployedAt: string; hash: string }
    forms: { key: string; title: string; hash: string }[]
  }
  mails: { at: string; recipient: string; subject: string; sentAt: string | null }[]
  documents: { number: string; kind: string; issuedAt: string; ended: boolean }[]
  readers: { at: string; by: Doer; authority: string | null; fields: string[] }[]
  /** Where the present case differs from what was sealed, or was never sealed. */
  unlike: DescribedDifference[]
}

/** A difference in words. */
export interface DescribedDifference extends CaseDifference {
  text: string
}
