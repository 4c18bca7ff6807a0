import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import { incidentRepository } from '../rows/incidents.ts'
import type { Changed } from '../../kernel/db/changed.ts'
import { type Overtaking, giveUpDecision } from '../commands/overtaken.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { promises } from '../promises/promises.ts'
import { mailNewTasksLater } from './new-tasks.ts'
import type { Candidate } from '../rows/candidates.ts'
import type { EndedTask, NewTask } from '../rows/tasks.ts'
import { createTasks, endTasks, keepClaims } from '../rows/engine-tasks.ts'
import { listOpenTasksOfCases } from '../rows/task-reads.ts'
import { type EngineEvent, needed, rootOf } from '../rows/engine-events.ts'
import { type OfferDependencies, taskOffers } from '../offers/offers.ts'
import { progressOf } from './progress.ts'
import {
  type ActivityChange,
  type FedCase,
  saveActivities,
  saveCaseChanges,
  saveIncident,
  typeOfElement,
} from '../rows/feed.ts'
import { releaseAll } from '../allocations/release-all.ts'

/** Thrown for events after which the state of the case has to be read from the engine. */
export class AskEngine extends Error {}

/** A case with its events, in order. */
export interface CaseEvents {
  row: FedCase
  events: readonly EngineEvent[]
}

/** The changes that the events of a case amount to. */
interface Steps {
  row: FedCase
  statuses: Record<string, string>
  activities: Map<string, ActivityChange>
  created: NewTask[]
  ended: EndedTask[]
  /** By task and principal: whether the link exists in the end. */
  links: Map<string, Candidate & { there: boolean }>
  incidents: EngineEvent[]
  end?: { at: string; reason: string }
  instanceId?: string
}

/**
 * Applies the events of several cases, in order within each, with as many statements as one case takes. Applying an
 * event again, or one that is older than a rebuild, is safe: later events correct what it overwrites.
 */
export async function applyEvents(
  trx: Transaction<DB>,
  cases: readonly CaseEvents[],
  dependencies: OfferDependencies & MailDependencies,
): Promise<Changed> {
  const { definitions } = dependencies
  const all = await Promise.all(cases.map((one) => stepsOf(one, definitions)))
  const offered = taskOffers(trx, dependencies)
  const created = all.flatMap((one) => one.created)
  const ended = all.flatMap((one) => one.ended)
  const links = all.flatMap((one) => [...one.links.values()])

  for (const { row, incidents } of all) for (const event of incidents) await applyIncident(trx, row.id, event)
  await createTasks(trx, ...created)
  await promises(trx, definitions).make(created)
  offered.touch(...created.map(({ id }) => id))
  await offered.link(links.filter(({ there }) => there))
  await offered.unlink(links.filter(({ there }) => !there))
  await offered.ends(ended.map(({ id }) => id))
  await endTasks(trx, ended)
  await keepClaims(trx, created)

  await saveActivities(
    trx,
    all.flatMap(({ row, activities }) => [...activities.values()].map((one) => ({ ...one, caseId: row.id }))),
  )
  await audit(trx).recordAll(
    all.flatMap(({ row, activities, created: tasksOf, end }) =>
      progressOf(row.id, { activities: activities.values(), tasks: tasksOf, end }),
    ),
  )
  for (const { row, end } of all) if (end && end.reason !== 'canceled') await checkEnd(trx, row.id, end.reason)
  await saveCaseChanges(
    trx,
    ...all.map(({ row, statuses, end, instanceId }) => ({
      id: row.id,
      statuses,
      ...(end && { end }),
      ...(instanceId && { instanceId }),
    })),
  )
  // A cancelled case skips the steps of its diagram that release what it has.
  for (const { row, end } of all) if (end?.reason === 'canceled') await releaseAll(trx, row.id)
  const renamed = all
    .filter(({ row, statuses }) => statuses['status'] !== row.statuses['status'])
    .map(({ row }) => row.id)
  offered.touch(...(await listOpenTasksOfCases(trx, renamed)).map(({ id }) => id))
  const people = all.map(({ row }) => `user:${row.requester_id}`)
  for (const steps of all) {
    const given = { caseId: steps.row.id, reason: overtaking(steps) }
    for (const { id, state } of steps.ended) {
      const decider = state === 'void' && (await giveUpDecision(trx, dependencies, { ...given, taskId: id }))
      if (decider) people.push(`user:${decider}`)
    }
  }
  const principals = await offered.settle()
  await mailNewTasksLater(
    trx,
    created.map(({ id }) => id),
  )
  return { principals: [...people, ...principals], cases: all.map(({ row }) => row.id), tasks: offered.touched() }
}

