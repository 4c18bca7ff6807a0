import type { Kysely, Transaction } from 'kysely'
import { taskPath } from '../../model/library/paths.ts'
import type { Cases } from '../cases/service.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Language, Library } from '../../model/library/library.ts'
import type { Person } from '../../people/persons/person.ts'
import { type TaskSummary, taskSummary } from './task-rows.ts'
import { mail } from '../../records/mail/mail.ts'
import { leadsNow } from '../../people/access/lead.ts'
import {
  type Permit,
  findPermit,
  isAskedForOpinion,
  isOver,
  isStillOffered,
  noteTaskAct,
  obstacleOf,
  taken,
  notifyTaskChanged,
} from './permission.ts'
import { rightOn } from '../offers/right-on.ts'
import { findTask, getTask } from '../rows/task-reads.ts'
import { listCandidates } from '../rows/candidates.ts'
import { markTaskHanded } from './act-repository.ts'
import { refreshInbox } from '../rows/inbox.ts'

export interface HandlingDependencies {
  db: Kysely<DB>
  library: Library
  definitions: Definitions
  cases: Pick<Cases, 'check'>
  publicUrl: string
}

/** A task that a person may act on, though perhaps not decide. */
export interface Reached extends Permit {
  /** The right by which they lead at the desk. */
  leading: string | undefined
  /** Whether it is offered to them, or with them for an opinion. If not, they only lead at its desk. */
  offered: boolean
}

/** An open or held task, as this person may act on it; throws who decided it, or that it is not theirs. */
export async function reachTask(context: HandlingDependencies, person: Person, id: string): Promise<Reached> {
  const { db } = context
  const task = await findTask(db, id)
  if (!task) throw new BusinessError('platform.not-found')
  const candidates = (await listCandidates(db, [id])).map((one) => one.principal)
  const leading = (await leadsNow(db, person))?.rightOn(candidates)
  const right = isAskedForOpinion(person, task)
    ? { actedAs: `user:${person.id}`, standsFor: null }
    : rightOn(person, task, candidates)
  const led = leading === undefined ? undefined : { actedAs: leading, standsFor: null }
  const found = right ?? led
  const permit = found ? { task, candidates, ...found } : await findPermit(context, person, id)
  if (isOver(task)) throw taken(task)
  return { ...permit, leading, offered: right !== undefined }
}

/** Like `reachTask`, for a task that is free or one's own, and that the person could decide. */
export async function reachOwnTask(context: HandlingDependencies, person: Person, id: string): Promise<Reached> {
  const permit = await reachTask(context, person, id)
  const { task } = permit
  if (task.state === 'held' && task.assignee_id !== person.id) throw taken(task)
  if (!permit.offered) throw new BusinessError('platform.not-allowed')
  const blocked = await obstacleOf(context, person, permit)
  if (blocked) throw new BusinessError(blocked)
  return permit
}

/** Claims the task unless the person holds it already; throws who was faster. */
export async function takeUnlessHeld(trx: Transaction<DB>, person: Person, permit: Reached): Promise<void> {
  const { task, standsFor } = permit
  if (task.state === 'held') return
  if (!(await isStillOffered(trx, person, permit))) throw new BusinessError('platform.not-found')
  const handed = { from: null, to: person.id, heldFor: standsFor?.id ?? null }
  if (!(await markTaskHanded(trx, task.id, handed))) throw taken(await getTask(trx, task.id))
  await noteTaskAct(trx, person, permit, 'task.claimed')
}

/** Throws why a change was too late, if it was. */
export async function requireChanged(trx: Transaction<DB>, { task }: Reached, changed: boolean): Promise<void> {
  if (!changed) throw taken(await getTask(trx, task.id))
}

/** Makes a change in one transaction and notifies the people whose lists it changes; returns the task as it is then. */
export async function actOnTask(
  context: HandlingDependencies,
  person: Person,
  permit: Reached,
  act: (trx: Transaction<DB>) => Promise<void>,
  { language, others = [] }: { language?: Language | undefined; others?: readonly (string | null)[] } = {},
): Promise<TaskSummary> {
  const { db } = context
  const { id } = permit.task
  await db.transaction().execute(async (trx) => {
    await act(trx)
    await refreshInbox(trx, [id])
  })
  await notifyTaskChanged(context, permit, person.id, ...others.filter((one) => one !== null))
  return taskSummary(context, person, await getTask(db, id), language)
}

/** Notifies a person about the task, in the portal and by mail. */
export async function writeAboutTask(
  { library, publicUrl }: HandlingDependencies,
  trx: Transaction<DB>,
  { task }: Permit,
  to: string,
  { template, values }: { template: string; values: Record<string, unknown> },
): Promise<void> {
  const page = taskPath(library, task.id)
  await mail(trx, { library, publicUrl }).send({ to, template, values, caseId: task.case_id, page })
}
