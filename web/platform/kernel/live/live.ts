import { useEffect, useRef, useSyncExternalStore } from 'react'
import { mutate } from 'swr'
import { Problem, send } from '../client/client.ts'
import { exclusively } from '../session/exclusively.ts'
import { lookAgain } from '../session/session.ts'
import { parsed } from '../client/json.ts'

/** What has changed on the server. It has no content: components that show the data read it again. */
export interface Hint {
  inbox?: boolean
  cases?: string[]
  tasks?: string[]
  /** The reader's account or permissions have changed. */
  me?: boolean
  /** Anything may have changed: after a reconnect, or if the server's list was too long to send. */
  all?: boolean
}

/** `lost` is shown only if it lasts; pages keep their data meanwhile. */
export type Connection = 'connecting' | 'live' | 'lost'

let connection: Connection = 'connecting'
const watchers = new Set<() => void>()
const listeners = new Set<(hint: Hint) => void>()
const channel = new BroadcastChannel('prakriya.live')

function become(next: Connection): void {
  if (next === connection) return
  connection = next
  for (const watcher of watchers) watcher()
}

/** Whether the answer of a path may differ after this hint. */
export function concerns(path: string, hint: Hint): boolean {
  if (hint.all) return true
  const [, , kind, id] = path.split(/[/?]/)
  if (kind === 'tasks') return Boolean(hint.inbox) || Boolean(id && hint.tasks?.includes(id))
  if (kind === 'team') return Boolean(hint.inbox)
  if (kind === 'me' || kind === 'substitutions') return Boolean(hint.me)
  // Notifications are about cases, tasks and the account.
  if (kind === 'notification') return Boolean(hint.me) || Boolean(hint.inbox) || Boolean(hint.cases?.length)
  if (kind === 'cases')
    return path.startsWith('/api/cases/') ? Boolean(id && hint.cases?.includes(id)) : Boolean(hint.cases?.length)
  return false
}

function apply(hint: Hint): void {
  if (hint.me || hint.all) void lookAgain()
  void mutate((key) => typeof key === 'string' && concerns(key, hint))
  for (const listener of listeners) listener(hint)
}

function tell(message: { hint: Hint } | { connection: Connection }): void {
  channel.postMessage(message)
  receive(message)
}

function receive(message: { hint: Hint } | { connection: Connection }): void {
  if ('hint' in message) apply(message.hint)
  else become(message.connection)
}

channel.addEventListener('message', ({ data }) => receive(data))

/** Reads one stream of server-sent events to its end. */
async function read(response: Response, onHint: (hint: Hint) => void): Promise<void> {
  if (!response.body) return
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    rest += chunk
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
      const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
      if (data.length > 0) onHint(parsed<Hint>(data.join('\n')))
    }
  }
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done)
    signal.addEventListener('abort', done)
  })

async function stayConnected(signal: AbortSignal): Promise<void> {
  let failures = 0
  let first = true
  while (!signal.aborted) {
    try {
      const response = await send('GET', '/api/events', { headers: { accept: 'text/event-stream' }, signal })
      failures = 0
      tell({ connection: 'live' })
      // Changes during a disconnect are unknown, so read everything again.
      if (!first) tell({ hint: { all: true } })
      first = false
      await read(response, (hint) => tell({ hint }))
    } catch (error) {
      if (signal.aborted) return
      // An expired session ends this by signing out; all else is a lost connection and is retried.
      if (error instanceof Problem && error.status === 401) return
      failures++
    }
    if (signal.aborted) return
    if (failures > 1) tell({ connection: 'lost' })
    await pause(Math.min(30_000, 500 * 2 ** failures) * (0.75 + Math.random() / 2), signal)
  }
}

/** One connection per browser: the tab that holds the lock listens for all tabs of this person. */
export function useLiveConnection(accountId: string): void {
  useEffect(() => {
    const stop = new AbortController()
    exclusively(`prakriya.live.${accountId}`, () => stayConnected(stop.signal), stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
    return () => stop.abort()
  }, [accountId])
}

/** Calls back with each hint, for lists that decide themselves what to reload. */
export function useHints(listener: (hint: Hint) => void): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const call = (hint: Hint) => latest.current(hint)
    listeners.add(call)
    return () => void listeners.delete(call)
  }, [])
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/** The state of the live connection. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection)
