import { BusinessError } from './errors.ts'
import { formats } from './formats.ts'

/** One page of a list. `count` is exact up to 99; `more` says that there are more than that. */
export interface Page<T> {
  items: T[]
  /** Hand it back as `cursor` for the next page; null on the last one. */
  next: string | null
  count: { value: number; more: boolean }
}

/** Lists are counted up to here; beyond it people read *99+*. */
export const COUNT_LIMIT = 99

/** The sort values of the last row seen, as opaque text. */
export function cursorOf(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** What a sort value looks like: a moment as PostgreSQL writes it, an id of ours, a number of a series, or any text that it can store. */
const kinds = {
  moment: { test: isMoment },
  id: formats['uuid']!,
  number: /^\d{1,18}$/,
  text: /^[^\0]*$/,
}

/** The sort values in a cursor, one of each kind named; refuses what this list did not hand out. */
export function readCursor<const K extends readonly (keyof typeof kinds)[]>(
  cursor: string,
  wanted: K,
): { -readonly [N in keyof K]: string } {
  const values: unknown = parse(Buffer.from(cursor, 'base64url').toString())
  const fits = Array.isArray(values) && values.length === wanted.length
  if (!fits || !wanted.every((kind, n) => typeof values[n] === 'string' && kinds[kind].test(values[n])))
    throw new BusinessError('platform.cursor-invalid', {}, [{ field: 'cursor', code: 'platform.cursor-invalid' }])
  return values as { -readonly [N in keyof K]: string }
}

/** A count that was taken to one above the limit, as people read it. */
export function counted(count: number | string): Page<never>['count'] {
  return { value: Math.min(Number(count), COUNT_LIMIT), more: Number(count) > COUNT_LIMIT }
}

/** Whether a text is a moment as PostgreSQL writes it, of a day that there is. */
export function isMoment(text: string): boolean {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](?:0\d|1[0-5])(:[0-5]\d)?$/.exec(text) ?? []
  const at = new Date(`${day}T${time}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day!)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
