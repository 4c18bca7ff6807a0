import type { Resource } from './booking.ts'
import { openOn } from './opening-hours.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/kernel/units.ts'

/** Sri Lanka has one offset all year. */
const OFFSET_MS = 5.5 * HOUR_MS

/**
 * How many hours a resource can be booked between two days, both `2026-05-14` in Colombo and included: its opening
 * hours without blackouts; all day if it has no opening hours.
 */
export function openHours(
  { opening_hours: hours = [], blackouts = [] }: Pick<Resource, 'opening_hours' | 'blackouts'>,
  first: string,
  last: string,
): number {
  const closed = joined(blackouts.map(({ from, until }) => ({ from: Date.parse(from), until: Date.parse(until) })))
  let open = 0
  for (let day = Date.parse(first) / DAY_MS; day <= Date.parse(last) / DAY_MS; day += 1) {
    const spans = hours.length === 0 ? [{ from: 0, until: 24 * 60 }] : openOn(hours, day)
    for (const span of spans) {
      const from = day * DAY_MS - OFFSET_MS + span.from * MINUTE_MS
      const until = day * DAY_MS - OFFSET_MS + span.until * MINUTE_MS
      const lost = closed.map((one) => Math.max(0, Math.min(until, one.until) - Math.max(from, one.from)))
      open += until - from - lost.reduce((all, one) => all + one, 0)
    }
  }
  return open / HOUR_MS
}

interface Span {
  from: number
  until: number
}

/** Spans in order, adjacent ones merged. */
function joined(spans: readonly Span[]): Span[] {
  return spans
    .toSorted((a, b) => a.from - b.from)
    .reduce<Span[]>((all, span) => {
      const before = all.at(-1)
      if (!before || before.until < span.from) return [...all, span]
      return [...all.slice(0, -1), { from: before.from, until: Math.max(before.until, span.until) }]
    }, [])
}
