import { EventEmitter, once } from 'node:events'
import { type Runner, type TaskList, type WorkerPool, Logger as JobLogger, run } from 'graphile-worker'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../../kernel/db/database.ts'
import { pause } from '../../kernel/pause.ts'
import type { Sender } from './sender.ts'
import { sendDueCommands } from './sweep.ts'
import { reviveStoppedMigrations } from '../rows/migrations.ts'

export interface RelayDependencies {
  database: Database
  sender: Sender
  /** Other kinds of deferred work, such as sending mails. */
  tasks: TaskList
  log: Logger
}

/** First key of the advisory locks that show that a process is alive. */
const signOfLife = 7_001_003
/** Consecutive failures to fetch a job before the queue restarts. */
const mostFailures = 8
/** Interval between checks for jobs of dead processes, in milliseconds. */
const rounds = 5_000

/**
 * Runs deferred work: commands that the request could not deliver, mails, and other queued jobs. Any number of
 * processes may run it at once. A failing job is retried at growing intervals.
 */
export function relay({ database, sender, tasks, log }: RelayDependencies) {
  const { pool } = database
  const stopping = new AbortController()
  let runner: Runner | undefined
  let working: Promise<unknown> = Promise.resolve()

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      const ended = new AbortController()
      try {
        const events = new EventEmitter()
        events.once(
          'pool:create',
          ({ workerPool }: { workerPool: WorkerPool }) =>
            void showLife({ pool, log, poolId: workerPool.id, ended: ended.signal, stopping: stopping.signal }),
        )
        let failures = 0
        const asked = () => void (failures = 0)
        // The queue does not repeat a failed initialisation, so without a restart it would never take a job again.
        const failed = ({ error }: { error: Error }) => {
          failures += 1
          log.warn({ err: error, failures }, 'asking for a job failed')
          if (failures % mostFailures === 0)
            runner?.stop().catch((fault: unknown) => log.warn({ err: fault }, 'the job queue had already stopped'))
        }
        events.on('worker:getJob:error', failed)
        events.on('worker:getJob:empty', asked)
        events.on('job:start', asked)
        runner = await run({
          pgPool: pool,
          concurrency: 4,
          pollInterval: 1_000,
          noHandleSignals: true,
          parsedCronItems: [],
          events,
          logger: new JobLogger(() => (level, message) => log[level === 'warning' ? 'warn' : level](message)),
          taskList: tasks,
        })
        if (stopping.signal.aborted) await runner.stop()
        await runner.promise
      } catch (error) {
        log.error({ err: error }, 'the job queue stopped; restarting')
      }
      ended.abort()
      await pause(1_000, stopping.signal)
    }
  }

  return {
    start(): void {
      const { signal } = stopping
      const sweeping = sendDueCommands({ db: database.db, sender, log, stopping: signal })
      working = Promise.all([keepRunning(), lookAfterJobs(database, log, signal), sweeping])
    },

    /** Takes no new jobs; resolves when the running ones have finished. */
    async stop(): Promise<void> {
      stopping.abort()
      await runner?.stop().catch((error: unknown) => log.warn({ err: error }, 'the job queue had already stopped'))
      await working
      await sender.drained()
    },
  }
}

interface LifeSign {
  pool: Database['pool']
  log: Logger
  poolId: string
  /** The queue's run is over. */
  ended: AbortSignal
  /** The process is stopping. */
  stopping: AbortSignal
}

/** Holds a lock that PostgreSQL releases when this process dies, so that others can tell which jobs are lost. */
async function showLife({ pool, log, poolId, ended, stopping }: LifeSign): Promise<void> {
  while (!ended.aborted) {
    try {
      const client = await pool.connect()
      try {
        await client.query('select pg_advisory_lock($1, hashtext($2))', [signOfLife, poolId])
        await once(client, 'end', { signal: ended })
      } finally {
        client.release(true)
      }
    } catch (error) {
      if (!ended.aborted) log.warn({ err: error }, 'the liveness lock of this process was lost')
      await pause(500, stopping)
    }
  }
}

/** Unlocks the jobs of dead processes, and schedules migrations that lost theirs. */
async function lookAfterJobs(database: Database, log: Logger, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const freed = await freeLostJobs(database)
      const revived = await reviveStoppedMigrations(database.db)
      if (freed + revived > 0) log.warn({ freed, revived }, 'jobs of a dead process were released')
    } catch (error) {
      log.warn({ err: error }, 'maintaining the job queue failed')
    }
    await pause(rounds, stopping)
  }
}

/**
 * A killed process leaves its jobs locked, and the queue would wait four hours before it unlocks them. This unlocks the
 * jobs of every process without its advisory lock. Jobs are idempotent, so running one twice is safe.
 */
async function freeLostJobs({ db }: Database): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select distinct locked_by as id from graphile_worker.jobs j
    where locked_at < now() - interval '3 seconds' and not exists (
      select from pg_locks l where l.locktype = 'advisory' and l.classid = ${signOfLife}::int::oid
        and l.objid = hashtext(j.locked_by)::oid and l.objsubid = 2)`.execute(db)
  const dead = rows.map((row) => row.id)
  if (dead.length > 0) await sql`select graphile_worker.force_unlock_workers(${dead}::text[])`.execute(db)
  return dead.length
}
