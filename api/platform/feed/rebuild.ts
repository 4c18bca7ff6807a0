import type { Transaction } from 'kysely'
import { allocations } from '../allocations/allocations.ts'
import type { Changed } from '../changed.ts'
import type { DB } from '../db/database.generated.ts'
import type { Engine, InstanceState } from '../engine/port.ts'
import { taskRepository } from '../tasks/repository.ts'
import { type OfferDependencies, taskOffers } from './offers.ts'
import { type FedCase, feedRepository } from './repository.ts'

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
  dependencies: OfferDependencies,
): Promise<Changed> {
  const { definitions } = dependencies
  const feed = feedRepository(trx)
  const tasks = taskRepository(trx)
  const state = await engine.state(row.process_instance_id!)

  await feed.deleteActivities(row.id)
  await feed.saveActivities(row.id, state.activities)

  const manifest = (await definitions.get(row.process_definition_id)).manifest
  const statuses = { ...manifest.firstStatus }
  for (const { definitionId, element } of state.activities) {
    Object.assign(statuses, (await definitions.find(definitionId))?.diagram.statuses.get(element))
  }

  const offered = taskOffers(trx, row.id, dependencies)
  await endMissingTasks(trx, row.id, state, offered.ends)
  for (const task of state.tasks) {
    const definition = await definitions.find(task.definitionId)
    const formKey = definition?.diagram.desks.get(task.desk)?.formKey ?? null
    const formHash = formKey === null ? null : (definition?.forms[formKey] ?? null)
    await tasks.create({ ...task, caseId: row.id, formKey, formHash })
    await tasks.revive(task.id, task.definitionId, task.desk)
    for (const { principal } of await tasks.listCandidates([task.id])) await tasks.removeCandidate(task.id, principal)
    for (const principal of task.principals) await offered.offer(task.id, principal)
    offered.touch(task.id)
  }

  for (const incident of state.incidents) await feed.saveIncident(row.id, incident)
  await feed.resolveIncidents(
    row.id,
    [...engineIncidents, 'drifted'],
    state.incidents.map((incident) => incident.id),
  )
  await feed.dropParked(row.id)
  await feed.saveCase(row.id, {
    statuses,
    drifted: false,
    instanceId: row.process_instance_id!,
    ...(state.ended && { end: { at: state.endedAt!, reason: state.endReason! } }),
  })
  if (state.ended && state.endReason === 'canceled') await allocations(trx).release(row.id)
  const principals = await offered.settle()
  return { principals: [`user:${row.requester_id}`, ...principals], cases: [row.id], tasks: offered.touched() }
}

/** Tasks that we have open and the engine has not. */
async function endMissingTasks(
  trx: Transaction<DB>,
  caseId: string,
  state: InstanceState,
  ends: (task: string) => Promise<void>,
): Promise<void> {
  const tasks = taskRepository(trx)
  for (const task of await tasks.listOpenOfCase(caseId)) {
    if (state.tasks.some(({ id }) => id === task.id)) continue
    const activity = state.activities.find(({ taskId }) => taskId === task.id)
    const done = activity !== undefined && activity.endedAt !== null && !activity.canceled
    await ends(task.id)
    await tasks.end(task.id, done ? 'done' : 'void', activity?.endedAt ?? new Date(), done ? null : 'deleted')
  }
}
