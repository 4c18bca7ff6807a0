import { useState } from 'react'
import type { TaskRow } from '../api/types.ts'

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
  /** What the reader has dealt with. */
  removed: ReadonlySet<string>
}

/** A list before anything was read. */
export const unread = (of: string): Steady => ({
  of,
  items: undefined,
  rows: [],
  fresh: 0,
  newest: '',
  removed: new Set(),
})

/**
 * A list that never moves under the reader's eyes. Rows already shown change in place and keep their order; what came
 * in newer waits above as a number; further pages join below.
 */
export function settle(before: Steady, items: TaskRow[] | undefined, of: string): Steady {
  if (before.of !== of) return settle(unread(of), items, of)
  if (!items || before.items === items) return before
  const present = items.filter(({ id }) => !before.removed.has(id))
  if (before.rows.length === 0) {
    const newest = present.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), '')
    return { ...before, items, rows: present.map((row) => ({ row, gone: false })), fresh: 0, newest }
  }
  const now = new Map(present.map((row) => [row.id, row]))
  const shown = new Set(before.rows.map(({ row }) => row.id))
  const others = present.filter(({ id }) => !shown.has(id))
  return {
    ...before,
    items,
    rows: [
      ...before.rows.map(({ row }) => ({ row: now.get(row.id) ?? row, gone: !now.has(row.id) })),
      ...others.filter(({ createdAt }) => createdAt <= before.newest).map((row) => ({ row, gone: false })),
    ],
    fresh: others.filter(({ createdAt }) => createdAt > before.newest).length,
  }
}

/** The steady form of a list that is read again and again. */
export function useSteadyList(items: TaskRow[] | undefined, of: string) {
  const [kept, setKept] = useState(() => unread(of))
  const steady = settle(kept, items, of)
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
