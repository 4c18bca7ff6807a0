import { keysOf } from '../../../kernel/keys.ts'
import { known } from '../../../kernel/known.ts'

const units = { days: 86_400, hours: 3600, minutes: 60 } as const
export type Unit = keyof typeof units
export const unitNames = keysOf(units)

/** The unit that was chosen among these. */
export const unitOf = <U extends SpanUnit>(among: readonly U[], chosen: string): U =>
  known(
    among.find((one) => one === chosen),
    `the unit ${chosen}`,
  )

/** An ISO 8601 duration in its largest whole unit; seconds are rounded up to minutes. */
export function durationOf(text: string): { count: number; unit: Unit } {
  const [date = '', time = ''] = text.replace(/^P/, '').split('T')
  const sum = (part: string, of: Readonly<Record<string, number>>) =>
    (part.match(/\d+[A-Z]/g) ?? []).reduce(
      (total, one) => total + Number(one.slice(0, -1)) * (of[one.slice(-1)] ?? 0),
      0,
    )
  const seconds =
    sum(date, { Y: 31_536_000, M: 2_592_000, W: 604_800, D: 86_400 }) + sum(time, { H: 3600, M: 60, S: 1 })
  const unit = unitNames.find((one) => seconds % units[one] === 0) ?? 'minutes'
  return { count: Math.ceil(seconds / units[unit]), unit }
}

export const asDuration = (count: number, unit: Unit): string =>
  unit === 'days' ? `P${count}D` : `PT${count}${unit === 'hours' ? 'H' : 'M'}`

export const secondsOf = ({ count, unit }: { count: number; unit: Unit }): number => count * units[unit]

/** A length of time that may be in working days. */
export interface Span {
  count: number
  unit: SpanUnit
}
export const spanUnits = ['workdays', ...unitNames] as const
export type SpanUnit = (typeof spanUnits)[number]

/** `workday3`, `P2D`, `PT4H`; undefined for anything else. */
export function spanOf(value: string): Span | undefined {
  const [, workdays] = /^workday(\d+)$/.exec(value) ?? []
  if (workdays !== undefined) return { count: Number(workdays), unit: 'workdays' }
  return /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?)?$/.test(value) ? durationOf(value) : undefined
}

export const writtenSpan = ({ count, unit }: Span): string =>
  unit === 'workdays' ? `workday${count}` : asDuration(count, unit)
