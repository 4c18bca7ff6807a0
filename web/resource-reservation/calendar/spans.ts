import { addDays, momentOf } from '../../platform/kernel/clock/colombo.ts'

/** The ranges of a timeline. */
export const spans = ['day', 'week', 'fortnight'] as const
type SpanName = (typeof spans)[number]
const daysOf: Record<SpanName, number> = { day: 1, week: 7, fortnight: 14 }

/** A column of a timeline: an hour, or a day. */
export interface Column {
  /** Day in Colombo, `2026-05-14`. */
  date: string
  /** The hour, if columns are hours. */
  hour?: number
  from: number
  /** Exclusive. */
  until: number
}

/** The columns around a day: its hours, or the days of its week or of two weeks, from Monday on. */
export function columnsOf(span: SpanName, day: string): Column[] {
  if (span === 'day') {
    return Array.from({ length: 24 }, (_, hour) => {
      const from = startOf(day) + hour * 3_600_000
      return { date: day, hour, from, until: from + 3_600_000 }
    })
  }
  const weekday = new Date(day).getUTCDay()
  const monday = addDays(day, -((weekday + 6) % 7))
  return Array.from({ length: daysOf[span] }, (_, ahead) => {
    const date = addDays(monday, ahead)
    return { date, from: startOf(date), until: startOf(addDays(date, 1)) }
  })
}

/** The day one step earlier or later. */
export const stepped = (span: SpanName, day: string, by: -1 | 1): string => addDays(day, by * daysOf[span])

export interface Cell<T> {
  columns: [Column, ...Column[]]
  taken: T[]
}

/** The columns as cells of one row: a booking over several columns becomes one cell. */
export function cellsOf<T extends { from: string; until: string }>(columns: readonly Column[], taken: readonly T[]) {
  const cells: Cell<T>[] = []
  for (const column of columns) {
    const here = taken.filter(({ from, until }) => Date.parse(from) < column.until && Date.parse(until) > column.from)
    const last = cells.at(-1)
    if (last && here.some((each) => last.taken.includes(each))) {
      last.columns.push(column)
      last.taken = [...new Set([...last.taken, ...here])]
    } else cells.push({ columns: [column], taken: here })
  }
  return cells
}

const startOf = (date: string) => Date.parse(momentOf({ date, time: '00:00' }))
