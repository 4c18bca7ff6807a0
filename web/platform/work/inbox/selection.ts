import { useCallback, useEffect, useMemo, useRef, useState } from 'react'

interface Chosen {
  /** Names the list; another list begins with nothing chosen. */
  of: string
  ids: ReadonlySet<string>
  /** The last one that was clicked: from there, Shift chooses up to the next. */
  from: string | undefined
}

/** What one act may be done with at once. */
export const most = 500

/** Which rows of a list are ticked, in the list's order. What leaves the list is no longer chosen. */
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
    /** Ticks or unticks a row; with `range`, all from the last one that was clicked. */
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
