import { type Named, wordsOf } from '../../model/library/words.ts'
import { known } from '../../kernel/known.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type TaskSummary, taskSummary } from './task-rows.ts'
import { draftRepository } from '../rows/drafts.ts'
import { type Permit, findPermit, noteTaskAct, notifyTaskChanged } from './permission.ts'
import { markTaskReopened } from '../rows/task-acts.ts'
import { findTask, getTask, listUndoableTasks } from '../rows/task-reads.ts'
import { refreshInbox } from '../rows/inbox.ts'
import { lockCase } from '../rows/cases.ts'
import { voidSubmissionOf } from '../rows/submissions.ts'
import { sendCommandNow, takeBackCommands } from '../rows/commands.ts'
import { leaveBulkDecision } from '../rows/bulk.ts'
import type { TasksDependencies } from './context.ts'

/** A decision that can still be taken back. */
export interface Undoable {
  task: string
  reference: string
  title: string
  outcome: Named | null
  until: string
}

/** Takes back a decision made with `notBefore` that has not been sent. */
export async function undoDecision(
  context: TasksDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<TaskSummary> {
  const { db } = context
  const permit = await findPermit(context, person, id)
  if (!isDecidedBy(person, permit)) throw new BusinessError('platform.not-allowed')
  const undone = await takeDecisionsBack(context, person, [permit])
  if (undone === 0) throw new BusinessError('platform.too-late-to-undo')
  return taskSummary(context, person, await getTask(db, id), language)
}

/** Takes back the person's own unsent decisions among these; returns how many. */
export async function undoDecisions(
  context: TasksDependencies,
  person: Person,
  ids: readonly string[],
): Promise<number> {
  const permits: Permit[] = []
  for (const id of ids) {
    const permit = await findPermit(context, person, id).catch((error: unknown) => {
      if (error instanceof BusinessError) return undefined
      throw error
    })
    if (permit && isDecidedBy(person, permit)) permits.push(permit)
  }
  return takeDecisionsBack(context, person, permits)
}

function isDecidedBy(person: Person, { task }: Permit): boolean {
  return task.decided_by === person.id && task.command_id !== null
}

/** All in one transaction, in which none of them can be sent; returns how many were taken back. */
async function takeDecisionsBack(
  context: TasksDependencies,
  person: Person,
  permits: readonly Permit[],
): Promise<number> {
  const { db } = context
  const undone: Permit[] = []
  await db.transaction().execute(async (trx) => {
    // The feed may be about to end a task: lock the cases, so that one goes before the other.
    for (const caseId of [...new Set(permits.map(({ task }) => task.case_id))].sort()) await lockCase(trx, caseId)
    for (const permit of permits) {
      const command = known(permit.task.command_id, 'the command of the decision')
      if ((await takeBackCommands(trx, [command])) === 1) undone.push(permit)
    }
    for (const permit of undone) {
      const { id } = permit.task
      await voidSubmissionOf(trx, id, 'undone')
      await markTaskReopened(trx, id)
      await draftRepository(trx).restore(id, person.id)
      await leaveBulkDecision(trx, id, person.id)
      await noteTaskAct(trx, person, permit, 'task.completion-undone')
    }
    await refreshInbox(
      trx,
      undone.map(({ task }) => task.id),
    )
  })
  for (const permit of undone) await notifyTaskChanged(context, permit, person.id)
  return undone.length
}

/** Sends an own held-back decision now. If it was sent meanwhile, this does nothing. */
export async function sendDecision(
  context: TasksDependencies,
  person: Person,
  id: string,
  language?: Language,
): Promise<TaskSummary> {
  const { db } = context
  const sent = await findTask(db, id)
  if (sent?.decided_by === person.id && sent.state === 'done') return taskSummary(context, person, sent, language)
  const { decided_by: decider, command_id: command } = (await findPermit(context, person, id)).task
  if (decider !== person.id || command === null) throw new BusinessError('platform.not-allowed')
  await db.transaction().execute((trx) => sendCommandNow(trx, command))
  return taskSummary(context, person, await getTask(db, id), language)
}

/** Own unsent decisions, newest first. */
export async function listUndoable(
  { db, library, definitions }: TasksDependencies,
  person: Person,
  language?: Language,
): Promise<Undoable[]> {
  const words = wordsOf(library, language)
  const rows = await listUndoableTasks(db, person.id)
  return Promise.all(
    rows.map(async (row) => {
      const { manifest } = await definitions.get(row.process_definition_id)
      const { schema } = await definitions.form(known(row.form_hash, 'the form of a decided task'))
      const { outcome } = row
      return {
        task: row.id,
        reference: row.reference,
        title: words.caseTitle(manifest, row.subject),
        outcome: outcome === null ? null : { key: outcome, text: words.choice(schema, 'outcome', outcome) },
        until: row.until.toISOString(),
      }
    }),
  )
}
