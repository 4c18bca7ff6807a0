import { DAY_MS, HOUR_MS } from './units.ts'

const day = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Colombo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** Offset of Colombo from UTC in milliseconds, all year. */
export const COLOMBO_AHEAD_MS = 5.5 * HOUR_MS

/** The day in Colombo of a moment: `2026-05-14`. */
export function dayInColombo(moment: Date | number): string {
  return day.format(moment)
}

/** A day as people write it: `14/05/2026` for `2026-05-14`, also of a moment in ISO 8601. */
export function writtenDay(date: string): string {
  return date.slice(0, 10).split('-').toReversed().join('/')
}

/** The day `days` after another, or before it if negative. */
export function dayAway(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The last second in Colombo of a day such as `2026-05-14`, or `days` days later. */
export function endOfDay(date: string, days = 0): string {
  return `${dayAway(date, days)}T23:59:59+05:30`
}

/** The month after another: `2027-01` for `2026-12`. */
export function monthAfter(month: string): string {
  return dayAway(`${month}-01`, 31).slice(0, 7)
}
