/** An ISO 8601 duration. */
export const isoDuration = /^P(?=.)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/

/** Seconds of an ISO 8601 duration; a month counts 30 days, a year 365. */
export function secondsOf(duration: string): number {
  const [date = '', time = ''] = duration.slice(1).split('T')
  const sum = (part: string, units: Readonly<Record<string, number>>) =>
    [...part.matchAll(/(\d+)([A-Z])/g)].reduce(
      (total, [, count, unit = '']) => total + Number(count) * (units[unit] ?? 0),
      0,
    )
  return sum(date, { Y: 31_536_000, M: 2_592_000, W: 604_800, D: 86_400 }) + sum(time, { H: 3600, M: 60, S: 1 })
}
