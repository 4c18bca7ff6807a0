import useSWR, { mutate } from 'swr'
import { Problem, request, withQuery } from '../client/client.ts'
import type { Queue } from './inbox.ts'
import { usePages, useRead, type Pages } from './read.ts'
import { undoablePath, type Undoable } from './task-acts.ts'
import type { Beside, Count, FormSchema, Task, TaskRow } from '../client/types.ts'

const BESIDE_EVERY_MS = 15_000

export interface TaskFilter {
  queue: Queue
  flow?: string | undefined
  search?: string | undefined
}

export const useTaskCounts = (): Record<Queue, Count> | undefined =>
  useRead<Record<Queue, Count>>('/api/tasks/count').data

/** One queue of the inbox; without a filter nothing is requested. */
export const useTasks = (filter: TaskFilter | undefined): Pages<TaskRow> =>
  usePages<TaskRow>(filter ? withQuery('/api/tasks', { ...filter, limit: 50 }) : null)

export const useTask = (id: string | undefined) => useRead<Task>(id ? `/api/tasks/${encodeURIComponent(id)}` : null)

/** What the server says beside the fields of a task's form while it is filled in; others change it meanwhile. */
export const useBeside = (id: string, schema: FormSchema) =>
  useSWR<Beside, Problem>(
    schema['x-beside'] ? `/api/tasks/${encodeURIComponent(id)}/beside` : null,
    (path: string) => request<Beside>('GET', path),
    { refreshInterval: BESIDE_EVERY_MS },
  ).data

const act = async <T>(id: string, verb: string, body?: unknown): Promise<T> => {
  try {
    return await request<T>('POST', `/api/tasks/${encodeURIComponent(id)}/${verb}`, body === undefined ? {} : { body })
  } finally {
    // Whatever the answer, the shown task may be outdated.
    void mutate((key) => typeof key === 'string' && (key.startsWith('/api/tasks/') || key.startsWith('/api/cases/')))
  }
}

export const claimTask = (id: string) => act<void>(id, 'claim')
export const releaseTask = (id: string) => act<void>(id, 'release')

/** How long a decision can be undone, in milliseconds; only then does it go to the engine. */
const undoable = 20_000

/** Decides with a delay for undo; returns until when. */
export async function decideWithUndo<T>(
  decide: (held: { notBefore?: string }) => Promise<T>,
): Promise<{ answer: T; until: string | undefined }> {
  const until = new Date(Date.now() + undoable).toISOString()
  try {
    return { answer: await decide({ notBefore: until }), until }
  } catch (error) {
    // A clock that runs far ahead asks for too long a delay; then the decision is made at once.
    if (!(error instanceof Problem) || !error.errors.some(({ field }) => field === '/notBefore')) throw error
    return { answer: await decide({}), until: undefined }
  }
}

/** `accepted` means stored, and that it takes effect in a moment. */
interface Completed {
  state: 'done' | 'accepted'
  caseId: string
}

/** Decides. With `outcome`, a decision that can be undone joins the list of undoable ones; `undoUntil` is its limit. */
export async function completeTask(
  { id, reference, title }: Pick<TaskRow, 'id' | 'reference' | 'title'>,
  data: Record<string, unknown>,
  outcome: NonNullable<Undoable['outcome']> | undefined,
): Promise<Completed & { undoUntil: string | undefined }> {
  const { answer, until } = await decideWithUndo((held) => act<Completed>(id, 'complete', { data, ...held }))
  const undoUntil = answer.state === 'accepted' && outcome ? until : undefined
  if (outcome && undoUntil) {
    const made = { task: id, reference, title, outcome, until: undoUntil }
    // Shown before the server lists it.
    void mutate<Undoable[]>(undoablePath, (before = []) => [made, ...before.filter(({ task }) => task !== id)])
  }
  return { ...answer, undoUntil }
}

/** Undoes a decision that has not been sent yet. */
export const undoTask = (id: string) => act<void>(id, 'undo')

/** Sends a decision now instead of at the end of its undo time. */
export const sendTask = (id: string) => act<void>(id, 'send')
