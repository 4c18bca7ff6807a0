import { mutate } from 'swr'
import { request, sheetAt, type Sheet, withQuery } from '../client/client.ts'
import type {
  CountTasks,
  GetInboxChoice,
  ListInboxFields,
  ListInboxViews,
  ListTasks,
} from '../client/operations.generated.ts'
import { usePages, useRead, type Pages } from './read.ts'
import type { TaskRow } from '../client/types.ts'

/** The queues of a reader's inbox, in the order of the page. */
export const queues = ['open', 'mine', 'group', 'due-soon', 'overdue', 'later', 'waiting', 'done'] as const
export type Queue = (typeof queues)[number]

export const sorts = ['-created', 'created', 'due', 'follow-up', '-priority', '-amount', 'amount'] as const
export type Sort = NonNullable<ListTasks['query']['sort']>

/** The fields to filter by, and the columns of a flow. */
export type InboxFields = ListInboxFields['answer']
/** A filter by a field of the flow's form. */
export type FilterField = InboxFields['fields'][number]
/** A saved view: its query, and the role it is shared with. */
export type View = ListInboxViews['answer']['items'][number]
/** The reader's inbox settings on every device: start view, density, grouping, and visible columns by flow. */
export type InboxChoice = GetInboxChoice['answer']
export type Density = InboxChoice['density']

const views = '/api/inbox/views'
const choice = '/api/inbox/choice'

/** One list of the inbox, by the query of the address bar; without a query nothing is requested. */
export const useInbox = (query: Record<string, string> | undefined): Pages<TaskRow> =>
  usePages<TaskRow>(query ? withQuery('/api/tasks', { ...query, limit: 50 }) : null)

/** The number of tasks per queue, for the filters of a list. */
export function useQueueCounts(query: Record<string, string> | undefined): CountTasks['answer'] | undefined {
  const { queue: _queue, sort: _sort, ...narrowed } = query ?? {}
  return useRead<CountTasks['answer']>(query ? withQuery('/api/tasks/count', narrowed) : null).data
}

export const useInboxFields = (flow?: string) => useRead<InboxFields>(withQuery('/api/inbox/fields', { flow }))

export const useViews = () => useRead<{ items: View[] }>(views)
export const useInboxChoice = () => useRead<InboxChoice>(choice)

/** Changes a setting, optimistically; a refusal restores the previous value. */
export const choose = (change: Partial<InboxChoice>) =>
  mutate<InboxChoice>(choice, () => request<InboxChoice>('PATCH', choice, { body: change }), {
    optimisticData: (before) => ({
      startView: null,
      density: 'comfortable',
      grouping: 'none',
      columns: {},
      ...before,
      ...change,
    }),
    rollbackOnError: true,
    revalidate: false,
  })

async function changeViews<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await request<T>(method, path, body ? { body } : {})
  await mutate(views)
  return answer
}

export const saveView = (view: Pick<View, 'name' | 'query' | 'sharedWith'>) => changeViews<View>('POST', views, view)

/** Fails if the view has changed since it was read. */
export const changeView = ({ id, version }: View, change: Partial<Pick<View, 'name' | 'query' | 'sharedWith'>>) =>
  changeViews<View>('PATCH', `${views}/${encodeURIComponent(id)}`, { ...change, version })

export async function deleteView({ id }: View): Promise<void> {
  await changeViews('DELETE', `${views}/${encodeURIComponent(id)}`)
  await mutate(choice)
}

/** The whole list as a file, at most 10,000 rows; if there are more, says how many of them it contains. */
export async function exportInbox(
  format: 'csv' | 'xlsx',
  query: Record<string, string>,
): Promise<Sheet & { rowsOfMore: number | undefined }> {
  const sheet = await sheetAt(withQuery('/api/tasks/export', { format, ...query }), `inbox.${format}`)
  const rows = sheet.headers.get('x-rows-of-more')
  return { ...sheet, rowsOfMore: rows === null ? undefined : Number(rows) }
}
