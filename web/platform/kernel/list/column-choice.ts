import type { ColumnsState } from '@ant-design/pro-components'
import { useEffect, useState, type RefObject } from 'react'
import { isPlain, stored } from '../states/stored.ts'

/** By the column's key. */
type Choice = Record<string, ColumnsState>

/**
 * Which columns a list shows: the reader's choice in this browser; without one, as many as fit side by side. A phone
 * shows rows as cards, where all of them fit.
 *
 * @param of the name under which the choice is stored
 * @param box the table's container; a heading with `data-column` (the key) marks a column that may be hidden
 * @param ready whether the rows are loaded, as they decide the column widths
 */
export function useColumnChoice(of: string, box: RefObject<HTMLElement | null>, ready: boolean) {
  const place = `prakriya.list-columns.${of}`
  const [own, setOwn] = useState(() => stored(place, isChoice))
  const [fitting, setFitting] = useState<Choice>()
  useEffect(() => {
    const frame = box.current?.querySelector('.ant-table-content')
    const table = frame?.querySelector('table')
    if (!ready || own || !frame || !table) return undefined
    // Rows, fonts and the window size affect the widths, and each may change later.
    const observer = new ResizeObserver(() => {
      if (frame.scrollWidth > frame.clientWidth) setFitting((before) => ({ ...before, ...leavingOutWhatIsCut(frame) }))
    })
    observer.observe(table)
    observer.observe(frame)
    return () => observer.disconnect()
  }, [ready, own, box])
  const value = own ?? fitting ?? {}
  return {
    value,
    hidden: Object.values(value).filter(({ show }) => show === false).length,
    choose: (chosen: Choice) => {
      // The table also reports the value that it was given.
      if (JSON.stringify(chosen) === JSON.stringify(value)) return
      localStorage.setItem(place, JSON.stringify(chosen))
      setOwn(chosen)
    },
  }
}

const isChoice = (kept: unknown): kept is Choice => isPlain(kept) && Object.values(kept).every(isPlain)

/** Hides the columns from the first one on that would be cut off. */
function leavingOutWhatIsCut(frame: Element): Choice {
  const headings = [...frame.querySelectorAll<HTMLElement>('thead th')]
  const isOptional = ({ dataset }: HTMLElement) => dataset['column'] !== undefined
  let room = frame.clientWidth
  for (const heading of headings) if (!isOptional(heading)) room -= heading.offsetWidth
  const choice: Choice = {}
  for (const heading of headings.filter(isOptional)) {
    room -= heading.offsetWidth
    if (room < 0) choice[heading.dataset['column'] ?? ''] = { show: false }
  }
  return choice
}
