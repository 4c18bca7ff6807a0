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
    ...tasks.filter(({ id }) => created.has(id)).flatMap((task) => unlikeTitleAndDue(task, entries)),
  ]
}

/** Title and due date of a task, as reported with it and changed since. */
function unlikeTitleAndDue({ id, name, due_at }: Tasks[number], entries: readonly SealedEntry[]): CaseDifference[] {
  const { title, due } = sealedTitleAndDue(id, entries)
  const is = due_at?.toISOString() ?? null
  return [
    ...(title === undefined ? [unlike('titles', id, 'unsealed')] : []),
    ...(title !== undefined && title !== name ? [unlike('titles', id, 'differs', title)] : []),
    ...(due === undefined ? [unlike('dues', id, 'unsealed')] : []),
    ...(due === 'erased' ? [unlike('dues', id, 'erased')] : []),
    ...(due !== undefined && due !== 'erased' && due.at !== is ? [unlike('dues', id, 'differs', due.at)] : []),
  ]
}

/** The last sealed title and due date of a task; undefined if it was never sealed. */
function sealedTitleAndDue(task: string, entries: readonly SealedEntry[]) {
  let title: string | undefined
  let due: { at: string | null } | 'erased' | undefined
  for (const entry of entries) {
    if (entry.action === 'task.due-set' && entry.object === `task:${task}`)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a change of the due date writes this action, with `due`
      due = entry.payload === null ? 'erased' : { at: (entry.payload as { due: string }).due }
    for (const { id, moved, name, dueAt } of progressIn([entry]).flatMap((one) => one.tasks)) {
      if (id !== task) continue
      const told = dueAt === undefined ? undefined : { at: dueAt }
      // The engine repeats what it created the task with, also after somebody changed it here.
      title = moved ? name : (title ?? name)
      due = moved ? (told ?? due) : (due ?? told)
    }
  }
  return { title, due }
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
