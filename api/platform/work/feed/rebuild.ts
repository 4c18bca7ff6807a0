import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { known } from '../../kernel/known.ts'
import type { Changed } from '../../kernel/db/changed.ts'
import { giveUpDecision } from '../commands/overtaken.ts'
import type { Definition, Definitions } from '../../model/deployed/definitions.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Engine, InstanceState, TaskState, VariableInstance } from '../../kernel/engine/port.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { promises } from '../promises/promises.ts'
import { isoDuration } from '../../model/bpmn/durations.ts'
import { mailNewTasksLater } from './new-tasks.ts'
import type { Moved } from '../rows/tasks.ts'
import { createTasks, endTask, listTaskVersions, reviveTask } from '../rows/engine-tasks.ts'
import { listCandidates, removeCandidates } from '../rows/candidates.ts'
import { listOpenTasks } from '../rows/task-reads.ts'
import { type OfferDependencies, taskOffers } from '../offers/offers.ts'
import { type ReportedTask, progressOf } from './progress.ts'
import {
  type FedCase,
  deleteActivities,
  dropParkedEvents,
  resolveIncidents,
  saveActivities,
  saveCaseChanges,
  saveIncident,
} from '../rows/feed.ts'
import { arriveCase } from '../rows/case-moves.ts'
import { releaseAll } from '../allocations/release-all.ts'

/** Kinds of incidents that the engine opens and resolves itself. */
const engineIncidents = ['failedJob', 'failedExternalTask']

/**
 * Rewrites a case from the engine's state and deletes its parked events. The caller must hold the feed's lock since
 * before it asked the engine. Events that arrive later are safe to apply, whether they are older or newer.
 */
export async function rebuildCase(
  trx: Transaction<DB>,
  row: FedCase,
  engine: Engine,
  dependencies: OfferDependencies & MailDependencies,
): Promise<Changed> {
  const { definitions } = dependencies
  const instanceId = known(row.process_instance_id, 'the instance of the case')
  const state = await engine.state(instanceId)
  const end = state.end ?? undefined
  await rewritePath(trx, row.id, state)
  // Ignore a version that was not deployed through this product.
  const running = (await definitions.find(state.definitionId)) ?? (await definitions.get(row.process_definition_id))
  const statuses = { ...running.manifest.firstStatus }
  for (const { definitionId, element } of state.activities) {
    Object.assign(statuses, (await definitions.find(definitionId))?.diagram.statuses.get(element))
  }
  const offered = taskOffers(trx, dependencies)
  const people = [`user:${row.requester_id}`, ...(await endMissed({ trx, row, state, offered }, dependencies))]
  const tasks = await rebuildTasks({ trx, row, state, offered }, { definitions, running, engine, instanceId })
  // After the tasks are locked, so that a change of a due date meanwhile is sealed on the right side of this.
  await audit(trx).recordAll(progressOf(row.id, { rebuilt: true, activities: state.activities, tasks, end }))
  await promises(trx, definitions).follow(tasks, state.activities)
  await rewriteIncidents(trx, row.id, state)
  await dropParkedEvents(trx, row.id)
  await saveCaseChanges(trx, {
    id: row.id,
    statuses,
    drifted: false,
    instanceId,
    ...(running.id !== row.process_definition_id && {
      definition: { id: running.id, flowHash: running.flowHash },
    }),
    ...(end && { end }),
  })
  if (end?.reason === 'canceled') await releaseAll(trx, row.id)
  const principals = await offered.settle()
  // A person who got a mail about one of these tasks gets no second one.
  const ids = state.tasks.map(({ id }) => id)
  await mailNewTasksLater(trx, ids)
  return { principals: [...people, ...principals], cases: [row.id], tasks: offered.touched() }
}

/** A case that is being rebuilt, with its state in the engine. */
interface Rebuilt {
  trx: Transaction<DB>
  row: FedCase
  state: InstanceState
  offered: ReturnType<typeof taskOffers>
}

async function rewritePath(trx: Transaction<DB>, caseId: string, { activities }: InstanceState): Promise<void> {
  await deleteActivities(trx, caseId)
  const path = activities.map((one) => ({ ...one, caseId }))
  await saveActivities(trx, path)
}

async function rewriteIncidents(trx: Transaction<DB>, caseId: string, { incidents }: InstanceState): Promise<void> {
  for (const incident of incidents) await saveIncident(trx, caseId, incident)
  const present = incidents.map(({ id }) => id)
  await resolveIncidents(trx, caseId, [...engineIncidents, 'drifted'], present)
}

/** Ends tasks that the engine no longer has; returns the people whose decisions had no effect. */
async function endMissed(
  { trx, row, state, offered }: Rebuilt,
  dependencies: OfferDependencies & MailDependencies,
): Promise<string[]> {
  const people: string[] = []
  for (const taskId of await endMissingTasks(trx, row.id, state, offered.ends)) {
    // The missed events would say more; only this much is certain.
    const reason = row.withdrawn_at === null ? 'moved-on' : 'withdrawn'
    const decider = await giveUpDecision(trx, dependencies, { caseId: row.id, taskId, reason })
    if (decider !== undefined) people.push(`user:${decider}`)
  }
  return people
}

