import type { Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { translateViolations } from '../../people/access/refusals.ts'
import { deadlinesOf, variablesOf } from '../cases/routing.ts'
import { refuseWhileShown } from '../cases/shown.ts'
import { noteListed } from '../cases/listed.ts'
import { agreeToRun, runVariables } from '../cases/run.ts'
import { withOwnRecords } from '../rows/own-records.ts'
import { attachSent, checkedAnswers } from '../cases/sent.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { FrozenForm } from '../../model/deployed/definitions.ts'
import type { Manifest } from '../../model/definitions/manifest.ts'
import { textAt } from '../../model/definitions/register.ts'
import type { Person } from '../../people/persons/person.ts'
import {
  type Permit,
  decidedWrongly,
  findPermit,
  isOver,
  noteTaskAct,
  obstacleOf,
  taken,
  notifyTaskChanged,
} from './permission.ts'
import { markTaskAccepted } from '../rows/task-acts.ts'
import { getTask } from '../rows/task-reads.ts'
import { leaveInbox } from '../rows/inbox.ts'
import { getCaseRow, lockCase } from '../rows/cases.ts'
import { addSubmission } from '../rows/submissions.ts'
import { type NewCommand, type Underway, addCommand, addCommandUnderway } from '../rows/commands.ts'
import type { Joint, TasksDependencies } from './context.ts'
import { formOfTask } from './read.ts'
import { refuseAnswer } from './answers.ts'
import { claimPicked } from '../cases/picked.ts'

/** A decision on a task. */
export interface Completion {
  data: unknown
  /** Until then the decision can be taken back; at most a minute from now. */
  notBefore?: string
}

/** Errors of decisions that four-eyes rules forbid: on one's own case, or a second one on a case. */
const keptByFourEyes: ReadonlySet<string> = new Set([
  'platform.own-case',
  'platform.own-case-of-absent',
  'platform.decided-before',
  'platform.absent-decided-before',
])

/** Longest time that a decision may be held back, in milliseconds. */
const longestDelay = 60_000

/**
 * Decides a task. `done`: the engine has moved on. `accepted`: the decision is stored and takes effect when the engine
 * answers, or at `notBefore`. A correction of the start form always takes effect at once, because the case has that
 * content from then on. If somebody else was faster, the error names them.
 */
export async function completeTask(
  context: TasksDependencies,
  person: Person,
  id: string,
  completion: Completion,
): Promise<{ state: 'done' | 'accepted'; caseId: string }> {
  const { db, sender } = context
  const { command, caseId, later, announced } = await decideTask(context, person, id, completion)
  const [delivered] = await Promise.all([later ? ('pending' as const) : sender.deliver(command), announced])
  if (delivered === 'refused') throw taken(await getTask(db, id))
  return { state: delivered === 'done' ? 'done' : 'accepted', caseId }
}

/** The task with its form, for a person who may decide it; throws why they may not. */
export async function findDecidable(
  context: TasksDependencies,
  person: Person,
  id: string,
): Promise<{ permit: Permit; form: FrozenForm }> {
  const permit = await findPermit(context, person, id)
  const { task } = permit
  const blocked = await obstacleOf(context, person, permit)
  if (blocked) throw new BusinessError(blocked)
  if (isOver(task) || (task.state === 'held' && task.assignee_id !== person.id)) throw taken(task)
  const form = await formOfTask(context, task)
  if (!form) throw new BusinessError('platform.task-without-form')
  return { permit, form }
}

/** Logs in the audit trail that four-eyes rules stopped a decision. */
async function noteRefusedDecision(
  context: TasksDependencies,
  person: Person,
  id: string,
  error: unknown,
): Promise<void> {
  const { db } = context
  if (!(error instanceof BusinessError) || !keptByFourEyes.has(error.code)) return
  const permit = await findPermit(context, person, id)
  await db.transaction().execute((trx) => noteTaskAct(trx, person, permit, 'decision.refused', { why: error.code }))
}

/**
 * Writes a decision and its command; the caller or the sweep sends it to the engine. `announced` resolves when the
 * browsers are notified, which need not wait for the engine, nor the engine for them.
 */
export async function decideTask(
  context: TasksDependencies,
  person: Person,
  id: string,
  { data, notBefore }: Completion,
  { lane, form: expected, within, more }: Joint & { lane?: 'bulk'; form?: string } = {},
): Promise<{ command: Underway; caseId: string; later: boolean; announced: Promise<void> }> {
  const { db, library, definitions, clock = () => new Date() } = context
  const { permit, form } = await findDecidable(context, person, id).catch(async (error: unknown) => {
    await noteRefusedDecision(context, person, id, error)
    throw error
  })
  const { task } = permit
  if (expected !== undefined && expected !== form.hash) throw new BusinessError('platform.bulk-form-differs')
  const answer = checkedAnswers(form.schema, await withOwnRecords(db, task.requester_id, form.schema, data))
  const now = clock()
  const { manifest } = await definitions.get(task.process_definition_id)
  const corrects = form.key === manifest.start
  const later = notBefore === undefined || corrects ? undefined : dueAt(notBefore, now)
  const given = { permit, form, answer, corrects, manifest, now }
  const deadlines = await deadlinesOf(db, now)
  const command = await db.transaction().execute(async (trx) => {
    if (corrects || manifest.listed || manifest.final?.includes(task.desk)) await lockUnlessWithdrawn(trx, task.case_id)
    const outcome = textAt(answer, '/outcome') ?? null
    const commandId = uuid()
    const decision = { outcome, decidedFor: permit.standsFor?.id ?? null, command: commandId }
    await accept(trx, person, { task, manifest, decision, later })
    await refuseWhileShown(trx, library, manifest, task, outcome)
    await refuseAnswer(context, trx, person, { task, form, answer })
    const { submissionId, sealed, corrected } = await keepAnswer(context, trx, person, given)
    await noteTaskAct(trx, person, permit, 'task.completed', { outcome, ...sealed, ...more })
    const instruction: NewCommand = {
      id: commandId,
      kind: 'complete',
      caseId: task.case_id,
      taskId: id,
      submissionId,
      actingUser: person.id,
      ...(lane && { lane }),
      ...(later && { notBefore: later }),
      payload: {
        taskId: id,
        variables: {
          ...variablesOf(form.schema, answer),
          ...corrected,
          ...(await noteListed(trx, library, { manifest, caseId: task.case_id, requesterId: task.requester_id, now })),
          ...(await runVariables(trx, manifest, task.case_id)),
          ...(outcome !== null && { [`${task.desk}_outcome`]: outcome }),
          ...deadlines,
        },
      },
    }
    const added = await addDecision(trx, instruction)
    await leaveInbox(trx, [id])
    await within?.(trx)
    return added
  })
  const announced = notifyTaskChanged(context, permit, person.id)
  return { command, caseId: task.case_id, later: later !== undefined, announced }
}

/** Locks the case, before its tasks as workers and the feed do; throws if its requester has withdrawn it. */
async function lockUnlessWithdrawn(trx: Transaction<DB>, caseId: string): Promise<void> {
  const { withdrawn_at: withdrawn } = await lockCase(trx, caseId)
  if (withdrawn !== null) throw new BusinessError('platform.task-gone')
}

/** Marks a task as decided; throws who was faster, or what the desk still waits for. */
async function accept(
  trx: Transaction<DB>,
  person: Person,
  {
    task: { id, case_id: caseId, desk },
    manifest,
    decision,
    later,
  }: {
    task: Permit['task']
    manifest: Manifest
    decision: Parameters<typeof markTaskAccepted>[3]
    later?: Date | undefined
  },
): Promise<void> {
  await agreeToRun(trx, manifest, { caseId, task: id, desk, outcome: decision.outcome, later })
  const accepted = await translateViolations(() => markTaskAccepted(trx, id, person.id, decision), decidedWrongly)
  if (!accepted) throw taken(await getTask(trx, id))
}

/** Adds the command of a decision, with its first attempt unless it is held back or part of a bulk action. */
async function addDecision(trx: Transaction<DB>, instruction: NewCommand): Promise<Underway> {
  if (instruction.notBefore || instruction.lane) return { id: await addCommand(trx, instruction) }
  return addCommandUnderway(trx, instruction)
}

/** Stores an answer with its files, and updates the case if it corrects the start form. */
async function keepAnswer(
  { cases }: TasksDependencies,
  trx: Transaction<DB>,
  person: Person,
  given: { permit: Permit; form: FrozenForm; answer: JsonObject; corrects: boolean; manifest: Manifest; now: Date },
) {
  const { form, answer, corrects, manifest, now } = given
  const { task, actedAs } = given.permit
  const { id: submissionId, sealed } = await addSubmission(trx, {
    caseId: task.case_id,
    taskId: task.id,
    formKey: form.key,
    formHash: form.hash,
    data: answer,
    by: person.id,
    actedAs,
  })
  if (manifest.assigns) {
    const row = await getCaseRow(trx, task.case_id)
    await claimPicked(trx, manifest, { row, form: form.key, data: answer, submissionId, now })
  }
  const corrected = corrects ? await cases.correct(trx, { caseId: task.case_id, form, data: answer, by: person }) : {}
  await attachSent(trx, { caseId: task.case_id, submissionId, by: person.id }, { schema: form.schema, data: answer })
  return { submissionId, sealed, corrected }
}

/** Throws if a decision would be held back for too long. */
export function checkDelay({ clock = () => new Date() }: TasksDependencies, notBefore: string | undefined): void {
  if (notBefore !== undefined) dueAt(notBefore, clock())
}

function dueAt(notBefore: string, now: Date): Date {
  const due = new Date(notBefore)
  if (due.getTime() - now.getTime() > longestDelay)
    throw new BusinessError('platform.form-invalid', {}, [{ field: '/notBefore', code: 'platform.delay-too-long' }])
  return due
}
