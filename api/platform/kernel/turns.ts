/**
 * Runs acts one at a time per key, within this process. A waiting act has not begun and holds no database connection.
 */
export function turns() {
  const last = new Map<string, Promise<void>>()

  /** Runs an act after all earlier ones of the same key have ended, successfully or not. */
  return async function inTurn<T>(key: string, act: () => Promise<T>): Promise<T> {
    const result = (last.get(key) ?? Promise.resolve()).then(act)
    const turn = result.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, turn)
    try {
      return await result
    } finally {
      if (last.get(key) === turn) last.delete(key)
    }
  }
}