/** Collects the changes from the events of a case. */
async function stepsOf({ row, events }: CaseEvents, definitions: Definitions): Promise<Steps> {
  const steps: Steps = {
    row,
    statuses: { ...row.statuses },
    activities: new Map(),
    created: [],
    ended: [],
    links: new Map(),
    incidents: [],
  }
  for (const event of events) {
    const { body } = event
    switch (event.entity) {
      case 'process-instance':
        if (event.event === 'migrate') throw new AskEngine('the instance was migrated')
        // Called processes contribute only their activities.
        if (needed(event, 'id') !== rootOf(event)) break
        if (event.event === 'start' && body.id !== undefined) steps.instanceId = body.id
        if (event.event === 'end') {
          const canceled = needed(event, 'state') !== 'COMPLETED'
          steps.end = { at: needed(event, 'endTime'), reason: canceled ? 'canceled' : (body.endActivityId ?? '') }
        }
        break
      case 'activity-instance': {
        const change = activityChange(event, steps.activities.get(needed(event, 'id')))
        steps.activities.set(change.id, change)
        if (event.event === 'start') {
          const definition = await definitions.find(change.definitionId)
          Object.assign(steps.statuses, definition?.diagram.statuses.get(change.element))
        }
        break
      }
      case 'task':
        if (event.event === 'create') steps.created.push(await newTask(row.id, event, definitions))
        else if (event.event === 'complete' || event.event === 'delete') {
          const ended = endedTask(event)
          // The first event says how it ended.
          if (!steps.ended.some(({ id }) => id === ended.id)) steps.ended.push(ended)
        }
        break
      case 'identity-link':
        if (body.taskId && (body.type === 'candidate' || body.type === 'assignee')) {
          const principal = body.groupId ?? `user:${body.userId}`
          const there = event.event === 'add-identity-link'
          steps.links.set(`${body.taskId} ${principal}`, { task: body.taskId, principal, there })
        }
        break
      case 'incident':
        steps.incidents.push(event)
        break
    }
  }
  return steps
}

/** Opens or resolves an incident; `caseId` is null if no case is affected. */
export async function applyIncident(trx: Transaction<DB>, caseId: string | null, event: EngineEvent): Promise<void> {
  if (event.event === 'create') await saveIncident(trx, caseId, incidentOf(event))
  if (event.event === 'resolve' || event.event === 'delete')
    await incidentRepository(trx).resolveIncident(needed(event, 'id'))
}

/** Why the engine deleted tasks in these steps of a case. */
function overtaking({ row, activities, end }: Steps): Overtaking {
  if (row.withdrawn_at !== null) return 'withdrawn'
  if ([...activities.values()].some(({ type }) => /timer/i.test(type))) return 'deadline'
  return end?.reason === 'canceled' ? 'canceled' : 'moved-on'
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

async function newTask(caseId: string, event: EngineEvent, definitions: Definitions): Promise<NewTask> {
  const { body } = event
  const definitionId = needed(event, 'processDefinitionId')
  const desk = needed(event, 'taskDefinitionKey')
  const definition = await definitions.find(definitionId)
  const drawn = definition?.diagram.desks.get(desk)
  const formKey = drawn?.formKey ?? null
  return {
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
    keeps: definition?.manifest.onChange?.at.includes(desk) ?? false,
    createdAt: needed(event, 'startTime'),
  }
}

function endedTask(event: EngineEvent): EndedTask {
  const { body } = event
  const done = body.taskState === 'Completed'
  return {
    id: needed(event, 'id'),
    state: done ? 'done' : 'void',
    at: body.endTime ?? event.at,
    reason: done ? null : (body.deleteReason ?? null),
  }
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

/** An error that no boundary event catches ends the case silently, so it becomes an incident. */
async function checkEnd(trx: Transaction<DB>, caseId: string, element: string): Promise<void> {
  const type = await typeOfElement(trx, caseId, element)
  if (type?.endsWith('EndEvent')) return
  const message = `the case ended at ${element || 'an unknown element'}, which is no end event`
  await incidentRepository(trx).openIncident({
    id: `silent-end:${caseId}`,
    caseId,
    kind: 'ended-in-silence',
    element,
    message,
  })
}
