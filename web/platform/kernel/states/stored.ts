/** A plain object, whose values may be anything. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What this browser keeps at a place; undefined if it keeps nothing, or nothing that is of the kind. */
export function stored<T>(place: string, isOfKind: (kept: unknown) => kept is T): T | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? 'null')
    return isOfKind(kept) ? kept : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
