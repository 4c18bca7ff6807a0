import type { Kysely } from 'kysely'
import { isObject } from '../../kernel/objects.ts'
import { known } from '../../kernel/known.ts'
import type { caseRecordRepository } from '../../work/rows/case-record.ts'
import type { CaseRow } from '../../work/rows/cases.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { IssuedDocument } from '../../records/documents/documents.ts'
import type { Progress } from '../../work/feed/progress.ts'
import type { taskRepository } from '../../work/rows/tasks.ts'
import {
  type SealedEntry,
  listEntriesOfCase,
  listEntriesOfAccounts,
  listAccountNames,
  listSent,
  listForeignContents,
} from './comparison-repository.ts'
import { type CaseDifference, isUndoing, isVoiding, mayBeVoiding, progressIn, together, unlike } from './difference.ts'
import { unlikeTasks } from './task-comparison.ts'
import { commitmentOf, sealHash, sentHash } from '../../kernel/audit/format.ts'

/** What is shown of a case. */
export interface Shown {
  row: CaseRow
  tasks: Awaited<ReturnType<ReturnType<typeof taskRepository>['listOfCase']>>
  activities: Awaited<ReturnType<ReturnType<typeof caseRecordRepository>['listActivities']>>
  documents: readonly IssuedDocument[]
  mails: readonly unknown[]
  /** Whether decision tables were evaluated. */
  decided: boolean
  /** Accounts whose names are shown. */
  people: readonly string[]
  /** Hashes of the forms and diagrams that the page uses. */
  artifacts: readonly string[]
}

/**
 * Compares what is shown of a case with what was sealed. An entry counts if it matches its own link. Whether the links
 * are those that were signed is for the chain check to say.
 */
export async function compareCase(db: Kysely<DB>, shown: Shown): Promise<CaseDifference[]> {
  const { row, people, artifacts } = shown
  const accounts = [...new Set(people)]
  const [entries, ofAccounts, names, sent, foreign] = await Promise.all([
    listEntriesOfCase(db, row.id),
    listEntriesOfAccounts(db, accounts),
    listAccountNames(db, accounts),
    listSent(db, row.id),
    listForeignContents(db, [...new Set(artifacts)]),
  ])
  const sealed = entries.filter(isAsSealed)
  return [
    ...unlikeEntries(entries),
    ...unlikeCase(row, sealed),
    ...unlikeSent(row.id, sent, sealed),
    ...unlikeTasks(shown.tasks, sealed),
    ...unlikePath(shown, sealed),
    ...unlikeNames(names, [...ofAccounts.filter(isAsSealed), ...sealed]),
    ...unlikeDocuments(shown.documents, sealed),
    ...foreign.map((hash) => unlike('versions', hash, 'differs')),
    // Mails, and the engine's decision results, are not sealed.
    ...(shown.mails.length > 0 ? [unlike('mails', null, 'unsealed')] : []),
    ...(shown.decided ? [unlike('decisions', null, 'unsealed')] : []),
  ]
}

/** Whether an entry matches its link, and its details match its commitment; a very recent one has no link yet. */
function isAsSealed(entry: SealedEntry): boolean {
  const { sequence, previous, hash, salt, payload, fresh } = entry
  const linked = sequence === null ? fresh : previous !== null && sealHash(previous, sequence, entry) === hash
  const whole = salt === null || commitmentOf(salt, payload).toString('hex') === entry.commitment
  return linked && whole
}

function unlikeEntries(entries: readonly SealedEntry[]): CaseDifference[] {
  return entries.flatMap((entry) => {
    if (entry.sequence === null && !entry.fresh) return unlike('steps', entry.id, 'unsealed')
    if (!isAsSealed(entry)) return unlike('steps', entry.id, 'differs')
    return entry.payload === null && !entry.erased ? unlike('steps', entry.id, 'missing') : []
  })
}

