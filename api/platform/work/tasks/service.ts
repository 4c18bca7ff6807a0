import { bound } from '../../kernel/bound.ts'
import type { TasksDependencies } from './context.ts'
import { claimTask, releaseTask } from './claim.ts'
import { checkDelay, completeTask, decideTask, findDecidable } from './decide.ts'
import { checkTaskAnswer, earlierDesksOf } from './answers.ts'
import { listUndoable, sendDecision, undoDecision, undoDecisions } from './undo.ts'
import { readBeside, readTask, visibleTasks } from './read.ts'

export type Tasks = ReturnType<typeof tasksService>

/** Acts on tasks. Each act checks in this order: permission, still open, form; then it commits. */
export function tasksService(context: TasksDependencies) {
  return bound(context, {
    claim: claimTask,
    release: releaseTask,
    complete: completeTask,
    decidable: findDecidable,
    decide: decideTask,
    checkAnswer: checkTaskAnswer,
    earlierDesks: earlierDesksOf,
    undo: undoDecision,
    undoAll: undoDecisions,
    send: sendDecision,
    undoable: listUndoable,
    get: readTask,
    beside: readBeside,
    checkDelay,
    visible: visibleTasks,
  })
}