/** Writes the tasks that the engine has; returns each with the desk that it was last known at. */
async function rebuildTasks(
  { trx, row, state, offered }: Rebuilt,
  {
    definitions,
    running,
    engine,
    instanceId,
  }: { definitions: Definitions; running: Definition; engine: Engine; instanceId: string },
): Promise<(TaskState & ReportedTask & { left: string })[]> {
  const ids = state.tasks.map(({ id }) => id)
  const before = new Map((await listTaskVersions(trx, ids)).map((one) => [one.id, one]))
  const hasMoved = ({ id, definitionId }: TaskState) => {
    const earlier = before.get(id)
    // A task created just before the move is first seen now: its offer is still that of its old desk.
    if (earlier === undefined) return running.id !== row.process_definition_id
    return earlier.moved || earlier.process_definition_id !== definitionId
  }
  // From here on its tasks can be decided. Until the feed confirms the move, they cannot.
  const became = await arriveCase(trx, row.id, running.id)
  const variables = state.tasks.some(hasMoved) ? await engine.variables(instanceId) : []
  const rebuilt: (TaskState & ReportedTask & { left: string })[] = []
  for (const task of state.tasks) {
    // The engine keeps the name and candidates of the desk that the task was created at.
    const earlier = before.get(task.id)
    const left = earlier?.desk ?? became.find(({ target }) => target === task.desk)?.source ?? task.desk
    const last = { desk: left, definitionId: earlier?.process_definition_id ?? row.process_definition_id }
    const drawn = await drawnOf(definitions, task, { ...last, fourEyes: earlier?.four_eyes })
    const { formKey, formHash } = drawn
    const moved = hasMoved(task) && movedTo(task, drawn, variables)
    // Desks that the case has passed keep their ids of the earlier version.
    const fourEyes = moved ? [...new Set([...drawn.fourEyesBefore, ...drawn.fourEyes])] : drawn.fourEyes
    await createTasks(trx, { ...task, caseId: row.id, formKey, formHash, fourEyes })
    const due = await reviveTask(trx, task.id, { ...task, fourEyes, ...(moved && { moved }) })
    const linked = await listCandidates(trx, [task.id])
    await removeCandidates(
      trx,
      linked.map(({ principal }) => ({ task: task.id, principal })),
    )
    const principals = (moved && filledIn(drawn.offeredTo, variables)) || task.principals
    await offered.link([...new Set(principals)].map((principal) => ({ task: task.id, principal })))
    offered.touch(task.id)
    const set = moved && { name: moved.name, ...(moved.dueAt !== undefined && { dueAt: due }) }
    rebuilt.push({ ...task, left, ...(set && { moved: set }) })
  }
  return rebuilt
}

/** What the diagrams say of a task: at its present desk, and at its last known one. */
async function drawnOf(
  definitions: Definitions,
  task: TaskState,
  last: { desk: string; definitionId: string; fourEyes: readonly string[] | undefined },
) {
  const definition = await definitions.find(task.definitionId)
  const desk = definition?.diagram.desks.get(task.desk)
  const formKey = desk?.formKey ?? null
  const old = (await definitions.find(last.definitionId))?.diagram.desks.get(last.desk)
  const due = desk?.due ?? null
  return {
    name: definition?.diagram.names.get(task.desk),
    formKey,
    formHash: formKey === null ? null : (definition?.forms[formKey] ?? null),
    due,
    dueChanged: last.desk !== task.desk || (old !== undefined && old.due !== due),
    fourEyes: desk?.fourEyes ?? [],
    fourEyesBefore: last.fourEyes ?? old?.fourEyes ?? [],
    offeredTo: desk?.offeredTo ?? [],
  }
}

/** What a task becomes when its case moves to another version. */
function movedTo(
  task: TaskState,
  { name = task.name, formKey, formHash, due, dueChanged }: Awaited<ReturnType<typeof drawnOf>>,
  variables: readonly VariableInstance[],
): Moved {
  return { name, formKey, formHash, dueAt: dueChanged ? dueAt(due, variables) : undefined }
}

/** The principals of a desk in one case; undefined if a variable has no value, or has several in different scopes. */
function filledIn(offeredTo: readonly string[], variables: readonly VariableInstance[]): string[] | undefined {
  const principals = offeredTo.map((group) =>
    group.replaceAll(/\$\{(\w+)\}/g, (written, name: string) => {
      const values = new Set(variables.filter((one) => one.name === name).map(({ value }) => value))
      const [value] = values
      return values.size === 1 && value !== null ? String(value) : written
    }),
  )
  return principals.some((one) => one.includes('${')) ? undefined : principals
}

/** When a desk is due in one case, or after which duration; undefined if a variable does not say. */
function dueAt(due: string | null, variables: readonly VariableInstance[]): Moved['dueAt'] {
  if (due === null) return null
  const [, variable] = /^\$\{(\w+)\}$/.exec(due) ?? []
  const value = variable === undefined ? due : variables.find(({ name }) => name === variable)?.value
  if (typeof value !== 'string') return undefined
  if (isoDuration.test(value)) return { in: value }
  return Number.isNaN(Date.parse(value)) ? undefined : value
}

/** Ends our open tasks that the engine does not have; returns those whose decisions had no effect. */
async function endMissingTasks(
  trx: Transaction<DB>,
  caseId: string,
  state: InstanceState,
  ends: (tasks: readonly string[]) => Promise<void>,
): Promise<string[]> {
  const voided: string[] = []
  for (const task of await listOpenTasks(trx, caseId)) {
    if (state.tasks.some(({ id }) => id === task.id)) continue
    const activity = state.activities.find(({ taskId }) => taskId === task.id)
    const done = activity !== undefined && activity.endedAt !== null && !activity.canceled
    await ends([task.id])
    await endTask(trx, task.id, done ? 'done' : 'void', activity?.endedAt ?? new Date(), done ? null : 'deleted')
    if (!done) voided.push(task.id)
  }
  return voided
}