/** Start, end and requester of the case. */
function unlikeCase(row: CaseRow, entries: readonly SealedEntry[]): CaseDifference[] {
  const begun = entries.find(({ action }) => action === 'case.submitted')
  if (!begun) return [unlike('case', null, 'unsealed')]
  const {
    reference,
    flow,
    flowHash,
    for: requester,
  } = (begun.payload ?? {}) as {
    [name in 'reference' | 'flow' | 'flowHash' | 'for']?: string
  }
  const wrong: CaseDifference[] = []
  const told = (id: string, is: unknown, was: string | undefined) => {
    if (was !== undefined && is !== was) wrong.push(unlike('case', id, 'differs', was))
  }
  told('reference', row.reference, reference)
  told('flow', row.flow, flow)
  // A guest's case is sent by their new account, a case of a batch by the person who opened the batch.
  told('requester', row.requester_id, begun.payload === null ? undefined : (requester ?? begun.actor))
  if (!together(row.created_at, begun.at)) told('created', row.created_at.toISOString(), begun.at)
  const moved = entries.some(({ action }) => action === 'case.migrated')
  if (!moved) told('version', row.flow_hash, flowHash)
  if (begun.payload === null) wrong.push(unlike('case', null, 'erased'))
  const withdrawn = entries.filter(({ action }) => action === 'case.withdrawn')
  const withdrawnAt = row.withdrawn_at
  const isSealed =
    withdrawnAt === null
      ? withdrawn.every((one) => wasTakenBack(one, entries))
      : withdrawn.some(({ at }) => together(withdrawnAt, at))
  if (!isSealed) wrong.push(unlike('case', 'withdrawn', 'differs'))
  return wrong
}

/** Whether the engine refused the withdrawal, which cleared its mark. */
function wasTakenBack(withdrawal: SealedEntry, entries: readonly SealedEntry[]): boolean {
  return entries.some(
    ({ id, action, payload }) =>
      action === 'command.refused' &&
      BigInt(id) > BigInt(withdrawal.id) &&
      (payload === null || (payload['kind'] === 'correlate' && payload['for'] === withdrawal.actor)),
  )
}

type Sent = Awaited<ReturnType<typeof listSent>>[number]

/** Compares submissions by their hash, or by the other details of the entry if it is older than these hashes. */
function unlikeSent(caseId: string, sent: readonly Sent[], entries: readonly SealedEntry[]): CaseDifference[] {
  const said = new Map(
    entries
      .filter(({ action }) => ['case.submitted', 'case.acted', 'task.completed'].includes(action))
      .flatMap((entry) => {
        const id = entry.payload?.['submissionId']
        return typeof id === 'string' ? [[id, entry] as const] : []
      }),
  )
  const missing = [...said].filter(([id]) => !sent.some((one) => one.id === id)).map(([id]) => id)
  return [
    ...missing.map((id) => unlike('sent', id, 'missing')),
    ...sent.flatMap((one) => {
      const entry = said.get(one.id)
      if (!entry) return unlike('sent', one.id, wasErased(one, entries) ? 'erased' : 'unsealed')
      const { sealed, formHash, outcome } = known(entry.payload, 'the details that name what was sent')
      const { id, task_id: taskId, form_key: formKey, form_hash, data, submitted_by: by, acted_as: actedAs, at } = one
      const same =
        sealed === undefined
          ? by === entry.actor && form_hash === formHash && (outcome === undefined || outcome === outcomeOf(data))
          : one.salt !== null &&
            sealed === sentHash(one.salt, { id, caseId, taskId, formKey, formHash: form_hash, data, by, actedAs, at })
      if (!same) return unlike('sent', id, 'differs')
      if (!isEffectSealed(one, entries)) return unlike('sent', id, 'differs')
      return sealed === undefined ? unlike('sent', id, 'unsealed') : []
    }),
  ]
}

function outcomeOf(data: unknown): unknown {
  return (isObject(data) ? data['outcome'] : undefined) ?? null
}

/** Whether the details of the sealing entry were erased. */
function wasErased({ task_id: task }: Sent, entries: readonly SealedEntry[]): boolean {
  return entries.some(
    ({ action, object, payload }) =>
      payload === null &&
      (task === null
        ? ['case.submitted', 'case.acted'].includes(action)
        : action === 'task.completed' && object === `task:${task}`),
  )
}

/** Whether the audit trail has the same effect; voiding a submission is an entry too. */
function isEffectSealed(
  { id, task_id: task, submitted_by: by, effect, void_reason: reason }: Sent,
  entries: readonly SealedEntry[],
): boolean {
  const isNamed = entries.some((entry) => isVoiding(entry, id))
  if (effect !== 'void') return !isNamed
  return (
    isNamed || entries.some((entry) => isUndoing(entry, task) || mayBeVoiding(entry, { submission: id, by, reason }))
  )
}

type Step = Progress['activities'][number]

