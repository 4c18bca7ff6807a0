import useSWR from 'swr'
import { request, send, withQuery, type Problem } from '../client/client.ts'
import type { TaskRow } from '../client/types.ts'
import type { GetTeam, ReportDesks } from '../client/operations.generated.ts'
import { usePages, useRead } from './read.ts'

export type Team = GetTeam['answer']
export type DeskTimes = ReportDesks['answer']['items'][number]

/** Polling interval in milliseconds: heads get no hints about other people's tasks. */
const pause = 30_000

/** The tasks at the desks that the reader leads, and their assignees. */
export const useTeam = () =>
  useSWR<Team, Problem>('/api/team', (path: string) => request<Team>('GET', path), { refreshInterval: pause })

/** The tasks of one person, or the unassigned ones (`free`); undefined waits. */
export const useTeamTasks = (person: string | undefined) =>
  usePages<TaskRow>(person ? withQuery('/api/team/tasks', { person, limit: 50 }) : null)

/** A period of whole days, and one flow or all. */
export interface ReportFilter {
  from: string
  until: string
  flow: string
}

const reportPath = (filter: ReportFilter, format?: 'csv') => withQuery('/api/reports/desks', { ...filter, format })

/** How each desk that the reader leads kept its due times in a period. */
export const useDeskTimes = (filter: ReportFilter) => useRead<{ items: DeskTimes[] }>(reportPath(filter))

/** The same as a file for spreadsheets. */
export const deskTimesFile = async (filter: ReportFilter): Promise<Blob> =>
  (await send('GET', reportPath(filter, 'csv'), { headers: { accept: 'text/csv' } })).blob()
