import type { Transaction } from 'kysely'
import { allocations } from '../allocations/allocations.ts'
import { caseRepository } from '../cases/repository.ts'
import type { Changed } from '../changed.ts'
import { type Overtaking, giveUpDecision } from '../commands/overtaken.ts'
import type { DB } from '../db/database.generated.ts'
import type { Definitions } from '../flows/definitions.ts'
import type { MailDependencies } from '../mail/mail.ts'
import { mailNewTasksLater } from '../task-links/new-tasks.ts'
import { taskRepository } from '../tasks/repository.ts'
import { type EngineEvent, needed, rootOf } from './events.ts'
import { type OfferDependencies, taskOffers } from './offers.ts'
import { type ActivityChange, type FedCase, feedRepository } from './repository.ts'

/** Raised by events after which the engine itself has to be asked how the case stands. */
export class AskEngine extends Error {}

/**
 * Applies the events of one case in their order. Applying an event again, or one that is older than what a rebuild
 * found, changes nothing for good: whatever it overwrites, later events set right again.
 */
export async function applyEvents(
  trx: Transaction<DB>,
  row: FedCase,
  events: readonly EngineEvent[],
  dependencies: OfferDependencies & MailDependencies,
): Promise<Changed> {
  const { definitions } = dependencies
  const feed = feedRepository(trx)
  const tasks = taskRepository(trx)
  const activities = new Map<string, ActivityChange>()
  const before = row.statuses as Record<string, string>
  const statuses = { ...before }
  const offered = taskOffers(trx, row.id, dependencies)
  const created: string[] = []
  const deleted: string[] = []
  const people = [`user:${row.requester_id}`]
  let end: { at: string; reason: string } | undefined
  let instanceId: string | undefined

  for (const event of events) {
    const { body } = event
    switch (event.entity) {
      case 'process-instance':
        if (event.event === 'migrate') throw new AskEngine('the instance was migrated')
        // Of called processes only the elements count.
        if (needed(event, 'id') !== rootOf(event)) break
        if (event.event === 'start') instanceId = body.id
        if (event.event === 'end') {
          const canceled = needed(event, 'state') !== 'COMPLETED'
          end = { at: needed(event, 'endTime'), reason: canceled ? 'canceled' : (body.endActivityId ?? '') }
        }
        break
      case 'activity-instance': {
        const change = activityChange(event, activities.get(needed(event, 'id')))
        activities.set(change.id, change)
        if (event.event === 'start') {
          const definition = await definitions.find(change.definitionId)
          Object.assign(statuses, definition?.diagram.statuses.get(change.element))
        }
        break
      }
      case 'task':
        if (event.event === 'create') {
          await createTask(trx, row.id, event, definitions)
          offered.touch(needed(event, 'id'))
          created.push(needed(event, 'id'))
        } else if (event.event === 'complete' || event.event === 'delete') {
          await offered.ends(needed(event, 'id'))
          if (body.taskState !== 'Completed') deleted.push(needed(event, 'id'))
          const done = body.taskState === 'Completed'
          await tasks.end(
            needed(event, 'id'),
            done ? 'done' : 'void',
            body.endTime ?? event.at,
            done ? null : (body.deleteReason ?? null),
          )
        }
        break
      case 'identity-link':
        if (body.taskId && (body.type === 'candidate' || body.type === 'assignee')) {
          const principal = body.groupId ?? `user:${body.userId}`
          if (event.event === 'add-identity-link') await offered.offer(body.taskId, principal)
          else await offered.withdraw(body.taskId, principal)
        }
        break
      case 'incident':
        await applyIncident(trx, row.id, event)
        break
    }
  }

  await feed.saveActivities(row.id, [...activities.values()])
  if (end && end.reason !== 'canceled') await checkEnd(trx, row.id, end.reason)
  await feed.saveCase(row.id, { statuses, ...(end && { end }), ...(instanceId && { instanceId }) })
  // Whoever cancelled it left out the steps that are drawn for giving its slots back.
  if (end?.reason === 'canceled') await allocations(trx).release(row.id)
  if (statuses['status'] !== before['status']) {
    for (const task of await tasks.listOpenOfCase(row.id)) offered.touch(task.id)
  }
  const overtaken = overtaking(row, [...activities.values()], end?.reason)
  for (const taskId of deleted) {
    const decider = await giveUpDecision(trx, dependencies, { caseId: row.id, taskId, reason: overtaken })
    if (decider !== undefined) people.push(`user:${decider}`)
  }
  const principals = await offered.settle()
  await mailNewTasksLater(trx, created)
  return {
    principals: [...people, ...principals],
    cases: [row.id],
    tasks: offered.touched(),
  }
}

