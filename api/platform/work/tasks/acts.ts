import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { invalid } from '../../people/access/refusals.ts'
import { BusinessError, wrongField } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import { type Person, isStaff } from '../../people/persons/person.ts'
import type { TaskSummary } from './task-rows.ts'
import { containing } from '../../kernel/like.ts'
import {
  type Colleague,
  listColleagues,
  markTaskDelegated,
  markTaskGivenBack,
  markTaskHanded,
  markTaskPutOff,
  setTaskUrgency,
} from './act-repository.ts'
import { barredFrom, requestersOf } from '../offers/four-eyes.ts'
import {
  type HandlingDependencies,
  type Reached,
  actOnTask,
  reachOwnTask,
  reachTask,
  requireChanged,
  takeUnlessHeld,
  writeAboutTask,
} from './handling.ts'
import { isAskedForOpinion, isStillOffered, noteTaskAct, obstacleOf, taken } from './permission.ts'
import { rightOn } from '../offers/right-on.ts'
import type { TaskRow } from '../rows/tasks.ts'
import type { Joint } from './context.ts'
import { insertComment } from '../comments/repository.ts'
import { bound } from '../../kernel/bound.ts'

/** Maximum number of suggested people. */
const MAX_SUGGESTIONS = 20

/** A person who receives a task, and the right by which they can. */
interface Receiver extends Reached {
  person: Person
}

/** Why a person may not decide at a desk, in words for the one who would give them the task. */
const unsuitable: Readonly<Record<string, string>> = {
  'platform.own-case': 'platform.assignee-own-case',
  'platform.own-case-of-absent': 'platform.assignee-own-case',
  'platform.decided-before': 'platform.assignee-decided-before',
  'platform.absent-decided-before': 'platform.assignee-decided-before',
}

/** The person to receive a task; throws why they cannot. */
async function receiverOf(context: HandlingDependencies, to: string, { task, candidates }: Reached): Promise<Receiver> {
  const { db } = context
  const person = await findPerson(db, to)
  if (!person) throw invalid([{ field: '/to', code: 'platform.person-unknown' }])
  const free: TaskRow = { ...task, state: 'open', assignee_id: null, held_for: null, delegated_by: null }
  const right = rightOn(person, free, candidates)
  // A role that sees everything does not make a person a candidate.
  if (!right || !(right.standsFor || candidates.includes(right.actedAs)))
    throw wrongField('/to', 'platform.assignee-not-offered', { name: person.name })
  const receiver = { task: free, candidates, ...right, leading: undefined, offered: true, person }
  const blocked = await obstacleOf(context, person, receiver)
  if (blocked) throw wrongField('/to', unsuitable[blocked] ?? blocked, { name: person.name })
  return receiver
}

/** A task with its present assignee (null: nobody) and its receiver; throws if it cannot be given. */
async function findAssignable(context: HandlingDependencies, person: Person, id: string, to: string) {
  const reached = await reachTask(context, person, id)
  const { task } = reached
  if (isAskedForOpinion(person, task)) throw new BusinessError('platform.asked-for-opinion')
  const from = task.state === 'open' ? null : task.assignee_id
  const taking = from !== null && from !== person.id
  if (to === from) throw taken(task)
  const permit = taking ? permitOfLead(reached) : reached
  return { task, permit, from, taking, receiver: await receiverOf(context, to, permit) }
}

/** The permit of a person who leads at the desk of a task that somebody else has; throws who that is. */
function permitOfLead(reached: Reached) {
  const { task, leading } = reached
  if (leading === undefined) throw taken(task)
  return { ...reached, actedAs: leading, standsFor: null }
}

/**
 * Gives a task to another candidate. People can give what they hold or what nobody holds; those who lead at the desk
 * can give any task.
 */
