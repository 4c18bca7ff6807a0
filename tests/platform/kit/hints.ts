import type { Person } from './people.ts'

/** A person's hints over server-sent events. */
export interface Hints {
  /** Acts after every hint about the inbox, one at a time; hints meanwhile count as one. Rejects when an act does. */
  each(act: () => Promise<void>): Promise<void>
  close(): void
}

/** Opens the event stream as the web app does. */
export async function hints(person: Person): Promise<Hints> {
  const stop = new AbortController()
  const stream = await person.stream('/api/events', stop.signal)
  let woken = Promise.withResolvers<void>()
  const reading = (async () => {
    try {
      for await (const chunk of stream) if (Buffer.from(chunk).includes('"inbox":true')) woken.resolve()
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  })()
  const closed = new Promise<void>((done) => stop.signal.addEventListener('abort', () => done()))
  return {
    async each(act) {
      while (!stop.signal.aborted) {
        await Promise.race([woken.promise, closed, reading])
        woken = Promise.withResolvers()
        if (!stop.signal.aborted) await act()
      }
    },
    close: () => stop.abort(),
  }
}
