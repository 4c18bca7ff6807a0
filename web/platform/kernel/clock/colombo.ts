/** A moment as the clocks of the house show it: `2026-05-14` and `18:00`. */
export interface WallClock {
  date: string
  time: string
}

// Sri Lanka keeps one offset all year.
const offset = 5.5 * 3_600_000

/** What the clocks in Colombo show at a moment, wherever the browser is. */
export function wallClock(moment: string | number): WallClock {
  const shown = new Date(new Date(moment).getTime() + offset).toISOString()
  return { date: shown.slice(0, 10), time: shown.slice(11, 16) }
}

/** The moment at which the clocks in Colombo show this. */
export const momentOf = ({ date, time }: WallClock): string => `${date}T${time}:00+05:30`

/** The day after so many days, or before. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The day that an address names, where it names one: nobody is refused for a mistyped address. */
export function dayIn(given: string | null): string | undefined {
  const day = given !== null && /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))
  return day ? given : undefined
}
