import useSWR, { mutate } from 'swr'
import { request, withQuery, type Problem } from '../client/client.ts'
import type { GetTaskWhy, ListUndoable } from '../client/operations.generated.ts'
import { useRead } from './read.ts'
import type { TaskRow } from '../client/types.ts'

export type Why = GetTaskWhy['answer']
/** A decision of the reader's own that can still be undone. */
export type Undoable = ListUndoable['answer'][number]

const path = (id: string, part: string) => `/api/tasks/${encodeURIComponent(id)}/${part}`

/** Whatever the answer, the shown tasks and cases may be outdated. */
const refresh = () => mutate((key) => typeof key === 'string' && /^\/api\/(tasks|cases|team)\b/.test(key))

async function act(method: string, id: string, part: string, body?: unknown): Promise<TaskRow> {
  try {
    return await request<TaskRow>(method, path(id, part), body === undefined ? {} : { body })
  } finally {
    void refresh()
  }
}

/** Assigns a task to another candidate; the head of the desk may also reassign it. */
export const assignTask = (id: string, to: string, reason: string | undefined) =>
  act('POST', id, 'assign', { to, ...(reason ? { reason } : {}) })

/** Asks somebody for an opinion: they hold the task, without deciding, until they return it. */
export const delegateTask = (id: string, to: string, words: string) => act('POST', id, 'delegate', { to, words })

/** Returns a delegated task with the opinion. */
export const resolveTask = (id: string, opinion: string) => act('POST', id, 'resolve', { opinion })

/** Puts a task off until a moment; null brings it back now. */
export const followUpTask = (id: string, at: string | null) => act('POST', id, 'follow-up', { at })

export type Priority = 25 | 50 | 75
export const prioritiseTask = (id: string, priority: Priority) => act('POST', id, 'priority', { priority })
export const setDue = (id: string, at: string, reason: string) => act('POST', id, 'due', { at, reason })
export const askRequester = (id: string, question: string) => act('POST', id, 'question', { question })
export const withdrawQuestion = (id: string) => act('DELETE', id, 'question')

/** The people a task may be assigned or delegated to, by name. */
export const peoplePath = (id: string, of: 'assign' | 'delegate', search: string) =>
  withQuery(path(id, 'people'), { for: of, search })

/** Why a task is with the reader; undefined waits. Read again only when the task changes. */
export const useWhy = (task: Pick<TaskRow, 'id' | 'version'> | undefined) =>
  useSWR<Why, Problem>(task ? [path(task.id, 'why'), task.version] : null, ([p]: [string]) => request<Why>('GET', p), {
    revalidateOnFocus: false,
  })

/** The path of the decisions that can still be undone. */
export const undoablePath = '/api/tasks/undoable'
export const useUndoable = () => useRead<Undoable[]>(undoablePath)
