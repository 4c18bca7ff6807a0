import type { AuditRecord } from '../../kernel/audit/audit.ts'
import type { Moved, NewTask } from '../rows/tasks.ts'
import type { ActivityChange } from '../rows/feed.ts'

/** The engine's report on a case, as its audit entry seals it: times in UTC, to the millisecond. */
export interface Progress {
  /** The complete state: it replaces all earlier reports. */
  rebuilt?: true
  activities: {
    id: string
    element: string
    definitionId: string
    startedAt: string | null
    endedAt: string | null
    canceled: boolean
  }[]
  tasks: {
    id: string
    desk: string
    createdAt: string
    /** It came to another desk or version, which set its title. Otherwise only the first report of a task set these. */
    moved?: true
    /** Absent in older entries. */
    name?: string
    /** Absent in older entries, and if the move left it as it was. */
    dueAt?: string | null
  }[]
  end?: { at: string; reason: string }
}

/** A task as the engine reported it, or as it became when its case moved. */
export type ReportedTask = Pick<NewTask, 'id' | 'desk' | 'createdAt' | 'name' | 'dueAt'> & {
  moved?: Pick<Moved, 'name'> & { dueAt?: Date | null }
}

/** The audit entry of the engine's report on a case. Checks compare the path that people see with it. */
export function progressOf(
  caseId: string,
  told: {
    activities: Iterable<ActivityChange>
    tasks: readonly ReportedTask[]
    end?: { at: string; reason: string } | undefined
    rebuilt?: true
  },
): AuditRecord[] {
  const { end, rebuilt } = told
  const payload: Progress = {
    ...(rebuilt && { rebuilt }),
    activities: [...told.activities].map(({ id, element, definitionId, startedAt, endedAt, canceled }) => ({
      ...{ id, element, definitionId, canceled },
      startedAt: startedAt === null ? null : moment(startedAt),
      endedAt: endedAt === null ? null : moment(endedAt),
    })),
    tasks: told.tasks.map(({ id, desk, createdAt, name, dueAt, moved }) => {
      const due = moved ? moved.dueAt : dueAt
      return {
        ...{ id, desk, createdAt: moment(createdAt), name: moved?.name ?? name },
        ...(moved && { moved: true as const }),
        ...(due !== undefined && { dueAt: due === null ? null : moment(due) }),
      }
    }),
    ...(end && { end: { at: moment(end.at), reason: end.reason } }),
  }
  if (payload.activities.length === 0 && payload.tasks.length === 0 && !end) return []
  return [{ actor: 'system:feed', action: 'case.progressed', caseId, object: `case:${caseId}`, payload }]
}

/** The engine's time format, so that equal times are equal texts. */
function moment(given: string | Date): string {
  return new Date(given).toISOString()
}
