import type { Kysely } from 'kysely'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { CaseQuestion, CaseView } from '../../work/cases/view.ts'
import { type Named, wordsOf } from '../../model/library/words.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import type { IssuedDocument } from '../../records/documents/documents.ts'
import type { Tracker } from '../../http/auth.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import type { Person } from '../../people/persons/person.ts'
import type { Vault } from '../../kernel/keys.ts'
import { caseQuestions } from '../../work/tasks/questions.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import type { TaskView } from '../../work/tasks/read.ts'
import { trackingRepository } from '../../work/guests/repository.ts'
import { type TrackingToken, hashOf, isSame, trackingSecrets } from '../../work/guests/secrets.ts'

/**
 * Follows one case with its number and secret. It uses the same services as the requester, through a person without
 * roles whose requests are limited to this case.
 */
export interface TrackingDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  cases: Cases
  tasks: Tasks
  vault: Vault
  publicUrl: string
}

/** A task of the case that waits for its requester. */
export interface TrackedTask {
  id: string
  name: string
  dueAt: string | null
  form: { key: string; hash: string } | null
}

/** A case for a person who follows it: what its requester sees, with no personal data except what was typed. */
export type TrackedCaseView = Pick<
  CaseView,
  | 'reference'
  | 'flow'
  | 'flowTitle'
  | 'title'
  | 'subject'
  | 'status'
  | 'statuses'
  | 'state'
  | 'data'
  | 'facts'
  | 'createdAt'
  | 'endedAt'
  | 'endReason'
  | 'withdrawable'
  | 'acts'
  | 'documents'
> & {
  /** The start form of the case; `data` matches it. */
  form: { key: string; hash: string }
  /** When the mailed link expires; null once it was used, or if none was sent. */
  confirmUntil: string | null
  waitsWith: { name: string; principals: string[]; since: string; dueAt: string | null }[]
  /** Tasks that wait for the requester. */
  tasks: TrackedTask[]
  /** Decisions with their reasons, oldest first. */
  decisions: { task: string; outcome: Named; reason: string | null; at: string }[]
  /** Questions to the requester, without the names of those who ask. */
  questions: Omit<CaseQuestion, 'task' | 'askedBy'>[]
  /** The statuses of the case, in words. */
  history: { at: string; text: string }[]
}

/** The task, if it is one of the case. */
async function taskOf(
  { tasks }: TrackingDependencies,
  { person, caseId }: Tracker,
  id: string,
  language?: Language,
): Promise<TaskView> {
  const view = await tasks.get(person, id, language)
  if (view.task.caseId !== caseId) throw new BusinessError('platform.not-found')
  return view
}

/** The case as its requester sees it. */
export async function readTrackedCase(
  context: TrackingDependencies,
  tracker: Tracker,
  language?: Language,
): Promise<TrackedCaseView> {
  const { db, cases } = context
  const { person, caseId } = tracker
  const [view, history, confirmUntil] = await Promise.all([
    cases.get(person, caseId, language),
    cases.history(person, caseId, language),
    trackingRepository(db).confirmUntil(caseId),
  ])
  const waiting = await Promise.all(
    view.waitsWith.map(async (one) => ({ one, task: await taskOf(context, tracker, one.taskId, language) })),
  )
  const own = waiting.filter(({ task }) => task.blockedBy === null)
  // Leave out tasks whose answer is pending.
  const open = own.filter(({ task }) => task.task.state === 'open' || task.task.state === 'held')
  const { reference, flow, flowTitle, title, subject, status, statuses, state, data, facts } = view
  return {
    ...{ reference, flow, flowTitle, title, subject, status, statuses, state, data, facts },
    createdAt: view.createdAt,
    endedAt: view.endedAt,
    endReason: view.endReason,
    withdrawable: view.withdrawable,
    acts: view.acts,
    documents: view.documents,
    form: await startFormOf(context, view),
    confirmUntil: confirmUntil?.toISOString() ?? null,
    waitsWith: waiting.map(({ one: { name, principals, since, dueAt }, task }) => ({
      ...{ name, since, dueAt },
      principals: task.blockedBy === null ? [] : principals,
    })),
    tasks: open.map(({ one, task: { form } }) => ({
      id: one.taskId,
      name: one.name,
      dueAt: one.dueAt,
      form: form && { key: form.key, hash: form.hash },
    })),
    decisions: await decisionsOf(context, view, language),
    questions: view.questions.map(({ task: _task, askedBy: _askedBy, ...question }) => question),
    history: history
      .filter(({ kind }) => kind === 'status')
      .map((one) => ({ at: one.at, text: one.status ?? one.text })),
  }
}

