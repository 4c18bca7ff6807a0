const day = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Colombo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** Milliseconds that the clocks of Colombo are ahead of UTC, all year. */
export const COLOMBO_AHEAD = 5.5 * 3_600_000

/** The day in Colombo, `2026-05-14`, of a moment. */
export function dayInColombo(moment: Date | number): string {
  return day.format(moment)
}

/** The last second in Colombo of a day `2026-05-14`, or of one so many days after it. */
export function endOfDay(date: string, days = 0): string {
  const moved = new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
  return `${moved}T23:59:59+05:30`
}