export async function assignTask(
  context: HandlingDependencies,
  person: Person,
  id: string,
  { to, reason }: { to: string; reason?: string },
  language?: Language,
  { within, more, quiet = false }: Joint = {},
): Promise<TaskSummary> {
  const { permit, from, taking, receiver } = await findAssignable(context, person, id, to)
  const act = async (trx: Transaction<DB>) => {
    if (!(await isStillOffered(trx, receiver.person, receiver)))
      throw wrongField('/to', 'platform.assignee-not-offered', { name: receiver.person.name })
    const handed = { from, to, heldFor: receiver.standsFor?.id ?? null }
    await requireChanged(trx, permit, await markTaskHanded(trx, id, handed))
    await noteTaskAct(trx, person, permit, taking ? 'task.reassigned' : 'task.assigned', {
      to,
      ...(from !== null && { from }),
      ...(reason !== undefined && { reason }),
      ...more,
    })
    const values = { by: person.name, to: receiver.person.name, words: reason ?? '' }
    if (to !== person.id && !quiet)
      await writeAboutTask(context, trx, permit, to, { template: 'platform.mail.task-assigned', values })
    if (from !== null && taking && !quiet)
      await writeAboutTask(context, trx, permit, from, { template: 'platform.mail.task-taken', values })
    await within?.(trx)
  }
  return actOnTask(context, person, permit, act, { language, others: [to, from] })
}

/** Asks a staff member for an opinion. They hold the task until they answer, but cannot decide it. */
export async function delegateTask(
  context: HandlingDependencies,
  person: Person,
  id: string,
  { to, words }: { to: string; words: string },
  language?: Language,
): Promise<TaskSummary> {
  const { db } = context
  const permit = await reachOwnTask(context, person, id)
  const { task } = permit
  const colleague = await findPerson(db, to)
  if (!colleague) throw invalid([{ field: '/to', code: 'platform.person-unknown' }])
  if (excludedFromOpinion(person, task).includes(to) || !isStaff(colleague))
    throw wrongField('/to', 'platform.colleague-unsuitable', { name: colleague.name })
  const act = async (trx: Transaction<DB>) => {
    await takeUnlessHeld(trx, person, permit)
    await requireChanged(trx, permit, await markTaskDelegated(trx, id, person.id, to))
    await noteTaskAct(trx, person, permit, 'task.delegated', { to })
    const said = { caseId: task.case_id, taskId: id, author: person.id, kind: 'comment', body: words } as const
    await insertComment(trx, { ...said, mentions: [to], files: [] })
    await writeAboutTask(context, trx, permit, to, {
      template: 'platform.mail.opinion-asked',
      values: { by: person.name, words },
    })
  }
  return actOnTask(context, person, permit, act, { language, others: [to] })
}

/** Gives a task back to the person who asked, with an opinion. */
export async function resolveTask(
  context: HandlingDependencies,
  person: Person,
  id: string,
  opinion: string,
  language?: Language,
): Promise<TaskSummary> {
  const permit = await reachTask(context, person, id)
  const { task } = permit
  const asker = task.delegated_by
  if (asker === null || !isAskedForOpinion(person, task)) throw new BusinessError('platform.opinion-not-asked')
  const act = async (trx: Transaction<DB>) => {
    await requireChanged(trx, permit, await markTaskGivenBack(trx, id, person.id))
    await noteTaskAct(trx, person, permit, 'task.resolved', { to: asker })
    const said = { caseId: task.case_id, taskId: id, author: person.id, kind: 'opinion', body: opinion } as const
    await insertComment(trx, { ...said, mentions: [], files: [] })
    const values = { by: person.name, words: opinion }
    await writeAboutTask(context, trx, permit, asker, { template: 'platform.mail.opinion-given', values })
  }
  return actOnTask(context, person, permit, act, { language, others: [asker] })
}

/** Puts a task off until a moment, or ends that; also claims a free one. */
export async function followTaskUp(
  context: HandlingDependencies,
  person: Person,
  id: string,
  at: string | null,
  language?: Language,
): Promise<TaskSummary> {
  const permit = await reachTask(context, person, id)
  const { task } = permit
  const until = at === null ? null : coming(at)
  const own = task.state === 'held' && task.assignee_id === person.id
  if (!own && until === null) throw task.state === 'held' ? taken(task) : new BusinessError('platform.task-not-held')
  const reached = own ? permit : await reachOwnTask(context, person, id)
  const act = async (trx: Transaction<DB>) => {
    await takeUnlessHeld(trx, person, reached)
    await requireChanged(trx, reached, await markTaskPutOff(trx, id, person.id, until))
    await noteTaskAct(trx, person, reached, 'task.put-off', { until: until?.toISOString() ?? null })
  }
  return actOnTask(context, person, reached, act, { language })
}

