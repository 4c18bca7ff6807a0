import { BusinessError } from './errors.ts'
import { formats } from './formats.ts'

/** One page of a list. `count` is exact up to 99; `more` means that there are more. */
export interface Page<T> {
  items: T[]
  /** Send it as `cursor` for the next page; null on the last one. */
  next: string | null
  count: { value: number; more: boolean }
}

/** Lists are counted up to here; beyond it people see *99+*. */
export const COUNT_LIMIT = 99

/** The sort values of the last row, as opaque text. */
export function cursorOf(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/**
 * Formats of sort values: a PostgreSQL timestamp, one of our ids, a sequence number, or any text that PostgreSQL can
 * store.
 */
const kinds = {
  moment: { test: isMoment },
  id: formats.uuid,
  number: /^\d{1,18}$/,
  text: /^[^\0]*$/,
}

/** The sort values in a cursor, checked against the given kinds; throws if the cursor is not of this list. */
export function readCursor<const K extends readonly (keyof typeof kinds)[]>(
  cursor: string,
  wanted: K,
): { -readonly [N in keyof K]: string } {
  const values: unknown = parse(Buffer.from(cursor, 'base64url').toString())
  const fits = Array.isArray(values) && values.length === wanted.length
  if (!fits || !wanted.every((kind, n) => typeof values[n] === 'string' && kinds[kind].test(values[n])))
    throw new BusinessError('platform.cursor-invalid', {}, [{ field: 'cursor', code: 'platform.cursor-invalid' }])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as many texts as wanted: checked above
  return values as { -readonly [N in keyof K]: string }
}

/** A count taken up to one above the limit, as people read it. */
export function counted(count: number | string): Page<never>['count'] {
  return { value: Math.min(Number(count), COUNT_LIMIT), more: Number(count) > COUNT_LIMIT }
}

/** Whether a text is a PostgreSQL timestamp of an existing day. */
export function isMoment(text: string): boolean {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?[+-](?:0\d|1[0-5])(:[0-5]\d)?$/.exec(text) ?? []
  if (day === undefined) return false
  const at = new Date(`${day}T${time}Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads page after page of a list, and gives its items one by one. */
export async function* eachItem<T>(
  read: (from: { cursor?: string }) => Promise<{ items: readonly T[]; next: string | null }>,
): AsyncGenerator<T> {
  let next: string | null = null
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(next === null ? {} : { cursor: next })
    yield* page.items
    next = page.next
  } while (next !== null)
}
