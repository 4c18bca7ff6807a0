/** Returns the value, or throws if it is missing: for what must be there, which the types cannot tell. */
export function known<T>(value: T, what: string): NonNullable<T> {
  if (value === null || value === undefined) throw new Error(`missing: ${what}`)
  return value
}
