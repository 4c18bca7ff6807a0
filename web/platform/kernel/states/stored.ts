/** A plain object with any values. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The stored value at a place; undefined if there is none, or not one of this kind. */
export function stored<T>(place: string, isOfKind: (kept: unknown) => kept is T): T | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return isOfKind(kept) ? kept : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
