import { isObject } from '../../kernel/objects.ts'
import { titleOfPerson } from '../../model/bpmn/gate/hazards.ts'
import { toRequester } from '../../model/bpmn/promises.ts'
import { roleAlone } from '../../model/deployed/diagram.ts'
import type { CaseThen, TaskThen } from './case-then.ts'
import type { MomentsContext } from './moments-context.ts'
import { type Then, nameOf } from './then.ts'

/** A task at that moment. */
export async function taskThen(
  { definitions }: MomentsContext,
  then: Then,
  task: Then['tasks'][number],
): Promise<TaskThen> {
  const { row, at, all, words, doerOf } = then
  const decidedAt = task.decided_at !== null && task.decided_at <= at ? task.decided_at : null
  const decided = decidedAt !== null
  const over = task.ended_at !== null && task.ended_at <= at
  const holder = holderThen(then, task.id)
  const moved = all.entries.find(
    (one) => one.at > at && one.action === 'task.due-set' && one.object === `task:${task.id}`,
  )
  // Erased details no longer contain the earlier due date.
  const due = moved?.payload ? dueBefore(moved.payload) : (task.due_at?.toISOString() ?? null)
  const outcome =
    task.outcome === null || task.form_hash === null
      ? null
      : words.outcome((await definitions.form(task.form_hash)).schema, task.outcome)
  return {
    id: task.id,
    desk: task.desk,
    name: words.element(row.flow, task.desk, task.name),
    state: decided ? 'decided' : over ? 'gone' : holder === null ? 'open' : 'held',
    roles: rolesOf(then, task.desk),
    since: task.created_at.toISOString(),
    dueAt: due,
    holder: decided || over || holder === null ? null : doerOf(holder, at).name,
    decidedBy: decided ? task.decider_name : null,
    decidedAt: decidedAt?.toISOString() ?? null,
    outcome: decided ? outcome : null,
  }
}

/** The assignee of a task, according to the entries so far. */
function holderThen({ entries }: Then, task: string): string | null {
  let holder: string | null = null
  for (const one of entries.filter(({ object }) => object === `task:${task}`)) {
    const to = isObject(one.payload) ? one.payload['to'] : undefined
    if (one.action === 'task.claimed') holder = one.actor
    else if (/^task\.(assigned|reassigned|delegated|resolved)$/.test(one.action))
      holder = typeof to === 'string' ? to : null
    else if (one.action === 'task.released') holder = null
  }
  return holder
}

/** The roles of a desk, each once, whatever their units are. */
function rolesOf({ words, definition: { diagram, manifest } }: Then, desk: string): string[] {
  const roles = (diagram.desks.get(desk)?.offeredTo ?? []).map((candidate) => {
    const title = titleOfPerson(candidate, manifest)
    if (title !== undefined) return words.text(title)
    return candidate === toRequester ? words.text('platform.requester') : roleAlone(candidate)
  })
  return [...new Set(roles)]
}

/** The due date before somebody changed it, according to that entry. */
function dueBefore(payload: unknown): string | null {
  const before = isObject(payload) ? payload['before'] : undefined
  return typeof before === 'string' ? before : null
}

/** The elements that the case had passed, and where it was. */
export function pathThen({ at, activities, definition }: Then): CaseThen['path'] {
  const visited = activities.map(({ element, started_at, ended_at, canceled }) => {
    const over = ended_at !== null && ended_at <= at
    return {
      element,
      startedAt: started_at.toISOString(),
      endedAt: over ? ended_at.toISOString() : null,
      canceled: over && canceled,
    }
  })
  const present = visited.filter(({ endedAt }) => endedAt === null).map(({ element }) => element)
  return { definitionId: definition.id, visited, present: [...new Set(present)] }
}

/** Passes of each element, and their total time so far. */
export function elementsThen(then: Then): CaseThen['elements'] {
  const {
    at,
    activities,
    definition: { diagram },
  } = then
  // Elements without a name, such as joining gateways, mean nothing to people.
  const named = activities.filter(({ element }) => diagram.names.has(element))
  return [...Map.groupBy(named, ({ element }) => element)].map(([element, passes]) => ({
    element,
    name: nameOf(then, element),
    passes: passes.length,
    milliseconds: passes.reduce((sum, { started_at, ended_at }) => {
      const until = ended_at !== null && ended_at <= at ? ended_at : at
      return sum + Math.max(0, until.getTime() - started_at.getTime())
    }, 0),
  }))
}