async function startFormOf(
  { definitions }: TrackingDependencies,
  { processDefinitionId }: CaseView,
): Promise<TrackedCaseView['form']> {
  const { manifest, forms } = await definitions.get(processDefinitionId)
  return { key: manifest.start, hash: known(forms[manifest.start], 'the start form') }
}

/** Decisions of desks, without the names of the people there. */
async function decisionsOf(
  { library, definitions }: TrackingDependencies,
  view: CaseView,
  language?: Language,
): Promise<TrackedCaseView['decisions']> {
  const { diagram } = await definitions.get(view.processDefinitionId)
  const words = wordsOf(library, language)
  const made = view.submissions.flatMap(({ effect, outcome, desk, ...one }) =>
    effect === 'done' && outcome && desk ? [{ ...one, outcome, desk }] : [],
  )
  return Promise.all(
    made.map(async ({ desk, outcome, data, formHash, at }) => ({
      task: words.element(view.flow, desk, diagram.names.get(desk)),
      outcome: { key: outcome, text: words.choice((await definitions.form(formHash)).schema, 'outcome', outcome) },
      reason: reasonOf(data),
      at,
    })),
  )
}

/** A token for a case. The error does not reveal whether the number or the secret was wrong. */
export async function openTracking(
  { db, vault }: TrackingDependencies,
  reference: string,
  secret: string,
): Promise<TrackingToken> {
  const found = await trackingRepository(db).findByReference(reference.trim())
  // Compare even without a case, so that timing reveals nothing.
  const fits = isSame(hashOf(secret.trim()), found?.secretHash ?? hashOf(''))
  if (!found || !fits) throw new BusinessError('platform.tracking-refused')
  await db.transaction().execute((trx) =>
    audit(trx).record({
      actor: found.requesterId,
      actedAs: 'tracking',
      action: 'case.tracked',
      caseId: found.caseId,
      object: `case:${found.caseId}`,
      payload: {},
    }),
  )
  return trackingSecrets(vault).tokenFor(found.caseId, found.secretHash)
}

/** The caller behind a token. Throws if it is not valid or has expired, or if the secret of the case has changed. */
export async function trackerByToken({ db, vault }: TrackingDependencies, token: string): Promise<Tracker> {
  const over = new BusinessError('platform.tracking-over')
  const caseId = trackingSecrets(vault).caseOf(token)
  const found = caseId === undefined ? undefined : await trackingRepository(db).find(caseId)
  if (!found || !trackingSecrets(vault).isGenuine(token, found.secretHash)) throw over
  const requester = await findPerson(db, found.requesterId)
  if (!requester) throw over
  const { id, username, name, email } = requester
  const none = { post: null, grants: [], groups: [], groupRoles: {}, seesAll: false, standsIn: [] }
  const person: Person = { id, username, name, email, ...none, principals: [`user:${id}`], through: 'tracking' }
  return { caseId: found.caseId, person }
}

/** A document that was issued in the case. */
export function trackedDocument(
  { cases }: TrackingDependencies,
  { person, caseId }: Tracker,
  id: string,
): Promise<IssuedDocument> {
  return cases.document(person, caseId, id)
}

/** Completes a task that waits for the requester. */
export async function completeTrackedTask(
  context: TrackingDependencies,
  tracker: Tracker,
  id: string,
  data: unknown,
  language?: Language,
): Promise<TrackedCaseView> {
  const { tasks } = context
  await taskOf(context, tracker, id)
  await tasks.complete(tracker.person, id, { data })
  return readTrackedCase(context, tracker, language)
}

/** Answers a question of a desk. */
export async function answerTrackedQuestion(
  context: TrackingDependencies,
  tracker: Tracker,
  id: string,
  words: string,
  language?: Language,
): Promise<TrackedCaseView> {
  await caseQuestions(context).answer(tracker.person, tracker.caseId, id, words)
  return readTrackedCase(context, tracker, language)
}

export async function withdrawTrackedCase(
  context: TrackingDependencies,
  tracker: Tracker,
  reason: string,
  language?: Language,
): Promise<TrackedCaseView> {
  const { cases } = context
  await cases.withdraw(tracker.person, tracker.caseId, reason)
  return readTrackedCase(context, tracker, language)
}

export async function actOnTrackedCase(
  context: TrackingDependencies,
  tracker: Tracker,
  name: string,
  data: unknown,
  language?: Language,
): Promise<TrackedCaseView> {
  const { cases } = context
  await cases.act(tracker.person, tracker.caseId, name, { data })
  return readTrackedCase(context, tracker, language)
}

function reasonOf(answer: JsonObject): string | null {
  const { reason } = answer as { reason?: unknown }
  return typeof reason === 'string' ? reason : null
}
