import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { bound } from '../../kernel/bound.ts'
import { leaveInbox, refreshInbox } from './inbox.ts'
import {
  findTask,
  getTask,
  listOpenTasks,
  listOpenTasksOfCases,
  listSomeTasks,
  listTasksOfCase,
  listUndoableTasks,
  lockTask,
} from './task-reads.ts'
import { listDeciders, listDecisions, listEarlierDesks } from './decisions.ts'
import {
  createTasks,
  endTask,
  endTasks,
  endWaitOfTasks,
  listTaskVersions,
  makeTasksWait,
  reviveTask,
} from './engine-tasks.ts'
import { addCandidate, addCandidates, listCandidates, listVisibleTasks, removeCandidates } from './candidates.ts'
import {
  markTaskAccepted,
  markTaskClaimed,
  markTaskReleased,
  markTaskReopened,
  markTaskTakenOver,
} from './task-acts.ts'

/**
 * State of a task: offered; held by one person; decided but not confirmed by the engine; over; or over without effect.
 */
export type TaskState = 'open' | 'held' | 'accepted' | 'done' | 'void'

/** A task as the engine reported it. */
export interface NewTask {
  id: string
  caseId: string
  definitionId: string
  desk: string
  name: string
  formKey: string | null
  formHash: string | null
  dueAt: string | null
  followUpAt: string | null
  priority: number
  /** Who may not decide it: `requester`, or desks, whose deciders may not. */
  fourEyes?: readonly string[]
  /** It goes to who held the task of this desk that a message of `onChange` took away. */
  keeps?: boolean
  createdAt: string
}

/**
 * What changes when a task moves to another desk. Without `dueAt` the due date stays. `in` counts from now: an ISO 8601
 * duration.
 */
export type Moved = Pick<NewTask, 'name' | 'formKey' | 'formHash'> & {
  dueAt?: string | null | { in: string } | undefined
}

/** A task that the engine has ended. */
export interface EndedTask {
  id: string
  state: 'done' | 'void'
  at: string | Date
  reason: string | null
}

export type TaskRow = Awaited<ReturnType<typeof getTask>>

/** Tasks, their candidates, and the inbox rows made from both. */
export function taskRepository(db: Kysely<DB>) {
  return bound(db, {
    refreshInbox,
    leaveInbox,
    listDecisions,
    endAll: endTasks,
    addCandidates,
    find: findTask,
    get: getTask,
    lock: lockTask,
    listSome: listSomeTasks,
    listOpenOfCases: listOpenTasksOfCases,
    listOpenOfCase: listOpenTasks,
    listOfCase: listTasksOfCase,
    listCandidates,
    listDeciders,
    listEarlier: listEarlierDesks,
    listVisible: listVisibleTasks,
    listUndoable: listUndoableTasks,
    claim: markTaskClaimed,
    takeOver: markTaskTakenOver,
    release: markTaskReleased,
    accept: markTaskAccepted,
    reopen: markTaskReopened,
    create: createTasks,
    revive: reviveTask,
    makeWait: makeTasksWait,
    stay: endWaitOfTasks,
    listVersions: listTaskVersions,
    end: endTask,
    addCandidate,
    removeCandidates,
  })
}
