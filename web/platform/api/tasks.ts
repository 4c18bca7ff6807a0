import { mutate } from 'swr'
import { Problem, request, withQuery } from './client.ts'
import { usePages, useRead, type Pages } from './read.ts'
import type { Count, Task, TaskRow } from './types.ts'

/** Where a task stands towards the reader: free to take, taken by them, taken by a colleague of theirs. */
export type Queue = 'open' | 'mine' | 'group'

export interface TaskFilter {
  queue: Queue
  flow?: string | undefined
  search?: string | undefined
}

export const useTaskCounts = (): Record<Queue, Count> | undefined =>
  useRead<Record<Queue, Count>>('/api/tasks/count').data

/** One queue of the inbox; without a filter nothing is asked. */
export const useTasks = (filter: TaskFilter | undefined): Pages<TaskRow> =>
  usePages<TaskRow>(filter ? withQuery('/api/tasks', { ...filter, limit: 50 }) : null)

export const useTask = (id: string | undefined) => useRead<Task>(id ? `/api/tasks/${encodeURIComponent(id)}` : null)

const act = async <T>(id: string, verb: string, body?: unknown): Promise<T> => {
  try {
    return await request<T>('POST', `/api/tasks/${encodeURIComponent(id)}/${verb}`, body === undefined ? {} : { body })
  } finally {
    // Whatever the answer was, what the page shows of this task may be old.
    void mutate((key) => typeof key === 'string' && (key.startsWith('/api/tasks/') || key.startsWith('/api/cases/')))
  }
}

export const claimTask = (id: string) => act<void>(id, 'claim')
export const releaseTask = (id: string) => act<void>(id, 'release')

/** For this long a decision can be taken back; it goes to the engine only then. */
const undoable = 8_000

/** Decides. `accepted` means: kept, and it takes effect in a moment; until then it can be taken back. */
export async function completeTask(
  id: string,
  data: Record<string, unknown>,
): Promise<{ state: 'done' | 'accepted'; caseId: string }> {
  try {
    return await act(id, 'complete', { data, notBefore: new Date(Date.now() + undoable).toISOString() })
  } catch (error) {
    // A clock that runs far ahead asks for too long a delay; then the decision is made at once.
    if (!(error instanceof Problem) || !error.errors.some(({ field }) => field === '/notBefore')) throw error
    return act(id, 'complete', { data })
  }
}

/** Takes a decision back that has not gone out yet. */
export const undoTask = (id: string) => act<void>(id, 'undo')
