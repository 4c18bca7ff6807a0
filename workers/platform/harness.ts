import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, type LockedTask } from 'camunda-external-task-client-js'
import type { Logger } from 'pino'
import { type Engine, EngineFault, EngineRefusal } from '../../api/platform/kernel/engine/port.ts'
import { type Outcome, type RunOnce, type RunRecord, WrongInput } from './run-once.ts'
import type { AnyWorker } from './worker.ts'

export interface HarnessDependencies {
  workers: ReadonlyMap<string, AnyWorker>
  runOnce: RunOnce
  record: RunRecord
  engine: Engine
  /** Where tasks are fetched, and what the engine's gateway wants to see with every request. */
  connection: { baseUrl: string; headers: Record<string, string> }
  log: Logger
  /** Names the process in the engine; the harness adds what makes it unique. */
  name: string
  /** At most so many tasks at a time. */
  parallel?: number
  /** Milliseconds after which a silent worker loses its task to another; extended while it runs. */
  lockDuration?: number
  /** Milliseconds before each repetition of a task that failed; after the last one there is an incident. */
  retryDelays?: readonly number[]
}

export interface Harness {
  start(): void
  /** Takes nothing new, finishes and reports what is in flight. */
  drain(): Promise<void>
  /** False while the engine does not answer, or answers what cannot be understood. */
  healthy(): boolean
}

/** How long a task of a withdrawn case is left alone, for the withdrawal to reach the engine. */
const RELEASE_DELAY_MS = 1_000
const LONGEST_PAUSE = 2_000

/**
 * Fetches external tasks from the engine, has each run once (`run-once.ts`) and reports what is stored.
 *
 * Guarantees: at most `parallel` tasks at a time; a lock is extended while its task runs; a fault becomes a failure
 * with retries and growing delays, then an incident; a report that the engine cannot take now is repeated, and after
 * that the task comes again and is only reported; tasks of trial tenants are never fetched.
 *
 * A waiting fetch is woken by its own engine node at once and ends after a second by itself, because a wake-up does
 * not cross nodes. It is never cut off from here: the engine might have locked tasks for it already.
 */