/** Shows or ends what an operator has to look at; `caseId` is null where it is no case that is stuck. */
export async function applyIncident(trx: Transaction<DB>, caseId: string | null, event: EngineEvent): Promise<void> {
  if (event.event === 'create') await feedRepository(trx).saveIncident(caseId, incidentOf(event))
  if (event.event === 'resolve' || event.event === 'delete')
    await caseRepository(trx).resolveIncident(needed(event, 'id'))
}

/** What ended the tasks that the engine deleted in these steps of a case. */
function overtaking(
  { withdrawn_at }: FedCase,
  activities: readonly Pick<ActivityChange, 'type'>[],
  end: string | undefined,
): Overtaking {
  if (withdrawn_at !== null) return 'withdrawn'
  if (activities.some(({ type }) => /timer/i.test(type))) return 'deadline'
  return end === 'canceled' ? 'canceled' : 'moved-on'
}

function activityChange(event: EngineEvent, known: ActivityChange | undefined): ActivityChange {
  const { body } = event
  return {
    id: needed(event, 'id'),
    definitionId: needed(event, 'processDefinitionId'),
    element: needed(event, 'activityId'),
    type: needed(event, 'activityType'),
    name: body.activityName ?? known?.name ?? null,
    taskId: body.taskId ?? known?.taskId ?? null,
    startedAt: known?.startedAt ?? body.startTime ?? null,
    endedAt: event.event === 'end' ? needed(event, 'endTime') : (known?.endedAt ?? null),
    canceled: event.event === 'end' && body.activityInstanceState === 2,
  }
}

async function createTask(
  trx: Transaction<DB>,
  caseId: string,
  event: EngineEvent,
  definitions: Definitions,
): Promise<void> {
  const { body } = event
  const definitionId = needed(event, 'processDefinitionId')
  const desk = needed(event, 'taskDefinitionKey')
  const definition = await definitions.find(definitionId)
  const drawn = definition?.diagram.desks.get(desk)
  const formKey = drawn?.formKey ?? null
  await taskRepository(trx).create({
    id: needed(event, 'id'),
    caseId,
    definitionId,
    desk,
    name: body.name ?? desk,
    formKey,
    formHash: formKey === null ? null : (definition?.forms[formKey] ?? null),
    dueAt: body.dueDate ?? null,
    followUpAt: body.followUpDate ?? null,
    priority: body.priority ?? 50,
    fourEyes: drawn?.fourEyes ?? [],
    createdAt: needed(event, 'startTime'),
  })
}

function incidentOf(event: EngineEvent) {
  const { body } = event
  return {
    id: needed(event, 'id'),
    kind: needed(event, 'incidentType'),
    element: body.activityId ?? null,
    message: body.incidentMessage ?? needed(event, 'incidentType'),
    at: body.createTime ?? event.at.toISOString(),
  }
}

/** An error that no boundary event catches ends a case without a word: somebody has to be told. */
async function checkEnd(trx: Transaction<DB>, caseId: string, element: string): Promise<void> {
  const type = await feedRepository(trx).typeOfElement(caseId, element)
  if (type?.endsWith('EndEvent')) return
  const message = `the case ended at ${element || 'an unknown element'}, which is no end event`
  await caseRepository(trx).openIncident({
    id: `silent-end:${caseId}`,
    caseId,
    kind: 'ended-in-silence',
    element,
    message,
  })
}
