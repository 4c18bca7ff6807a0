import type { Kysely, Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { lockAccess } from '../../people/access/lock.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { Cases } from '../cases/service.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB, JsonObject } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import { type Person, everything } from '../../people/persons/person.ts'
import { type Right, rightOn } from '../offers/right-on.ts'
import { fourEyesAt } from '../offers/four-eyes.ts'
import { toRequester } from '../../model/bpmn/promises.ts'
import type { TaskRow } from '../rows/tasks.ts'
import { findTask } from '../rows/task-reads.ts'
import { listCandidates } from '../rows/candidates.ts'
import { listDeciders } from '../rows/decisions.ts'
import { bound } from '../../kernel/bound.ts'

export interface TaskPermissionDependencies {
  db: Kysely<DB>
  definitions: Definitions
  cases: Pick<Cases, 'check'>
}

/** A task with the right by which a person acts on it. */
export interface Permit extends Right {
  task: TaskRow
  /** Its candidates. */
  candidates: string[]
}

/** The task, and the right by which this person acts on it; throws 404 for everybody else. */
export async function findPermit(
  { db, cases }: TaskPermissionDependencies,
  person: Person,
  id: string,
): Promise<Permit> {
  const task = await findTask(db, id)
  if (!task) throw new BusinessError('platform.not-found')
  const candidates = (await listCandidates(db, [id])).map((one) => one.principal)
  const right = rightOn(person, task, candidates)
  if (right) return { task, candidates, ...right }
  // An ended task has no candidates, but people who see its case learn how it ended.
  await cases.check(person, task.case_id)
  if (isOver(task)) throw decided(task)
  throw new BusinessError('platform.not-allowed')
}

/** Code of the reason why this person may not decide at the desk of a task, for themselves or as a substitute. */
export async function obstacleOf(
  { db, definitions }: TaskPermissionDependencies,
  person: Person,
  { task, actedAs, standsFor }: Permit,
): Promise<string | null> {
  if (isAskedForOpinion(person, task)) return 'platform.asked-for-opinion'
  const definition = await definitions.get(task.process_definition_id)
  const fourEyes = fourEyesAt(task, definition)
  const requesters = [task.requester_id, task.sent_by]
  // A task offered to the requester by name is theirs, whatever the four-eyes rules of the desk are. One that a step
  // has offered to somebody else by name is not, even if they are one person.
  const asked = definition.diagram.desks.get(task.desk)?.offeredTo.includes(toRequester) ?? false
  const own = asked && actedAs === `user:${person.id}`
  if (!own && fourEyes.includes('requester') && requesters.includes(person.id)) return 'platform.own-case'
  if (standsFor && requesters.includes(standsFor.id)) return 'platform.own-case-of-absent'
  const desks = fourEyes.filter((desk) => desk !== 'requester')
  const deciders = await listDeciders(db, task.case_id, desks)
  if (deciders.includes(person.id)) return 'platform.decided-before'
  return standsFor && deciders.includes(standsFor.id) ? 'platform.absent-decided-before' : null
}

/** Notifies the browsers of everybody whose lists an act on a task changes. */
export async function notifyTaskChanged(
  { db }: TaskPermissionDependencies,
  { task, candidates, standsFor }: Permit,
  ...people: string[]
): Promise<void> {
  const accountIds = [task.requester_id, ...people, ...(standsFor ? [standsFor.id] : [])]
  const principals = [...candidates, everything, ...accountIds.map((id) => `user:${id}`)]
  await announce(db, { principals, cases: [task.case_id], tasks: [task.id] })
}

/** Writes the audit entry of an act on a task; `for` names the absent person it was done for. */
export async function noteTaskAct(
  trx: Transaction<DB>,
  person: Person,
  { task, actedAs, standsFor }: Permit,
  action: string,
  more: JsonObject = {},
): Promise<void> {
  await audit(trx).record({
    actor: person.id,
    actedAs: person.through ?? actedAs,
    action,
    caseId: task.case_id,
    object: `task:${task.id}`,
    payload: { task: task.name, desk: task.desk, ...(standsFor && { for: standsFor.id }), ...more },
  })
}

/**
 * Whether the right is still valid, until the end of the transaction. It locks the grant or substitution, so that its
 * end and a decision cannot overlap.
 */
export async function isStillOffered(trx: Transaction<DB>, person: Person, permit: Permit): Promise<boolean> {
  await lockAccess(trx, 'shared')
  const now = await findPerson(trx, person.id)
  const right = now && rightOn(now, permit.task, permit.candidates)
  return right !== undefined && right.standsFor?.id === permit.standsFor?.id
}

/** Who may act on a task and decide at its desk. */
export function taskPermission(context: TaskPermissionDependencies) {
  return bound(context, { permitted: findPermit, obstacle: obstacleOf })
}

/** Whether a person holds a task only because its assignee asked for an opinion. */
export function isAskedForOpinion(
  person: Pick<Person, 'id'>,
  { state, assignee_id, delegated_by }: Pick<TaskRow, 'state' | 'assignee_id' | 'delegated_by'>,
): boolean {
  return state === 'held' && assignee_id === person.id && delegated_by !== null
}

/** Decisions that the database itself rejects, because something changed at the same moment. */
export const decidedWrongly: Readonly<Record<string, () => BusinessError>> = {
  task_four_eyes: () => new BusinessError('platform.decided-before'),
  task_not_ones_own: () => new BusinessError('platform.own-case'),
  task_decided_in_stead: () => new BusinessError('platform.not-allowed'),
}

/** Whether claiming a task takes it over from the absent person who holds it. */
export function takesOver({ task, standsFor }: Pick<Permit, 'task' | 'standsFor'>): boolean {
  return task.state === 'held' && standsFor !== null && task.assignee_id === standsFor.id
}

/** Whether a task is over. */
export function isOver(task: TaskRow): boolean {
  return task.state === 'accepted' || task.state === 'done' || task.state === 'void'
}

/** Why a task cannot be claimed or decided: who was faster, and when. */
export function taken(task: TaskRow): BusinessError {
  if (isOver(task)) return decided(task)
  if (task.state === 'held') {
    const at = known(task.claimed_at, 'when a held task was claimed').toISOString()
    return new BusinessError('platform.task-held', { name: known(task.assignee_name, 'the name of the assignee'), at })
  }
  return new BusinessError('platform.task-changed')
}

/** How an ended task ended, or that it is gone. */
function decided(task: TaskRow): BusinessError {
  if (task.state === 'void' || task.decider_name === null) return new BusinessError('platform.task-gone')
  const at = known(task.decided_at, 'when a decided task was decided').toISOString()
  return new BusinessError('platform.task-decided', { name: task.decider_name, at })
}
