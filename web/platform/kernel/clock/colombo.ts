/** A moment in Colombo's local time: `2026-05-14` and `18:00`. */
export interface WallClock {
  date: string
  time: string
}

// Sri Lanka keeps one offset all year.
const offset = 5.5 * 3_600_000

/** The local time in Colombo at a moment, whatever the browser's time zone. */
export function wallClock(moment: string | number): WallClock {
  const shown = new Date(new Date(moment).getTime() + offset).toISOString()
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** The moment of a local time in Colombo. */
export const momentOf = ({ date, time }: WallClock): string => `${date}T${time}:00+05:30`

/** The day a number of days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** From one day to another, in days. */
export const daysTo = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** The day in an address, undefined if it is not valid: a mistyped address is no error. */
export function dayIn(given: string | null): string | undefined {
  const day = given !== null && /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))
  return day ? given : undefined
}

/** The moment in an address, undefined if it is not valid. */
export const momentIn = (given: string | null): string | undefined =>
  given === null || Number.isNaN(Date.parse(given)) ? undefined : given
