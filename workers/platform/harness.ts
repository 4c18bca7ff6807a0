import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'camunda-external-task-client-js'
import type { Logger } from 'pino'
import type { Engine } from '../../api/platform/kernel/engine/port.ts'
import type { RunOnce } from './run.ts'
import type { RunRecord } from './run-record.ts'
import type { AnyWorker } from './worker.ts'
import { MAX_PAUSE_MS, handleTask } from './handling.ts'

export interface HarnessDependencies {
  workers: ReadonlyMap<string, AnyWorker>
  runOnce: RunOnce
  record: RunRecord
  engine: Engine
  /** The engine's address, and the headers that its gateway requires. */
  connection: { baseUrl: string; headers: Record<string, string> }
  log: Logger
  /** Name of the process in the engine; the harness makes it unique. */
  name: string
  /** Maximum concurrent tasks. */
  parallel?: number
  /** Milliseconds after which a silent worker loses its task to another; extended while it runs. */
  lockDuration?: number
  /** Milliseconds before each retry of a failed task; after the last one there is an incident. */
  retryDelays?: readonly number[]
}

export interface Harness {
  start(): void
  /** Takes no new tasks, and finishes and reports the running ones. */
  drain(): Promise<void>
  /** False while the engine does not respond, or its responses are not valid. */
  healthy(): boolean
}

/**
 * Fetches external tasks from the engine, runs each once (`run-once.ts`) and reports what is stored.
 *
 * Guarantees: at most `parallel` tasks at a time. A lock is extended while its task runs. An error becomes a failure
 * with retries and growing delays, then an incident. A report that the engine cannot accept now is retried. If it still
 * fails, the task comes again and is only reported. Tasks of trial tenants are never fetched.
 *
 * A long-polling fetch is woken by its own engine node and otherwise ends after a second, because wake-ups do not cross
 * nodes. It is never aborted: the engine might have locked tasks for it already.
 */
export function harness(dependencies: HarnessDependencies): Harness {
  const { workers, runOnce, record, engine, connection, name } = dependencies
  const { parallel = 8, lockDuration = 10_000, retryDelays = [1_000, 4_000, 16_000, 64_000] } = dependencies
  const workerId = `${name}-${randomUUID()}`
  const log = dependencies.log.child({ workerId })
  const inFlight = new Map<string, Promise<void>>()
  const draining = new AbortController()
  const handling = { runOnce, record, engine, log, workerId, lockDuration, retryDelays, draining: draining.signal }
  let failedFetches = 0
  let fetching: PromiseWithResolvers<void> | undefined

  const client = clientOf({ workerId, parallel, lockDuration, connection, beforeFetch })

  // With all slots in use the client only checks its timer, so it needs a pause to avoid a busy loop.
  client.on('poll:start', () => (client.options.interval = inFlight.size >= parallel ? 10 : 0))
  client.on('poll:success', () => {
    if (failedFetches > 0) log.info({ after: failedFetches }, 'fetching tasks works again')
    failedFetches = 0
    fetching?.resolve()
  })
  client.on('poll:error', (error: Error) => {
    fetching?.resolve()
    if (draining.signal.aborted) return
    failedFetches += 1
    log.error({ err: error, failedFetches }, 'fetching tasks failed; retrying')
  })
  client.on('handler:error', (error: Error) => log.error({ err: error }, 'the engine returned an invalid task'))

  for (const [topic, worker] of workers) {
    client.subscribe(topic, { variables: Object.keys(worker.input.properties), withoutTenantId: true }, ({ task }) => {
      // Its lock could not be extended in time: the task comes again while it still runs here.
      const present = inFlight.get(task.id)
      if (present) {
        log.warn({ externalTask: task.id }, 'a task that already runs here was fetched again')
        return present
      }
      const done = handleTask(handling, task, worker).finally(() => inFlight.delete(task.id))
      inFlight.set(task.id, done)
      return done
    })
  }

  /** The client would retry at once when the engine is down; this delays it, longer each time. */
  async function beforeFetch(): Promise<void> {
    fetching = Promise.withResolvers<void>()
    if (failedFetches > 0) {
      const pause = Math.min(100 * 2 ** failedFetches, MAX_PAUSE_MS)
      await wait(pause, undefined, { signal: draining.signal })
    }
    draining.signal.throwIfAborted()
  }

  return {
    start: () => client.start(),
    healthy: () => failedFetches === 0,
    async drain() {
      draining.abort()
      client.stop()
      await fetching?.promise
      await Promise.all(inFlight.values())
    },
  }
}

/** The client that fetches tasks. */
function clientOf({
  workerId,
  parallel,
  lockDuration,
  connection,
  beforeFetch,
}: {
  workerId: string
  parallel: number
  lockDuration: number
  connection: HarnessDependencies['connection']
  beforeFetch: () => Promise<void>
}): Client {
  return new Client({
    baseUrl: connection.baseUrl,
    workerId,
    maxTasks: parallel,
    maxParallelExecutions: parallel,
    interval: 0,
    lockDuration,
    asyncResponseTimeout: 1_000,
    autoPoll: false,
    usePriority: false,
    sorting: [{ sortBy: Client.SortBy.CreateTime, sortOrder: Client.SortOrder.ASC }],
    interceptors: (options) => ({
      ...options,
      headers: { ...options.headers, ...connection.headers },
      retry: { limit: 0 },
      timeout: { request: 15_000 },
      hooks: { beforeRequest: [beforeFetch], afterResponse: [onlyJson] },
    }),
  })
}

/** A response of another type would not be parsed, and each of its bytes would run as a task. */
function onlyJson<R extends { ok: boolean; headers: Record<string, string | undefined> }>(response: R): R {
  const type = response.headers['content-type']
  if (response.ok && type !== 'application/json')
    throw new Error(`the engine answered in ${type ?? 'no type'}, not JSON`)
  return response
}
