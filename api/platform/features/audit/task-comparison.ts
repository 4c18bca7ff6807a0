import type { taskRepository } from '../../work/rows/tasks.ts'
import type { SealedEntry } from './comparison-repository.ts'
import { type CaseDifference, isUndoing, mayBeVoiding, progressIn, together, unlike } from './difference.ts'

type Tasks = Awaited<ReturnType<ReturnType<typeof taskRepository>['listOfCase']>>

/** Compares the tasks of a case, with their desks and decisions, with what was sealed. */
export function unlikeTasks(tasks: Tasks, entries: readonly SealedEntry[]): CaseDifference[] {
  const progress = progressIn(entries)
  const created = new Map(progress.flatMap((one) => one.tasks).map((one) => [one.id, one]))
  const known = new Set(tasks.map(({ id }) => id))
  const moved = entries.some(({ action }) => action === 'case.migrated')
  const missing = [...created.keys()].filter((id) => !known.has(id)).map((id) => unlike('tasks', id, 'missing'))
  return [
    ...missing,
    ...tasks.flatMap((task) => {
      const begun = created.get(task.id)
      if (begun && (Date.parse(begun.createdAt) !== task.created_at.getTime() || (!moved && begun.desk !== task.desk)))
        return unlike('tasks', task.id, 'differs', begun.createdAt)
      const decided = lastDecision(task.id, entries)
      if (task.decided_by === null ? decided && !hadNoEffect(decided, task.id, entries) : !isDecision(task, decided))
        return unlike('tasks', task.id, 'differs', decided?.at ?? null)
      return begun || progress.length === 0 ? [] : unlike('tasks', task.id, 'unsealed')
    }),
  ]
}

function lastDecision(task: string, entries: readonly SealedEntry[]): SealedEntry | undefined {
  return entries.findLast(({ action, object }) => action === 'task.completed' && object === `task:${task}`)
}

function isDecision(task: Tasks[number], decided: SealedEntry | undefined): boolean {
  return (
    decided !== undefined &&
    decided.actor === task.decided_by &&
    task.decided_at !== null &&
    together(task.decided_at, decided.at) &&
    (decided.payload === null || (decided.payload['outcome'] ?? null) === task.outcome)
  )
}

/** Whether the decision was undone, or the engine did not take it: the task is then undecided again. */
function hadNoEffect(decided: SealedEntry, task: string, entries: readonly SealedEntry[]): boolean {
  const submission = decided.payload?.['submissionId']
  return entries
    .slice(entries.indexOf(decided) + 1)
    .some((entry) => isUndoing(entry, task) || mayBeVoiding(entry, { submission, by: decided.actor }))
}
