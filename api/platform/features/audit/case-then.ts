import type { Named } from '../../model/library/words.ts'
import type { ToldDecision } from '../../work/tasks/decision-words.ts'
import type { Unlike } from './comparison.ts'
import type { ToldChange, ToldField } from './fields.ts'
import type { Doer } from './words.ts'

/** A task as it stood. */
export interface TaskThen {
  id: string
  desk: string
  name: string
  state: 'open' | 'held' | 'decided' | 'gone'
  /** Roles that the desk is drawn for. */
  roles: string[]
  since: string
  dueAt: string | null
  holder: string | null
  decidedBy: string | null
  decidedAt: string | null
  outcome: string | null
}

/** What somebody had sent. */
export interface SentThen {
  id: string
  at: string
  form: string
  title: string
  by: Doer
  authority: string | null
  for: string | null
  /** Did not take effect, and why. */
  void: string | null
  fields: ToldField[]
  /** Against what was sent by the same form before; null for the first. */
  changes: ToldChange[] | null
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
  data: ToldField[]
  tasks: TaskThen[]
  path: {
    definitionId: string
    visited: { element: string; startedAt: string; endedAt: string | null; canceled: boolean }[]
    present: string[]
  }
  /** Per element, how often it was entered and how long it took so far, in milliseconds. */
  elements: { element: string; name: string; passes: number; milliseconds: number }[]
  submissions: SentThen[]
  /** Null while the engine, which keeps them, is away. */
  decisions: (ToldDecision & { at: string; element: string | null })[] | null
  versions: {
    model: { definitionId: string; version: number; deployedAt: string; hash: string }
    forms: { key: string; title: string; hash: string }[]
  }
  mails: { at: string; recipient: string; subject: string; sentAt: string | null }[]
  documents: { number: string; kind: string; issuedAt: string; ended: boolean }[]
  readers: { at: string; by: Doer; authority: string | null; fields: string[] }[]
  /** What of the case as it is now is not what was sealed, or was never sealed. */
  unlike: ToldUnlike[]
}

/** The same in words. */
export interface ToldUnlike extends Unlike {
  text: string
}
