import { addDays, momentOf, wallClock } from '../../platform/kernel/clock/colombo.ts'
import type { Taken } from '../catalogue/resources.ts'

/** The four chosen values of a slot; a booking is one continuous range. */
export interface Slot {
  start_date?: string | undefined
  start_time?: string | undefined
  end_date?: string | undefined
  end_time?: string | undefined
}

export interface Span {
  from: string
  until: string
}

/** The range, once all four values are set. */
export function spanOf({ start_date, start_time, end_date, end_time }: Slot): Span | undefined {
  if (!start_date || !start_time || !end_date || !end_time) return undefined
  return { from: momentOf({ date: start_date, time: start_time }), until: momentOf({ date: end_date, time: end_time }) }
}

/** The four values of a range. */
export function slotOf({ from, until }: Span): Slot {
  const [start, end] = [wallClock(from), wallClock(until)]
  return { start_date: start.date, start_time: start.time, end_date: end.date, end_time: end.time }
}

const at = (moment: string) => Date.parse(moment)

/** Adjacent ranges do not clash: one may begin when another ends. */
export const clashes = (span: Span, taken: readonly Taken[]): Taken[] =>
  taken.filter((each) => at(span.from) < at(each.until) && at(span.until) > at(each.from))

/** Whether nothing may begin at this moment: it has passed, or lies in a booking. */
export const closedForStart = (moment: string, taken: readonly Taken[], now: number): boolean =>
  at(moment) < now || taken.some((each) => at(each.from) <= at(moment) && at(moment) < at(each.until))

/** Whether nothing may end at this moment: it has passed, is not after the start, or lies in a booking. */
export const closedForEnd = (
  moment: string,
  start: string | undefined,
  taken: readonly Taken[],
  now: number,
): boolean =>
  at(moment) <= now ||
  (start !== undefined && at(moment) <= at(start)) ||
  taken.some((each) => at(each.from) < at(moment) && at(moment) < at(each.until))

export function wholeDayTaken(date: string, taken: readonly Taken[]): boolean {
  const end = at(momentOf({ date: addDays(date, 1), time: '00:00' }))
  let free = at(momentOf({ date, time: '00:00' }))
  for (const each of taken.toSorted((a, b) => at(a.from) - at(b.from))) {
    if (at(each.from) > free) return false
    free = Math.max(free, at(each.until))
    if (free >= end) return true
  }
  return false
}

/** The taken times of a day, clipped to it: as fractions for drawing, as moments for words. */
export function onDay(
  date: string,
  taken: readonly Span[],
): { from: string; until: string; left: number; width: number }[] {
  const begin = at(momentOf({ date, time: '00:00' }))
  const end = begin + 86_400_000
  return taken
    .filter((each) => at(each.from) < end && at(each.until) > begin)
    .map((each) => {
      const [from, until] = [Math.max(begin, at(each.from)), Math.min(end, at(each.until))]
      return {
        from: wallClock(from).time,
        until: until === end ? '24:00' : wallClock(until).time,
        left: (from - begin) / 86_400_000,
        width: (until - from) / 86_400_000,
      }
    })
    .sort((a, b) => a.left - b.left)
}

/** Moves the end along if it would be before a changed start. */
export function withStart(slot: Slot, change: Pick<Slot, 'start_date'> | Pick<Slot, 'start_time'>): Slot {
  const next = { ...slot, ...change }
  if (next.start_date && (!next.end_date || next.end_date < next.start_date)) next.end_date = next.start_date
  return next
}
