import type { TaskRow } from '../../kernel/client/types.ts'
import { wallClock } from '../../kernel/clock/colombo.ts'
import type { Grouping } from './address.ts'
import type { StableRow } from './steady-list.ts'

export interface Group {
  key: string
  /** Of a flow, a desk or a person; the page names days. */
  name: string
  rows: StableRow[]
}

/** Group keys by due day: late, and without a due time. */
export const late = 'late'
export const noDay = 'none'

/** Rows in groups, in the order in which the groups first occur; by due day, earliest first. */
export function grouped(rows: readonly StableRow[], by: Grouping, now: number): Group[] {
  const found = new Map<string, Group>()
  for (const each of rows) {
    const { key, name } = headingOf(each.row, by, now)
    const group = found.get(key) ?? { key, name, rows: [] }
    group.rows.push(each)
    found.set(key, group)
  }
  const groups = [...found.values()]
  const place = ({ key }: Group) => (key === late ? '0' : key === noDay ? '9' : `1${key}`)
  return by === 'due' ? groups.sort((a, b) => place(a).localeCompare(place(b))) : groups
}

function headingOf(row: TaskRow, by: Grouping, now: number): { key: string; name: string } {
  if (by === 'flow') return { key: row.flow, name: row.flowTitle }
  if (by === 'desk') return { key: `${row.flow} ${row.desk}`, name: row.name }
  if (by === 'requester') return { key: row.requester.id, name: row.requester.name }
  if (by === 'due') {
    if (!row.dueAt) return { key: noDay, name: '' }
    return { key: Date.parse(row.dueAt) < now ? late : wallClock(row.dueAt).date, name: '' }
  }
  return { key: '', name: '' }
}
