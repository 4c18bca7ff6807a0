import { useSyncExternalStore } from 'react'

/** A time that updates at an interval in milliseconds, with one timer for the page, while it is visible. */
function clock(every: number): () => number {
  let now = Date.now()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    now = Date.now()
    for (const each of listeners) each()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    now = Date.now()
    timer ??= setInterval(tick, every)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
  return () => useSyncExternalStore(subscribe, () => now)
}

/** The time, for words such as *3 hours*: updates every 20 seconds. */
export const useNow = clock(20_000)

/** The present second, for countdowns. */
export const useSecond = clock(1000)