export function harness(dependencies: HarnessDependencies): Harness {
  const { workers, runOnce, record, engine, connection, name } = dependencies
  const { parallel = 8, lockDuration = 10_000, retryDelays = [1_000, 4_000, 16_000, 64_000] } = dependencies
  const workerId = `${name}-${randomUUID()}`
  const log = dependencies.log.child({ workerId })
  const inFlight = new Map<string, Promise<void>>()
  const draining = new AbortController()
  let failedFetches = 0
  let fetching: PromiseWithResolvers<void> | undefined

  const client = new Client({
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
      headers: { ...(options['headers'] as Record<string, string>), ...connection.headers },
      retry: { limit: 0 },
      timeout: { request: 15_000 },
      hooks: { beforeRequest: [beforeFetch], afterResponse: [onlyJson] },
    }),
  })

  // With every slot taken the client only looks at its watch again: without a pause it would do nothing else.
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
    log.error({ err: error, failedFetches }, 'fetching tasks failed')
  })
  client.on('handler:error', (error: Error) =>
    log.error({ err: error }, 'the engine answered with something that is not a task'),
  )

  for (const [topic, worker] of workers) {
    client.subscribe(topic, { variables: Object.keys(worker.input.properties), withoutTenantId: true }, ({ task }) => {
      // A lock that could not be extended in time: the task comes again while it still runs here.
      const present = inFlight.get(task.id)
      if (present) {
        log.warn({ externalTask: task.id }, 'a task that already runs here was fetched again')
        return present
      }
      const done = handle(task, worker).finally(() => inFlight.delete(task.id))
      inFlight.set(task.id, done)
      return done
    })
  }

  /** The client would fetch again at once from an engine that is away; this makes it wait, longer each time. */
  async function beforeFetch(): Promise<void> {
    fetching = Promise.withResolvers<void>()
    if (failedFetches > 0) {
      const pause = Math.min(100 * 2 ** failedFetches, LONGEST_PAUSE)
      await wait(pause, undefined, { signal: draining.signal })
    }
    draining.signal.throwIfAborted()
  }

  async function handle(task: LockedTask, worker: AnyWorker): Promise<void> {
    const taskLog = log.child({ case: task.businessKey, topic: task.topicName, externalTask: task.id })
    if (draining.signal.aborted) {
      await letGo(task, 1, taskLog)
      return taskLog.info('given back: this process is stopping')
    }
    const lock = keepLock(task, taskLog)
    try {
      const { id, topicName: topic, activityId: element, businessKey: caseId, processDefinitionKey: process } = task
      const outcome = await runOnce({
        worker,
        task: { id, topic, element, process, caseId, variables: named(task, worker) },
        lock,
        log: taskLog,
      })
      if (outcome.kind === 'refused') {
        taskLog.info({ reason: outcome.reason }, 'the task was refused: nothing was run')
        await letGo(task, RELEASE_DELAY_MS, taskLog)
      } else {
        await report(task, outcome, taskLog)
        taskLog.info({ outcome: outcome.kind }, 'the task is done')
      }
    } catch (fault) {
      await fail(task, fault, taskLog)
    } finally {
      lock.stop()
    }
  }

  /** Extends the lock of a task until told to stop; knows when the engine has ended the task meanwhile. */
  function keepLock(task: LockedTask, taskLog: Logger) {
    let held = true
    const confirm = async (): Promise<boolean> => {
      try {
        await engine.extendExternalTaskLock({ id: task.id, workerId, duration: lockDuration })
        return true
      } catch (error) {
        if (error instanceof EngineRefusal && error.reason === 'external-task-gone') held = false
        taskLog.warn({ err: error }, held ? 'the lock could not be extended' : 'the engine has ended the task')
        return false
      }
    }
    const timer = setInterval(() => void confirm(), lockDuration / 3)
    return { held: () => held, confirm, stop: () => clearInterval(timer) }
  }

  /** Gives a task back without a word about success or failure: its lock ends soon, its retries stay. */
  async function letGo(task: LockedTask, duration: number, taskLog: Logger): Promise<void> {
    try {
      await engine.extendExternalTaskLock({ id: task.id, workerId, duration })
    } catch (error) {
      // Gone is what a withdrawn case's task should be; with any other answer the lock runs out by itself.
      taskLog.debug({ err: error }, 'the lock could not be shortened')
    }
  }

  /** Tells the engine exactly what is stored. The task's own id is the command id, so it takes effect once. */
  async function report(task: LockedTask, outcome: Outcome, taskLog: Logger): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (outcome.kind === 'completed') {
          await engine.completeExternalTask({ id: task.id, workerId, variables: outcome.output })
        } else {
          const { code, message } = outcome
          await engine.raiseExternalTaskError({ id: task.id, workerId, code, message })
        }
        taskLog.info({ outcome: outcome.kind }, 'reported')
        return await record.reported(task.id)
      } catch (error) {
        if (error instanceof EngineRefusal && error.reason === 'external-task-gone') {
          const orphaned = await record.gone({ id: task.id, element: task.activityId })
          return taskLog[orphaned ? 'error' : 'info']({ orphaned }, 'the engine no longer has the task')
        }
        if (error instanceof EngineRefusal && error.reason === 'wrong-worker') {
          return taskLog.info('another worker has the task now and reports it')
        }
        if (!(error instanceof EngineFault) || attempt === 4) throw error
        taskLog.warn({ err: error, attempt }, 'the engine could not take the report')
        await wait(100 * 2 ** attempt)
      }
    }
  }

  /** Reports a fault: again after a while, or an incident when it has been tried often enough or cannot get better. */
  async function fail(task: LockedTask, fault: unknown, taskLog: Logger): Promise<void> {
    const error = fault instanceof Error ? fault : new Error(String(fault))
    const before = task.retries ?? retryDelays.length + 1
    // While the database is away every worker fails: that says nothing about this one and costs it no retry.
    const outage = !(await record.reachable())
    const retries = outage ? before : error instanceof WrongInput ? 0 : Math.max(before - 1, 0)
    const delay = retryDelays[Math.max(retryDelays.length - retries, 0)] ?? LONGEST_PAUSE
    taskLog.error({ err: error, retries, outage }, retries > 0 ? 'the task failed' : 'the task failed for good')
    try {
      await engine.failExternalTask({
        id: task.id,
        workerId,
        message: error.message.slice(0, 500) || error.name,
        details: error.stack ?? error.message,
        retries,
        retryTimeout: outage ? RELEASE_DELAY_MS : delay,
      })
    } catch (refused) {
      // The task is gone, another's, or the engine is away: then its lock runs out and it comes again.
      taskLog.warn({ err: refused }, 'the failure could not be reported')
    }
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

/** An answer of another type would not be parsed, and each of its bytes be run as a task. */
function onlyJson<R extends { ok: boolean; headers: Record<string, string | undefined> }>(response: R): R {
  const type = response.headers['content-type']
  if (response.ok && type !== 'application/json')
    throw new Error(`the engine answered in ${type ?? 'no type'}, not JSON`)
  return response
}

/** Exactly the variables that the worker's input schema names; a null counts as absent. */
function named(task: LockedTask, worker: AnyWorker): Record<string, unknown> {
  const all = Object.keys(worker.input.properties).map((key) => [key, task.variables.get(key)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null))
}
