import type { Unavailable } from './picked.ts'
import type { JsonObject } from '../../kernel/db/database.generated.ts'
import type { Manifest } from '../../model/library/library.ts'
import type { CaseRow } from '../rows/cases.ts'
import type { ShownEntries } from './shown.ts'
import type { Named, wordsOf } from '../../model/library/words.ts'

export interface CaseSummary {
  id: string
  reference: string
  flow: string
  flowTitle: string
  /** One line by which people recognise it. */
  title: string
  subject: JsonObject
  status: Named
  statuses: Record<string, Named>
  state: 'starting' | 'running' | 'ended' | 'failed'
  /** `registered`: the name comes from a register entry. */
  requester: { id: string; name: string; registered: boolean }
  scope: Record<string, string>
  facts: JsonObject
  createdAt: string
  endedAt: string | null
  /** `withdrawn`, `canceled`, or the end event that it reached. */
  endReason: string | null
  /** The tasks that it waits for. */
  waitsWith: WaitingTask[]
  version: number
}

export interface CaseView extends CaseSummary {
  processDefinitionId: string
  /** The start form with all changes since. */
  data: JsonObject
  /** Who sent it for the requester. */
  sentBy: { id: string; name: string } | null
  /** Whether the reader may withdraw it now. */
  withdrawable: boolean
  /** The acts that are open to the reader now. */
  acts: ActView[]
  /** Entries of registers as they are now. */
  shows: ShownEntries[]
  /** Questions of desks to its requester, oldest first. */
  /** The case that it follows from. */
  follows: LinkedView | null
  /** Cases that follow from it, oldest first. */
  linked: LinkedView[]
  /** Cases of other flows that the reader may begin from it now. */
  offers: LinkOffer[]
  questions: CaseQuestion[]
  /** Questions to people without an account, who answer by a mailed link; oldest first. */
  mailed: MailedView[]
  submissions: SubmissionView[]
  files: { id: string; name: string; contentType: string; size: number; path: string; submissionId: string | null }[]
  /** Issued documents; `kind` is also the text key of the name, with a dot for the slash. */
  documents: { id: string; kind: string; number: string; issuedAt: string; endedAt: string | null }[]
}

/** Another case that this one follows from, or that follows from it; `id` is null if the reader may not see it. */
export interface LinkedView {
  id: string | null
  reference: string
  flowTitle: string
  status: Named
  createdAt: string
  /** It still runs, and ends if the case that it follows from does not take place. */
  endsToo: boolean
}

/** A case of another flow that the reader may begin from a case, with the path of the page that does. */
export interface LinkOffer {
  name: string
  flow: string
  title: string
  page: string
}

/** A question to somebody without an account. */
export interface MailedView {
  name: string
  question: string
  askedAt: string
  closesAt: string
  outcome: Named | null
  /** The form that was answered. */
  data: JsonObject | null
  formHash: string
  answeredAt: string | null
  /** The answer came too late and does not count. */
  void: boolean
}

/** A question to the requester. */
export interface CaseQuestion {
  id: string
  /** Name of the desk that asked. */
  task: string
  question: string
  askedBy: { id: string; name: string }
  askedAt: string
  answer: string | null
  answeredAt: string | null
  /** Whether it is unanswered. */
  open: boolean
}

/** An act that the requester may perform, with its form. */
export interface ActView {
  name: string
  title: string
  /** Confirmation to show before it is sent. */
  confirm: string | null
  form: string
  formHash: string
  /** Entries that its form cannot pick now. */
  unavailable: Unavailable[]
}

/** A task that a case waits for. */
export interface WaitingTask {
  taskId: string
  desk: string
  name: string
  /** The principals it is offered to, in words. */
  principals: string[]
  assignee: { id: string; name: string } | null
  since: string
  dueAt: string | null
}

export interface SubmissionView {
  id: string
  formKey: string
  formHash: string
  data: JsonObject
  by: { id: string; name: string }
  /** The absent person it was sent for, if a substitute sent it. */
  for: { id: string; name: string } | null
  actedAs: string | null
  at: string
  effect: 'pending' | 'done' | 'void'
  voidReason: string | null
  taskId: string | null
  desk: string | null
  outcome: string | null
  /** Name of the requester's act, if it was one. */
  act: string | null
}

export function caseSummary(
  row: CaseRow,
  manifest: Manifest,
  waitsWith: WaitingTask[],
  words: ReturnType<typeof wordsOf>,
): CaseSummary {
  return {
    id: row.id,
    reference: row.reference,
    flow: row.flow,
    flowTitle: words.flowTitle(manifest),
    title: words.caseTitle(manifest, row.subject),
    subject: row.subject,
    status: words.status(manifest, 'status', row.status, row.ended_at && row.end_reason),
    statuses: words.statuses(
      manifest,
      row.statuses,
      waitsWith.map(({ desk }) => desk),
    ),
    state: row.state,
    requester: { id: row.requester_id, name: row.requester_name, registered: row.requester_registered },
    scope: row.scope,
    facts: row.facts,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    endReason: row.ended_at && row.withdrawn_at ? 'withdrawn' : row.end_reason,
    waitsWith,
    version: row.version,
  }
}
