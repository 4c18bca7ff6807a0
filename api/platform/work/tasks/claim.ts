import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type TaskSummary, taskSummary } from './task-rows.ts'
import {
  type Permit,
  findPermit,
  isAskedForOpinion,
  isStillOffered,
  noteTaskAct,
  obstacleOf,
  taken,
  takesOver,
  notifyTaskChanged,
} from './permission.ts'
import { markTaskClaimed, markTaskReleased, markTaskTakenOver } from '../rows/task-acts.ts'
import { findTask, getTask } from '../rows/task-reads.ts'
import { listCandidates } from '../rows/candidates.ts'
import { refreshInbox } from '../rows/inbox.ts'
import { markTaskGivenBack } from './act-repository.ts'
import type { Joint, TasksDependencies } from './context.ts'

/** Claims a task; throws who was faster. */
export async function claimTask(
  context: TasksDependencies,
  person: Person,
  id: string,
  language?: Language,
  { within, more }: Joint = {},
): Promise<TaskSummary> {
  const { db } = context
  const permit = await findPermit(context, person, id)
  const blocked = await obstacleOf(context, person, permit)
  if (blocked) throw new BusinessError(blocked)
  await db.transaction().execute(async (trx) => {
    if (!(await isStillOffered(trx, person, permit))) throw new BusinessError('platform.not-found')
    if (!(await seizeTask(trx, person, permit))) throw taken(await getTask(trx, id))
    await refreshInbox(trx, [id])
    await noteTaskAct(trx, person, permit, 'task.claimed', more)
    await within?.(trx)
  })
  const { assignee_id: from } = permit.task
  await notifyTaskChanged(context, permit, person.id, ...(from === null ? [] : [from]))
  return taskSummary(context, person, await getTask(db, id), language)
}

/**
 * Claims a task that is free, that an absent person holds, or that a colleague holds only for an opinion. False if its
 * state has changed.
 */
async function seizeTask(trx: Transaction<DB>, person: Person, permit: Permit): Promise<boolean> {
  const { task, standsFor } = permit
  if (task.delegated_by === person.id)
    return markTaskGivenBack(trx, task.id, known(task.assignee_id, 'who was asked for an opinion'))
  if (standsFor && takesOver(permit)) return markTaskTakenOver(trx, task.id, standsFor.id, person.id)
  return markTaskClaimed(trx, task.id, person.id, standsFor?.id ?? null)
}

/** The task, for a person who may hold it; `askedBy` names who asked them for an opinion. */
async function findHeld(
  context: TasksDependencies,
  person: Person,
  id: string,
): Promise<{ permit: Permit; askedBy: string | null }> {
  const { db } = context
  const task = await findTask(db, id)
  if (!task || !isAskedForOpinion(person, task)) return { permit: await findPermit(context, person, id), askedBy: null }
  const candidates = (await listCandidates(db, [id])).map((one) => one.principal)
  const permit = { task, candidates, actedAs: `user:${person.id}`, standsFor: null }
  return { permit, askedBy: task.delegated_by }
}

/** Releases a task: to the person who asked for an opinion, or else to all its candidates. */
export async function releaseTask(
  context: TasksDependencies,
  person: Person,
  id: string,
  language?: Language,
  { within, more }: Joint = {},
): Promise<TaskSummary> {
  const { db } = context
  const { permit, askedBy } = await findHeld(context, person, id)
  await db.transaction().execute(async (trx) => {
    const done = askedBy ? await markTaskGivenBack(trx, id, person.id) : await markTaskReleased(trx, id, person.id)
    if (!done) {
      const now = await getTask(trx, id)
      throw now.state === 'open' ? new BusinessError('platform.task-not-held') : taken(now)
    }
    await refreshInbox(trx, [id])
    await noteTaskAct(trx, person, permit, 'task.released', { ...more, ...(askedBy && { to: askedBy }) })
    await within?.(trx)
  })
  await notifyTaskChanged(context, permit, person.id, ...(askedBy ? [askedBy] : []))
  return taskSummary(context, person, await getTask(db, id), language)
}
