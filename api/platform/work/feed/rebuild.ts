import type { Transaction } from 'kysely'
import { allocations } from '../allocations/allocations.ts'
import { audit } from '../../kernel/audit/audit.ts'
import type { Changed } from '../../kernel/db/changed.ts'
import { giveUpDecision } from '../commands/overtaken.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Engine, InstanceState, TaskState, VariableInstance } from '../../kernel/engine/port.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { promises } from '../promises/promises.ts'
import { migrationRepository } from '../rows/migrations.ts'
import { isoDuration } from '../../model/bpmn/durations.ts'
import { mailNewTasksLater } from './new-tasks.ts'
import { type Moved, taskRepository } from '../rows/tasks.ts'
import { type OfferDependencies, taskOffers } from '../offers/offers.ts'
import { progressOf } from './progress.ts'
import { type FedCase, feedRepository } from '../rows/feed.ts'

/** Kinds of incidents that the engine itself opens and closes. */
const engineIncidents = ['failedJob', 'failedExternalTask']

/**
 * Writes a case anew from what the engine says of it, and forgets its parked events. The caller holds the feed's lock
 * since before the engine was asked; events that come in afterwards are older or newer, and both do no harm.
 */
export async function rebuildCase(
  trx: Transaction<DB>,
  row: FedCase,
  engine: Engine,
  dependencies: OfferDependencies & MailDependencies,
): Promise<Changed> {
  const { definitions } = dependencies
  const feed = feedRepository(trx)
  const tasks = taskRepository(trx)
  const state = await engine.state(row.process_instance_id!)

  await feed.deleteActivities(row.id)
  await feed.saveActivities(state.activities.map((one) => ({ ...one, caseId: row.id })))
  const end = state.ended ? { at: state.endedAt!, reason: state.endReason! } : undefined
  const { activities, tasks: open } = state
  await audit(trx).recordAll(progressOf(row.id, { rebuilt: true, activities, tasks: open, end }))

  // A version that nobody deployed through us says nothing about the case.
  const running = (await definitions.find(state.definitionId)) ?? (await definitions.get(row.process_definition_id))
  const statuses = { ...running.manifest.firstStatus }
  for (const { definitionId, element } of state.activities) {
    Object.assign(statuses, (await definitions.find(definitionId))?.diagram.statuses.get(element))
  }

  const offered = taskOffers(trx, dependencies)
  const people = [`user:${row.requester_id}`]
  for (const taskId of await endMissingTasks(trx, row.id, state, offered.ends)) {
    // Of what was missed, only that much is sure.
    const reason = row.withdrawn_at === null ? 'moved-on' : 'withdrawn'
    const decider = await giveUpDecision(trx, dependencies, { caseId: row.id, taskId, reason })
    if (decider !== undefined) people.push(`user:${decider}`)
  }
  const before = new Map((await tasks.listVersions(state.tasks.map(({ id }) => id))).map((one) => [one.id, one]))
  const hasMoved = ({ id, definitionId }: TaskState) => {
    const known = before.get(id)
    // One that was made just before the case moved, and that we hear of only now, is offered as its old desk, too.
    if (known === undefined) return running.id !== row.process_definition_id
    return known.moved || known.process_definition_id !== definitionId
  }
  // From here on its tasks can be decided; as long as its command is on the way, none can.
  const became = await migrationRepository(trx).arrive(row.id, running.id)
  const variables = state.tasks.some(hasMoved) ? await engine.variables(row.process_instance_id!) : []
  const promising: (TaskState & { left: string })[] = []
  for (const task of state.tasks) {
    const definition = await definitions.find(task.definitionId)
    const desk = definition?.diagram.desks.get(task.desk)
    const formKey = desk?.formKey ?? null
    const formHash = formKey === null ? null : (definition?.forms[formKey] ?? null)
    // What the engine calls a task, and offers it to, stays as it was at the desk that it was made for.
    const known = before.get(task.id)
    const left = known?.desk ?? became.find(({ target }) => target === task.desk)?.source ?? task.desk
    const was = await definitions.find(known?.process_definition_id ?? row.process_definition_id)
    const old = was?.diagram.desks.get(left)
    const due = desk?.due ?? null
    const moved = hasMoved(task) && {
      name: definition?.diagram.names.get(task.desk) ?? task.name,
      formKey,
      formHash,
      dueAt: left !== task.desk || (old && old.due !== due) ? dueAt(due, variables) : undefined,
    }
    // Desks that were passed bear the names of the version that they were passed in.
    const drawnAt = desk?.fourEyes ?? []
    const fourEyes = moved ? [...new Set([...(known?.four_eyes ?? old?.fourEyes ?? []), ...drawnAt])] : drawnAt
    await tasks.create({ ...task, caseId: row.id, formKey, formHash, fourEyes })
    const drawn = moved ? filledIn(desk?.offeredTo ?? [], variables) : undefined
    await tasks.revive(task.id, { ...task, fourEyes, ...(moved && { moved }) })
    await tasks.removeCandidates(
      (await tasks.listCandidates([task.id])).map(({ principal }) => ({ task: task.id, principal })),
    )
    await offered.link([...new Set(drawn ?? task.principals)].map((principal) => ({ task: task.id, principal })))
    offered.touch(task.id)
    promising.push({ ...task, left })
  }
  await promises(trx, definitions).follow(promising, state.activities)

  for (const incident of state.incidents) await feed.saveIncident(row.id, incident)
  await feed.resolveIncidents(
    row.id,
    [...engineIncidents, 'drifted'],
    state.incidents.map((incident) => incident.id),
  )
  await feed.dropParked(row.id)
  await feed.saveCases({
    id: row.id,
    statuses,
    drifted: false,
    instanceId: row.process_instance_id!,
    ...(running.id !== row.process_definition_id && {
      definition: { id: running.id, flowHash: running.flowHash },
    }),
    ...(end && { end }),
  })
  if (state.ended && state.endReason === 'canceled') await allocations(trx).release(row.id)
  const principals = await offered.settle()
  // Who was mailed about one of them before is not mailed again.
  await mailNewTasksLater(
    trx,
    state.tasks.map(({ id }) => id),
  )
  return { principals: [...people, ...principals], cases: [row.id], tasks: offered.touched() }
}

