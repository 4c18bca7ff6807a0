import useSWR, { mutate } from 'swr'
import { request, type Problem } from '../client/client.ts'
import type { GetBulk, ListBulk, PreviewBulk } from '../client/operations.generated.ts'
import { undoablePath } from './task-acts.ts'
import { decideWithUndo } from './tasks.ts'
import type { FormRef } from '../client/types.ts'

/** One act on many tasks. */
export type BulkWanted = Omit<PreviewBulk['body'], 'tasks'> & { tasks: string[] }
export type BulkKind = BulkWanted['kind']
/** Which tasks the act would succeed with, and why not with the others. */
export type BulkPreview = Omit<PreviewBulk['answer'], 'form'> & { form: FormRef | null }
/** The progress of a bulk act. */
export type BulkRow = ListBulk['answer']['items'][number]
/** The same with a result for each task. */
type Bulk = GetBulk['answer']

const path = '/api/bulk'
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

export const previewBulk = (wanted: BulkWanted) => request<BulkPreview>('POST', `${path}/preview`, { body: wanted })

/**
 * Starts a bulk act; it continues on the server after the page closes. Each decision can be undone like a single one.
 */
export async function startBulk(wanted: BulkWanted): Promise<string> {
  const begin = (held: { notBefore?: string }) =>
    request<{ id: string }>('POST', path, { body: { ...wanted, ...held } })
  const { id } = wanted.kind === 'complete' ? (await decideWithUndo(begin)).answer : await begin({})
  await mutate(path)
  return id
}

export async function stopBulk(id: string): Promise<void> {
  await request('POST', `${pathOf(id)}/stop`)
  await Promise.all([mutate(path), mutate(pathOf(id))])
}

/** Undoes what has not been sent yet, and leaves the rest alone. */
export async function undoBulk(id: string): Promise<void> {
  await request('POST', `${pathOf(id)}/undo`)
  await Promise.all([mutate(path), mutate(pathOf(id)), mutate(undoablePath)])
}

/** Whether tasks are still pending. */
export const isRunning = ({ state }: Pick<BulkRow, 'state'>) => state === 'running'

/** Polling interval while in progress, in milliseconds. */
const pace = 1000

/** The reader's own bulk acts, newest first; polls while one is in progress. */
export const useBulks = () =>
  useSWR<{ items: BulkRow[] }, Problem>(path, (p: string) => request('GET', p), {
    refreshInterval: (latest) => (latest?.items.some(isRunning) ? pace : 0),
  })

/** One bulk act with a result for each task. */
export const useBulk = (id: string | undefined) =>
  useSWR<Bulk, Problem>(id === undefined ? null : pathOf(id), (p: string) => request('GET', p), {
    refreshInterval: (latest) => (latest && isRunning(latest) ? pace : 0),
  })
