import { setTimeout as wait } from 'node:timers/promises'
import type { LockedTask } from 'camunda-external-task-client-js'
import type { Logger } from 'pino'
import { type Engine, EngineFault, EngineRefusal } from '../../api/platform/kernel/engine/port.ts'
import { type Outcome, type RunOnce, WrongInput } from './run.ts'
import type { RunRecord } from './run-record.ts'
import type { AnyWorker } from './worker.ts'

export interface Handling {
  runOnce: RunOnce
  record: RunRecord
  engine: Engine
  log: Logger
  /** Worker id of this process in the engine. */
  workerId: string
  /** Milliseconds after which a silent worker loses its task to another. */
  lockDuration: number
  /** Milliseconds before each retry of a failed task. */
  retryDelays: readonly number[]
  /** Aborted as soon as this process stops. */
  draining: AbortSignal
}

/** Delay before a task of a withdrawn case is offered again, so that the withdrawal can reach the engine. */
const RELEASE_DELAY_MS = 1_000
/** Longest wait before a retry, or before tasks are fetched again, in milliseconds. */
export const MAX_PAUSE_MS = 2_000

/** Runs a task once and reports the result. */
export async function handleTask(context: Handling, task: LockedTask, worker: AnyWorker): Promise<void> {
  const { runOnce, log, draining } = context
  const taskLog = log.child({ case: task.businessKey, topic: task.topicName, externalTask: task.id })
  if (draining.aborted) {
    await returnTask(context, task, 1, taskLog)
    return taskLog.info('given back: this process is stopping')
  }
  const lock = keepLock(context, task, taskLog)
  try {
    const { id, topicName: topic, activityId: element, businessKey: caseId, processDefinitionKey: process } = task
    const outcome = await runOnce({
      worker,
      task: { id, topic, element, process, caseId, variables: named(task, worker) },
      lock,
      log: taskLog,
    })
    if (outcome.kind === 'refused') {
      taskLog.info({ reason: outcome.reason }, 'the task was refused; nothing was run, it will be offered again')
      await returnTask(context, task, RELEASE_DELAY_MS, taskLog)
    } else {
      await report(context, task, outcome, taskLog)
      taskLog.info({ outcome: outcome.kind }, 'the task is done')
    }
  } catch (fault) {
    await fail(context, task, fault, taskLog)
  } finally {
    lock.stop()
  }
}

/** Extends the lock of a task until told to stop; records whether the engine has ended the task meanwhile. */
function keepLock({ engine, workerId, lockDuration }: Handling, task: LockedTask, taskLog: Logger) {
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

/** Returns a task without success or failure: its lock expires soon, and its retries stay. */
async function returnTask(
  { engine, workerId }: Handling,
  task: LockedTask,
  duration: number,
  taskLog: Logger,
): Promise<void> {
  try {
    await engine.extendExternalTaskLock({ id: task.id, workerId, duration })
  } catch (error) {
    // A missing task is expected for a withdrawn case; after any other error, the lock expires by itself.
    taskLog.debug({ err: error }, 'the lock could not be shortened')
  }
}

/** Reports exactly what is stored. The task's own id is the command id, so it takes effect once. */
async function report(
  { engine, workerId, record }: Handling,
  task: LockedTask,
  outcome: Outcome,
  taskLog: Logger,
): Promise<void> {
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

/** Reports a failure: retried later, or an incident if retries are used up or cannot help. */
async function fail(context: Handling, task: LockedTask, fault: unknown, taskLog: Logger): Promise<void> {
  const { engine, workerId, record, retryDelays } = context
  const error = fault instanceof Error ? fault : new Error(String(fault))
  const before = task.retries ?? retryDelays.length + 1
  // While the database is down, every worker fails, so that does not use up a retry.
  const outage = !(await record.reachable())
  const retries = outage ? before : error instanceof WrongInput ? 0 : Math.max(before - 1, 0)
  const delay = retryDelays[Math.max(retryDelays.length - retries, 0)] ?? MAX_PAUSE_MS
  taskLog.error(
    { err: error, retries, outage },
    retries > 0 ? 'the task failed; retrying' : 'the task failed for good; an incident is open',
  )
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
    // The task is gone, locked by another worker, or the engine is down: the lock expires and the task comes again.
    taskLog.warn({ err: refused }, 'reporting a failed task failed; its lock expires and it comes again')
  }
}

/** Exactly the variables of the worker's input schema; null counts as absent. */
function named(task: LockedTask, worker: AnyWorker): Record<string, unknown> {
  const all = Object.keys(worker.input.properties).map((key) => [key, task.variables.get(key)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null))
}
