import { types } from 'node:util'

/** What was thrown, as an error: code from elsewhere may throw anything. */
export function errorOf(thrown: unknown): Error {
  return types.isNativeError(thrown) ? thrown : new Error(String(thrown))
}

/** A text that an error has beside its message, such as `code` or `constraint` of PostgreSQL; undefined if it has none. */
export function textOf(thrown: unknown, name: string): string | undefined {
  const value: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined
  return typeof value === 'string' ? value : undefined
}