/** The steps through the diagram and their times, as the engine reported them; each is named by its element. */
function unlikePath({ row, activities }: Shown, entries: readonly SealedEntry[]): CaseDifference[] {
  const progress = progressIn(entries)
  if (progress.length === 0) return activities.length === 0 ? [] : [unlike('times', null, 'unsealed')]
  const told = new Map<string, Step>()
  let end: Progress['end']
  for (const one of progress) {
    if (one.rebuilt) told.clear()
    for (const step of one.activities) {
      const before = told.get(step.id)
      told.set(step.id, {
        ...step,
        startedAt: before?.startedAt ?? step.startedAt,
        endedAt: step.endedAt ?? before?.endedAt ?? null,
        canceled: step.canceled || (before?.canceled ?? false),
      })
    }
    end = one.end ?? end
  }
  const isSame = (step: Step, is: (typeof activities)[number]) =>
    // The start of a step that began before this was sealed is not sealed.
    [null, is.started_at.toISOString()].includes(step.startedAt) &&
    step.endedAt === (is.ended_at?.toISOString() ?? null) &&
    step.canceled === is.canceled &&
    step.element === is.element &&
    step.definitionId === is.process_definition_id
  const rows = new Map(activities.map((one) => [one.id, one]))
  const missing = [...told.values()].filter(({ id }) => !rows.has(id))
  const found = [
    ...missing.map(({ element, startedAt }) => unlike('times', element, 'missing', startedAt)),
    ...activities.flatMap((is) => {
      const step = told.get(is.id)
      if (!step) return unlike('times', is.element, 'unsealed')
      if (!isSame(step, is)) return unlike('times', is.element, 'differs', step.startedAt)
      return step.startedAt === null ? unlike('times', is.element, 'unsealed') : []
    }),
    ...(end && (row.ended_at?.toISOString() !== end.at || row.end_reason !== end.reason)
      ? [unlike('case', 'ended', 'differs', end.at)]
      : []),
    ...(!end && row.ended_at !== null && row.state === 'ended' ? [unlike('case', 'ended', 'unsealed')] : []),
  ]
  return [...new Map(found.map((one) => [`${one.part} ${one.id} ${one.how}`, one])).values()]
}

/** Names of people, compared with the latest name in the audit trail. */
function unlikeNames(names: ReadonlyMap<string, string>, entries: readonly SealedEntry[]): CaseDifference[] {
  const said = new Map<string, string | null>()
  for (const { actor, object, payload } of entries.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))) {
    const { name, now, changed, submitter } = (payload ?? {}) as {
      name?: unknown
      now?: { name?: unknown }
      changed?: unknown
      submitter?: unknown
    }
    const account = object?.startsWith('account:') ? object.slice('account:'.length) : undefined
    const given = now?.name ?? name
    if (account !== undefined && typeof given === 'string') said.set(account, given)
    // Older entries state that the name changed, but not the name.
    else if (account !== undefined && Array.isArray(changed) && changed.includes('name')) said.set(account, null)
    else if (typeof submitter === 'string') said.set(actor, submitter)
  }
  return [...names].flatMap(([id, name]) => {
    const sealed = said.get(id) ?? null
    if (sealed === null) return unlike('names', id, 'unsealed')
    return sealed === name ? [] : unlike('names', id, 'differs', sealed)
  })
}

function unlikeDocuments(documents: readonly IssuedDocument[], entries: readonly SealedEntry[]): CaseDifference[] {
  const told = (action: string) => entries.filter((entry) => entry.action === action)
  const objectOf = (id: string) => `document:${id}`
  const issued = told('document.issued')
  const ended = told('document.ended')
  const missing = issued.filter(({ object }) => !documents.some(({ id }) => objectOf(id) === object))
  return [
    ...missing.map(({ object }) =>
      unlike('documents', known(object, 'the document that was issued').slice('document:'.length), 'missing'),
    ),
    ...documents.flatMap(({ id, kind, number, issuedAt, endedAt }) => {
      const entry = issued.find(({ object }) => object === objectOf(id))
      if (!entry) return unlike('documents', id, 'unsealed')
      const { payload } = entry
      const same = payload === null || (payload['kind'] === kind && payload['number'] === number)
      const end = ended.find(({ object }) => object === objectOf(id))
      const sameEnd = endedAt === null ? end === undefined : end !== undefined && together(endedAt, end.at)
      return same && sameEnd && together(issuedAt, entry.at) ? [] : unlike('documents', id, 'differs')
    }),
  ]
}
