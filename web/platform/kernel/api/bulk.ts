import useSWR, { mutate } from 'swr'
import { request, type Problem } from '../client/client.ts'
import type { GetBulk, ListBulk, PreviewBulk } from '../client/operations.generated.ts'
import { undoablePath } from './task-acts.ts'
import { heldBack } from './tasks.ts'
import type { FormRef } from '../client/types.ts'

/** One act on many tasks. */
export type BulkWanted = Omit<PreviewBulk['body'], 'tasks'> & { tasks: string[] }
export type BulkKind = BulkWanted['kind']
/** With which tasks it would go through, and with which not and why. */
export type BulkPreview = Omit<PreviewBulk['answer'], 'form'> & { form: FormRef | null }
/** How far one is. */
export type BulkRow = ListBulk['answer']['items'][number]
/** The same with an answer for each task. */
type Bulk = GetBulk['answer']

const path = '/api/bulk'
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`

export const previewBulk = (wanted: BulkWanted) => request<BulkPreview>('POST', `${path}/preview`, { body: wanted })

/** Begins it; it goes on by itself, whatever becomes of the page. Each decision can be taken back as a single one can. */
export async function startBulk(wanted: BulkWanted): Promise<string> {
  const begin = (held: { notBefore?: string }) =>
    request<{ id: string }>('POST', path, { body: { ...wanted, ...held } })
  const { id } = wanted.kind === 'complete' ? (await heldBack(begin)).answer : await begin({})
  await mutate(path)
  return id
}

export async function stopBulk(id: string): Promise<void> {
  await request('POST', `${pathOf(id)}/stop`)
  await Promise.all([mutate(path), mutate(pathOf(id))])
}

/** Takes back what has not been sent yet, and leaves the rest alone. */
export async function undoBulk(id: string): Promise<void> {
  await request('POST', `${pathOf(id)}/undo`)
  await Promise.all([mutate(path), mutate(pathOf(id)), mutate(undoablePath)])
}

/** Whether it still has tasks to come to. */
export const goesOn = ({ state }: Pick<BulkRow, 'state'>) => state === 'running'

/** How often something under way is looked at, in milliseconds. */
const pace = 1000

/** The reader's own, newest first; looked at again as long as one goes on. */
export const useBulks = () =>
  useSWR<{ items: BulkRow[] }, Problem>(path, (p: string) => request('GET', p), {
    refreshInterval: (latest) => (latest?.items.some(goesOn) ? pace : 0),
  })

/** One of them with an answer for each task. */
export const useBulk = (id: string | undefined) =>
  useSWR<Bulk, Problem>(id === undefined ? null : pathOf(id), (p: string) => request('GET', p), {
    refreshInterval: (latest) => (latest && goesOn(latest) ? pace : 0),
  })
