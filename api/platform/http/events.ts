import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

/** A change from the channel; `all` replaces more than one notification can hold. */
interface Change {
  all?: boolean
  principals?: string[]
  cases?: string[]
  tasks?: string[]
  people?: string[]
  drafts?: { account: string; task: string }[]
}

/** Tells a browser what to read again. */
export interface Hint {
  inbox: boolean
  cases: string[]
  tasks: string[]
  /** The person's data or rights. */
  me: boolean
}

/** One open stream. */
export interface Listener {
  /** The account of the stream. */
  account: string
  /** Reads the person's rights again, and closes the stream if they may no longer listen. */
  refresh(): Promise<void>
  /** Whether a change of these principals' lists concerns this person. */
  concerns(principals: ReadonlySet<string>): boolean
  /** Those of these cases and tasks that the person may see. */
  visible(ids: { cases: string[]; tasks: string[] }): Promise<{ cases: string[]; tasks: string[] }>
  send(hint: Hint): void
}

export interface Hub {
  add(listener: Listener): void
  remove(listener: Listener): void
  /** Open streams. */
  size(): number
  start(): Promise<void>
  stop(): Promise<void>
}

/** After a notification, the next ones are collected for this many milliseconds. */
const GATHER_MS = 50
const RECONNECT_MS = 1000

/**
 * Receives notifications from PostgreSQL and forwards them to the streams of this node, each only what its person may
 * see. After a broken connection is restored, every browser is told to read everything again.
 */
export function eventHub({ url, log }: { url: string; log: FastifyBaseLogger }): Hub {
  const listeners = new Set<Listener>()
  let gathered: Change[] = []
  let gathering: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let reconnecting: NodeJS.Timeout | undefined
  let stopped = false

  async function connect(): Promise<void> {
    const fresh = changeClient({ url, log, ended: again, receive })
    try {
      await fresh.connect()
      await fresh.query('listen changed')
    } catch (error) {
      log.warn({ err: error }, 'listening for change hints failed')
      await fresh.end().catch((cause: Error) => log.debug({ err: cause }, 'a broken connection was closed'))
      return again()
    }
    if (client) receive({ all: true })
    client = fresh
  }

  function again(): void {
    if (stopped || reconnecting) return
    reconnecting = setTimeout(() => {
      reconnecting = undefined
      void connect()
    }, RECONNECT_MS)
  }

  /** The first change is sent at once; those that follow shortly are sent together. */
  function receive(change: Change): void {
    gathered.push(change)
    if (gathering) return
    flush()
    gathering = setTimeout(settle, GATHER_MS)
  }

  function settle(): void {
    gathering = gathered.length > 0 ? setTimeout(settle, GATHER_MS) : undefined
    flush()
  }

  function flush(): void {
    const changes = gathered
    if (changes.length === 0) return
    gathered = []
    for (const listener of listeners)
      tell(listener, changes, listeners).catch((error: unknown) =>
        log.warn({ err: error }, 'sending a change hint failed'),
      )
  }

  return {
    add: (listener) => void listeners.add(listener),
    remove: (listener) => void listeners.delete(listener),
    size: () => listeners.size,
    start: connect,
    async stop() {
      stopped = true
      clearTimeout(gathering)
      clearTimeout(reconnecting)
      client?.removeListener('end', again)
      await client?.end()
    },
  }
}

/** A connection that forwards PostgreSQL's notifications; not open yet. */
function changeClient({
  url,
  log,
  ended,
  receive,
}: {
  url: string
  log: FastifyBaseLogger
  ended: () => void
  receive: (change: Change) => void
}): pg.Client {
  const client = new pg.Client({ connectionString: url, application_name: 'prakriya-api-events', keepAlive: true })
  client.on('error', (error) => log.warn({ err: error }, 'the LISTEN connection for change hints was lost'))
  client.on('end', ended)
  client.on('notification', ({ payload }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `announce` writes to the channel, and only changes
    receive(JSON.parse(payload ?? '{}') as Change)
  })
  return client
}

/** Tells one stream what it may see of some changes, as long as it is open. */
async function tell(listener: Listener, changes: readonly Change[], listeners: ReadonlySet<Listener>): Promise<void> {
  const all = changes.some((change) => change.all)
  const me = all || changes.some(({ people = [] }) => people.includes(listener.account) || people.includes('*'))
  if (me) await listener.refresh()
  if (me && listeners.has(listener)) listener.send({ inbox: true, cases: [], tasks: [], me })
  if (all || !listeners.has(listener)) return
  // The inbox needs no check of rights, so it does not wait for one.
  if (changes.some(({ principals = [] }) => listener.concerns(new Set(principals))))
    listener.send({ inbox: true, cases: [], tasks: [], me: false })
  const cases = [...new Set(changes.flatMap((change) => change.cases ?? []))]
  const tasks = [...new Set(changes.flatMap((change) => change.tasks ?? []))]
  const seen = await listener.visible({ cases, tasks })
  const drafts = changes.flatMap((change) => change.drafts ?? []).filter(({ account }) => account === listener.account)
  seen.tasks = [...new Set([...seen.tasks, ...drafts.map(({ task }) => task)])]
  if (seen.cases.length > 0 || seen.tasks.length > 0) listener.send({ inbox: false, ...seen, me: false })
}
