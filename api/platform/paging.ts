import { BusinessError } from './errors.ts'

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

/** The sort values in a cursor; refuses what this list did not hand out. */
export function readCursor(cursor: string, length: number): string[] {
  const values: unknown = parse(Buffer.from(cursor, 'base64url').toString())
  if (!Array.isArray(values) || values.length !== length || values.some((one) => typeof one !== 'string'))
    throw new BusinessError('platform.cursor-invalid', {}, [{ field: 'cursor', code: 'platform.cursor-invalid' }])
  return values
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
