/**
 * Collects calls while an earlier batch runs, so that one statement serves several. A call resolves with its batch, and
 * an error of the batch rejects all of its calls.
 */
export function inBatches<T>(run: (batch: readonly T[]) => Promise<void>): (one: T) => Promise<void> {
  let waiting: T[] = []
  let next: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()

  function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    next = undefined
    const running = run(batch)
    // The callers get its error; the next batch only waits for its end.
    last = running.catch(() => undefined)
    return running
  }

  return (one) => {
    waiting.push(one)
    next ??= last.then(flush)
    return next
  }
}