/** Whom a desk is offered to in one case; undefined where a variable has no value, or one in each of several scopes. */
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

/** When a desk is due in one case, or how long from now on; undefined where a variable does not say so. */
function dueAt(due: string | null, variables: readonly VariableInstance[]): Moved['dueAt'] {
  if (due === null) return null
  const [, variable] = /^\$\{(\w+)\}$/.exec(due) ?? []
  const value = variable === undefined ? due : variables.find(({ name }) => name === variable)?.value
  if (typeof value !== 'string') return undefined
  if (isoDuration.test(value)) return { in: value }
  return Number.isNaN(Date.parse(value)) ? undefined : value
}

/** Ends the tasks that we have open and the engine has not; answers those that came to nothing. */
async function endMissingTasks(
  trx: Transaction<DB>,
  caseId: string,
  state: InstanceState,
  ends: (tasks: readonly string[]) => Promise<void>,
): Promise<string[]> {
  const tasks = taskRepository(trx)
  const voided: string[] = []
  for (const task of await tasks.listOpenOfCase(caseId)) {
    if (state.tasks.some(({ id }) => id === task.id)) continue
    const activity = state.activities.find(({ taskId }) => taskId === task.id)
    const done = activity !== undefined && activity.endedAt !== null && !activity.canceled
    await ends([task.id])
    await tasks.end(task.id, done ? 'done' : 'void', activity?.endedAt ?? new Date(), done ? null : 'deleted')
    if (!done) voided.push(task.id)
  }
  return voided
}
