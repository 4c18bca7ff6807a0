import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

interface Chosen {
  /** Identifies the list; another list starts without a selection. */
  of: string
  ids: ReadonlySet<string>
  /** The last clicked row, where a Shift selection starts. */
  from: string | undefined
}

/** Most tasks of one bulk act. */
export const most = 500

/** The selected rows, in list order. Rows that leave the list are deselected. */
export function useSelection(of: string, rows: readonly string[]) {
  const [kept, setKept] = useState<Chosen>({ of, ids: new Set(), from: undefined })
  const chosen = kept.of === of ? kept : { of, ids: new Set<string>(), from: undefined }
  const present = useRef({ of, rows })
  useEffect(() => {
    present.current = { of, rows }
  })
  const ids = useMemo(() => rows.filter((id) => chosen.ids.has(id)), [rows, chosen.ids])

  const change = useCallback(
    (next: (before: ReadonlySet<string>) => Iterable<string>, from?: string) =>
      setKept((before) => {
        const list = present.current.of
        const had = before.of === list ? before.ids : new Set<string>()
        return { of: list, ids: new Set(next(had)), from }
      }),
    [],
  )
  const { from } = chosen
  const last = useRef(from)
  useEffect(() => {
    last.current = from
  })
  return {
    ids,
    /** Selects or deselects a row; with `range`, all rows from the last clicked one. */
    toggle: useCallback(
      (id: string, range = false) => {
        const list = present.current.rows
        const [a, b] = [list.indexOf(last.current ?? id), list.indexOf(id)]
        const between = range && a >= 0 ? list.slice(Math.min(a, b), Math.max(a, b) + 1) : [id]
        change((before) => {
          const on = !before.has(id)
          return on ? [...before, ...between] : [...before].filter((each) => !between.includes(each))
        }, id)
      },
      [change],
    ),
    all: useCallback(() => change(() => present.current.rows.slice(0, most)), [change]),
    clear: useCallback(() => change(() => []), [change]),
  }
}

export type Selection = ReturnType<typeof useSelection>
