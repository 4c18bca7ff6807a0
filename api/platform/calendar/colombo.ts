const day = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Colombo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** The day in Colombo, `2026-05-14`, of a moment. */
export function dayInColombo(moment: Date | number): string {
  return day.format(moment)
}
