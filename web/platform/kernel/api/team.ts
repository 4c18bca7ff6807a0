import useSWR from 'swr'
import { request, send, withQuery, type Problem } from '../client/client.ts'
import type { TaskRow } from '../client/types.ts'
import type { GetTeam, ReportDesks } from '../client/operations.generated.ts'
import { usePages, useRead } from './read.ts'

export type Team = GetTeam['answer']
export type DeskTimes = ReportDesks['answer']['items'][number]

/** Nobody tells a head of what moves between others: the page looks again by itself, in milliseconds. */
const pause = 30_000

/** What waits at the desks that the reader leads, and with whom. */
export const useTeam = () =>
  useSWR<Team, Problem>('/api/team', (path: string) => request<Team>('GET', path), { refreshInterval: pause })

/** The tasks that one person has taken, or `free`: those that nobody has; undefined waits. */
export const useTeamTasks = (person: string | undefined) =>
  usePages<TaskRow>(person ? withQuery('/api/team/tasks', { person, limit: 50 }) : null)

/** A period of whole days, and one flow or all. */
export interface ReportFilter {
  from: string
  until: string
  flow: string
}

const reportPath = (filter: ReportFilter, format?: 'csv') => withQuery('/api/reports/desks', { ...filter, format })

/** How each desk that the reader leads kept its times in a period. */
export const useDeskTimes = (filter: ReportFilter) => useRead<{ items: DeskTimes[] }>(reportPath(filter))

/** The same as a file for spreadsheets. */
export const deskTimesFile = async (filter: ReportFilter): Promise<Blob> =>
  (await send('GET', reportPath(filter, 'csv'), { headers: { accept: 'text/csv' } })).blob()
