import { useState } from 'react'
import type { Pages } from '../../kernel/api/read.ts'
import type { TaskRow } from '../../kernel/client/types.ts'

export interface StableRow {
  row: TaskRow
  /** It has left the list on the server; it keeps its place until the reader reloads the list. */
  gone: boolean
}

export interface Steady {
  /** Identifies the list; another list starts again. */
  of: string
  /** The server's last answer. */
  items: TaskRow[] | undefined
  rows: StableRow[]
  /** How many newer rows have arrived. */
  fresh: number
  /** Creation time of the newest row that the reader has seen. */
  newest: string
  /** Tasks that the reader has dealt with while the server still listed them. */
  removed: ReadonlySet<string>
  /** Tasks dealt with that the server has since left out: if undone, they return. */
  over: ReadonlySet<string>
  /** The server has answered since the list was opened; before that, the list shows cached data. */
  sure: boolean
}

/** A list before the first answer. */
export const unread = (of: string): Steady => ({
  of,
  items: undefined,
  rows: [],
  fresh: 0,
  newest: '',
  removed: new Set(),
  over: new Set(),
  sure: false,
})

/**
 * A list that never moves while it is read. Shown rows change in place and keep their order; newer ones wait as a
 * number above; further pages are appended. In any other order than by age, rows that belong between shown ones wait as
 * well.
 */
export function settle(
  before: Steady,
  items: TaskRow[] | undefined,
  of: string,
  { byAge = true, checking = false } = {},
): Steady {
  if (before.of !== of) return settle(unread(of), items, of, { byAge, checking })
  if (!items) return before
  if (before.items === items) return before.sure || checking ? before : { ...before, sure: true }
  const told = new Set(items.map(({ id }) => id))
  const removed = new Set([...before.removed].filter((id) => told.has(id)))
  const over = new Set([...before.over, ...before.removed].filter((id) => !told.has(id)))
  const present = items.filter(({ id }) => !removed.has(id))
  if (before.rows.length === 0 || !before.sure) {
    const newest = present.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), '')
    const rows = present.map((row) => ({ row, gone: false }))
    return { ...before, items, removed, over, rows, fresh: 0, newest, sure: !checking }
  }
  const now = new Map(present.map((row) => [row.id, row]))
  const shown = new Set(before.rows.map(({ row }) => row.id))
  const others = present.filter(({ id }) => !shown.has(id))
  const last = present.findLastIndex(({ id }) => shown.has(id))
  const below = new Set(byAge ? others.filter(({ createdAt }) => createdAt <= before.newest) : present.slice(last + 1))
  const joining = others.filter((row) => below.has(row) || before.over.has(row.id))
  const rows = before.rows.map(({ row }) => ({ row: now.get(row.id) ?? row, gone: !now.has(row.id) }))
  for (const row of joining) {
    const above = present[present.indexOf(row) - 1]
    rows.splice(rows.findIndex((each) => each.row.id === above?.id) + 1, 0, { row, gone: false })
  }
  return { ...before, items, removed, over, rows, fresh: others.length - joining.length }
}

/** The steady form of a list that reloads. */
export function useStableList(
  { items, checking }: Pick<Pages<TaskRow>, 'items' | 'checking'>,
  of: string,
  byAge = true,
) {
  const [kept, setKept] = useState(() => unread(of))
  const steady = settle(kept, items, of, { byAge, checking })
  if (steady !== kept) setKept(steady)
  return {
    rows: steady.rows,
    fresh: steady.fresh,
    /** Shows the list in its present order. */
    adopt: () => setKept({ ...steady, rows: [], items: undefined }),
    /** Removes a row that the reader has just dealt with. */
    remove: (id: string) =>
      setKept({
        ...steady,
        rows: steady.rows.filter(({ row }) => row.id !== id),
        removed: new Set([...steady.removed, id]),
      }),
  }
}
