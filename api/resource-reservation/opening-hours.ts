import { type OpeningHours, weekdays } from './booking.ts'
import { MINUTE_MS } from '../platform/kernel/units.ts'

const DAY_MINUTES = 24 * 60
/** Sri Lanka has one offset all year. */
const OFFSET_MINUTES = 5.5 * 60

interface Minutes {
  from: number
  until: number
}

/**
 * Whether a range is within opening hours. Within one day, all of it must be. Over several days it must begin and end
 * in opening hours, and no day between may be closed. Without any hours it is always open.
 */
export function isOpen(hours: readonly OpeningHours[], from: number, until: number): boolean {
  return closedOn(hours, from, until) === undefined
}

/** The first day, as days since 1970 in Colombo, on which a range is outside opening hours. */
export function closedOn(hours: readonly OpeningHours[], from: number, until: number): number | undefined {
  if (hours.length === 0) return undefined
  const [begins, ends] = [local(from), local(until)]
  const first = Math.floor(begins / DAY_MINUTES)
  // Midnight belongs to the day that it ends.
  const last = Math.ceil(ends / DAY_MINUTES) - 1
  for (let day = first; day <= last; day += 1) {
    const begin = day === first ? begins - day * DAY_MINUTES : undefined
    const end = day === last ? ends - day * DAY_MINUTES : undefined
    const fits = openOn(hours, day).some(
      (open) =>
        (begin === undefined || (open.from <= begin && begin < open.until)) &&
        (end === undefined || (open.from < end && end <= open.until)),
    )
    if (!fits) return day
  }
  return undefined
}

/** The hours of a day: `08:00–12:00, 13:00–18:00`; a dash if it is closed. */
export function hoursInWords(hours: readonly OpeningHours[], day: number): string {
  const open = openOn(hours, day).map(({ from, until }) => `${clock(from)}–${clock(until)}`)
  return open.join(', ') || '–'
}

/** The hours of a day (days since 1970) in order, adjacent ones merged; in minutes since its midnight. */
export function openOn(hours: readonly OpeningHours[], day: number): Minutes[] {
  // 1 January 1970 was a Thursday.
  const name = weekdays[(((day + 4) % 7) + 7) % 7]
  const spans = hours
    .filter((one) => one.day === name)
    .map((one) => ({ from: minutes(one.from), until: minutes(one.until) }))
    .toSorted((a, b) => a.from - b.from)
  return spans.reduce<Minutes[]>((joined, span) => {
    const before = joined.at(-1)
    if (!before || before.until < span.from) return [...joined, span]
    return [...joined.slice(0, -1), { from: before.from, until: Math.max(before.until, span.until) }]
  }, [])
}

/** Minutes since 1970 in local time of Colombo. */
function local(moment: number): number {
  return moment / MINUTE_MS + OFFSET_MINUTES
}

function minutes(time: string): number {
  const [hour, minute] = time.split(':')
  return Number(hour) * 60 + Number(minute)
}

function clock(value: number): string {
  return [Math.floor(value / 60), value % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** `14/05/2026 09:00` in Colombo, the same in all languages. */
function momentInWords(moment: number): string {
  const now = local(moment)
  return `${dayInWords(Math.floor(now / DAY_MINUTES))} ${clock(Math.floor(((now % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES))}`
}

/** `14/05/2026` for a day since 1970. */
export function dayInWords(day: number): string {
  return new Date(day * DAY_MINUTES * MINUTE_MS).toISOString().slice(0, 10).split('-').reverse().join('/')
}

/** `14/05/2026 09:00–12:00`, with both days if they differ. */
export function spanInWords(from: number, until: number): string {
  const [begin, end] = [momentInWords(from), momentInWords(until)]
  const sameDay = begin.slice(0, 10) === end.slice(0, 10)
  return `${begin}–${sameDay ? end.slice(11) : ` ${end}`}`.replace('– ', ' – ')
}
