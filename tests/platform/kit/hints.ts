import type { Person } from './people.ts'

/** What a person's browser is told over server-sent events. */
export interface Hints {
  /** Looks once `first` is there and then after every hint, until `look` says yes. */
  until(look: () => Promise<boolean>, first: Promise<unknown>): Promise<void>
  close(): void
}

/** Opens the event stream as the web app does. */
export async function hints(person: Person): Promise<Hints> {
  const stop = new AbortController()
  const stream = await person.stream('/api/events', stop.signal)
  let woken = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const chunk of stream) {
      if (!Buffer.from(chunk).includes('event: hint')) continue
      woken.resolve()
      woken = Promise.withResolvers<void>()
    }
  })()
  reading.catch((error: Error) => {
    if (!stop.signal.aborted) throw error
  })
  return {
    async until(look, first) {
      let next = woken.promise
      await first
      while (!(await look())) {
        await next
        next = woken.promise
      }
    },
    close: () => stop.abort(),
  }
}
