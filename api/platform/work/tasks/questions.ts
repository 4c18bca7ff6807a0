import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { casePath } from '../../model/library/paths.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { type Person, everything } from '../../people/persons/person.ts'
import type { TaskSummary } from './task-rows.ts'
import type { Vault } from '../../kernel/keys.ts'
import { mail } from '../../records/mail/mail.ts'
import { trackingAddress } from '../guests/letters.ts'
import {
  type HandlingDependencies,
  type Reached,
  actOnTask,
  reachOwnTask,
  reachTask,
  takeUnlessHeld,
  writeAboutTask,
} from './handling.ts'
import { isAskedForOpinion, noteTaskAct, taken } from './permission.ts'
import { questionRepository } from '../rows/questions.ts'
import { listCandidates } from '../rows/candidates.ts'
import { lockTask } from '../rows/task-reads.ts'
import { findCaseRow } from '../rows/cases.ts'
import { refreshInbox } from '../rows/inbox.ts'
import { bound } from '../../kernel/bound.ts'

export interface QuestionsDependencies extends HandlingDependencies {
  /** Derives the addresses at which guests follow their cases. */
  vault: Vault
}

/** Asks the requester; also claims a free task. A task has at most one open question. */
export async function askRequester(
  context: QuestionsDependencies,
  person: Person,
  id: string,
  question: string,
  language?: Language,
): Promise<TaskSummary> {
  const permit = await reachOwnTask(context, person, id)
  const { task } = permit
  if (task.requester_id === person.id) throw new BusinessError('platform.own-case')
  const act = async (trx: Transaction<DB>) => {
    await takeUnlessHeld(trx, person, permit)
    const now = await lockTask(trx, id)
    if (now.state !== 'held' || now.assignee_id !== person.id) throw taken(now)
    const asked = { taskId: id, caseId: task.case_id, by: person.id, question }
    if (!(await questionRepository(trx).ask(asked))) throw new BusinessError('platform.question-open')
    await noteTaskAct(trx, person, permit, 'question.asked')
    await tellRequester(context, trx, permit, question)
  }
  return actOnTask(context, person, permit, act, { language })
}

/** Mails the requester; a guest gets the tracking address of the case. */
async function tellRequester(
  context: QuestionsDependencies,
  trx: Transaction<DB>,
  { task }: Reached,
  question: string,
): Promise<void> {
  const { library, publicUrl } = context
  const about = { id: task.case_id, reference: task.reference }
  const address = await trackingAddress(trx, context, about)
  await mail(trx, { library, publicUrl }).send({
    to: task.requester_id,
    template: 'platform.mail.question',
    caseId: task.case_id,
    values: { question, link: address ?? publicUrl + casePath(library, task.case_id) },
  })
}

/** Takes a question back; for the person who asked, the present assignee, and people who lead at the desk. */
export async function withdrawQuestion(
  context: QuestionsDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<TaskSummary> {
  const { db } = context
  const permit = await reachTask(context, person, id)
  const { task, leading } = permit
  const open = await questionRepository(db).findOpen(id)
  const theirs = task.assignee_id === person.id && !isAskedForOpinion(person, task)
  if (!theirs && leading === undefined && open?.asked_by !== person.id)
    throw task.state === 'held' ? taken(task) : new BusinessError('platform.not-allowed')
  const act = async (trx: Transaction<DB>) => {
    if (!(await questionRepository(trx).withdraw(id))) throw new BusinessError('platform.question-over')
    await noteTaskAct(trx, person, permit, 'question.withdrawn')
  }
  return actOnTask(context, person, permit, act, { language, others: [open?.asked_by ?? null] })
}

/** Answers a question about one's own case. */
export async function answerQuestion(
  context: QuestionsDependencies,
  person: Person,
  caseId: string,
  id: string,
  words: string,
): Promise<void> {
  const { db, cases } = context
  await cases.check(person, caseId)
  const row = await findCaseRow(db, caseId)
  if (row?.requester_id !== person.id) throw new BusinessError('platform.not-allowed')
  const question = await questionRepository(db).find(id)
  if (!question || question.case_id !== caseId) throw new BusinessError('platform.not-found')
  const told = [question.asked_by, ...(question.assignee_id === null ? [] : [question.assignee_id])]
  const candidates = await db.transaction().execute(async (trx) => {
    const task = await lockTask(trx, question.task_id)
    const waits = task.state === 'open' || task.state === 'held'
    if (!waits || !(await questionRepository(trx).answer(id, person.id, words)))
      throw new BusinessError('platform.question-over')
    await audit(trx).record({
      actor: person.id,
      actedAs: person.through ?? null,
      action: 'question.answered',
      caseId,
      object: `task:${task.id}`,
      payload: { task: task.name, desk: task.desk },
    })
    await refreshInbox(trx, [task.id])
    const found = (await listCandidates(trx, [task.id])).map((one) => one.principal)
    const values = { question: question.question, answer: words }
    const permit = { task, candidates: found, actedAs: `user:${person.id}`, standsFor: null }
    for (const to of new Set(told))
      await writeAboutTask(context, trx, permit, to, { template: 'platform.mail.question-answered', values })
    return found
  })
  const principals = [...candidates, everything, ...[...told, person.id].map((one) => `user:${one}`)]
  await announce(db, { principals, cases: [caseId], tasks: [question.task_id] })
}

/**
 * Questions that a desk asks the requester. A task with an open question counts as put off. The answer returns it to
 * the person who asked, who is notified.
 */
export function caseQuestions(context: QuestionsDependencies) {
  return bound(context, { ask: askRequester, withdraw: withdrawQuestion, answer: answerQuestion })
}