/** Sets the priority of a task that one holds or that nobody holds; people who lead at the desk can set any. */
export async function setTaskPriority(
  context: HandlingDependencies,
  person: Person,
  id: string,
  priority: number,
  language?: Language,
): Promise<TaskSummary> {
  const reached = await reachTask(context, person, id)
  const { task } = reached
  if (isAskedForOpinion(person, task)) throw new BusinessError('platform.asked-for-opinion')
  const others = task.state === 'held' && task.assignee_id !== person.id
  const permit = others ? permitOfLead(reached) : reached
  const act = async (trx: Transaction<DB>) => {
    await requireChanged(trx, permit, await setTaskUrgency(trx, id, task.version, { priority }))
    await noteTaskAct(trx, person, permit, 'task.priority-set', { priority })
  }
  return actOnTask(context, person, permit, act, { language, others: [task.assignee_id] })
}

/** Sets the due date of a task; for people who lead at its desk. */
export async function setTaskDue(
  context: HandlingDependencies,
  person: Person,
  id: string,
  { at, reason }: { at: string; reason: string },
  language?: Language,
): Promise<TaskSummary> {
  const reached = await reachTask(context, person, id)
  const { task, leading } = reached
  if (leading === undefined) throw new BusinessError('platform.not-allowed')
  const due = coming(at)
  const permit = { ...reached, actedAs: leading, standsFor: null }
  const act = async (trx: Transaction<DB>) => {
    await requireChanged(trx, permit, await setTaskUrgency(trx, id, task.version, { due_at: due }))
    const before = task.due_at?.toISOString() ?? null
    await noteTaskAct(trx, person, permit, 'task.due-set', { due: due.toISOString(), before, reason })
  }
  return actOnTask(context, person, permit, act, { language, others: [task.assignee_id] })
}

/** People who can be given a task, or be asked for an opinion; fewest tasks first. */
export async function listPeopleForTask(
  context: HandlingDependencies,
  person: Person,
  id: string,
  { for: what, search }: { for: 'assign' | 'delegate'; search?: string },
): Promise<Colleague[]> {
  const { db, definitions } = context
  const { task, candidates } = await reachTask(context, person, id)
  const wanted = { search: search ? containing(search) : null, limit: MAX_SUGGESTIONS }
  if (what === 'delegate') return listColleagues(db, { ...wanted, without: excludedFromOpinion(person, task) })
  // A person who takes a task from its assignee may take it for themselves.
  const holder = task.state === 'held' ? known(task.assignee_id, 'the assignee of a held task') : person.id
  const barred = await barredFrom(db, definitions, [task])
  const without = [holder, ...known(barred.get(id), 'the people who may not decide the task')]
  return listColleagues(db, { ...wanted, principals: candidates, without })
}

/**
 * Handing tasks on and putting them off. Each act is one transaction that checks that the task is as it was read. If
 * two compete, the later one learns who was faster, and when.
 */
export function taskActs(context: HandlingDependencies) {
  return bound(context, {
    assignable: findAssignable,
    assign: assignTask,
    delegate: delegateTask,
    resolve: resolveTask,
    followUp: followTaskUp,
    setPriority: setTaskPriority,
    setDue: setTaskDue,
    people: listPeopleForTask,
  })
}

/** People who cannot be asked for an opinion: the person themselves and the requesters of the case. */
function excludedFromOpinion(person: Person, task: TaskRow): string[] {
  return [person.id, ...requestersOf(task)]
}

function coming(at: string): Date {
  const moment = new Date(at)
  if (moment.getTime() <= Date.now()) throw wrongField('/at', 'platform.moment-past')
  return moment
}
