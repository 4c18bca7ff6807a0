/**
 * Acts that go one after the other within this process. Whoever waits for a turn holds nothing meanwhile, no connection
 * to the database either.
 */
export function turns() {
  const last = new Map<string, Promise<void>>()

  /** Does this after all that was asked for under the same name before, however that ended. */
  return async function inTurn<T>(of: string, act: () => Promise<T>): Promise<T> {
    const result = (last.get(of) ?? Promise.resolve()).then(act)
    const turn = result.then(
      () => undefined,
      () => undefined,
    )
    last.set(of, turn)
    try {
      return await result
    } finally {
      if (last.get(of) === turn) last.delete(of)
    }
  }
}
