import { useState } from 'react'
import type { Pages } from '../../kernel/api/read.ts'
import type { TaskRow } from '../../kernel/client/types.ts'

export interface SteadyRow {
  row: TaskRow
  /** It has left the list on the server; it keeps its place until the reader asks for the new list. */
  gone: boolean
}

export interface Steady {
  /** Names the list; another list starts anew. */
  of: string
  /** What the server gave last. */
  items: TaskRow[] | undefined
  rows: SteadyRow[]
  /** How many have come in above since. */
  fresh: number
  /** When the newest row came that the reader has seen. */
  newest: string
  /** What the reader has dealt with, and the server still told of when last asked. */
  removed: ReadonlySet<string>
  /** What the reader had dealt with and the server has left out since: taken back, it is there again. */
  over: ReadonlySet<string>
  /** The server has answered since the list was opened: until then it shows what was read at another time. */
  sure: boolean
}

/** A list before anything was read. */
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
 * A list that never moves under the reader's eyes. Rows already shown change in place and keep their order; what came
 * in newer waits above as a number; further pages join below. In another order than by age, what belongs between rows
 * that are shown waits as well.
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

/** The steady form of a list that is read again and again. */
export function useSteadyList(
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
    /** Shows the list as it is now. */
    adopt: () => setKept({ ...steady, rows: [], items: undefined }),
    /** Takes out a row that the reader has just dealt with. */
    remove: (id: string) =>
      setKept({
        ...steady,
        rows: steady.rows.filter(({ row }) => row.id !== id),
        removed: new Set([...steady.removed, id]),
      }),
  }
}
