import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** Metrics for Prometheus. One registry per app, so that a process can have several. */
export function registerMetrics(app: FastifyInstance, { pool, watch }: { pool: pg.Pool; watch: Watched }): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'prakriya_api_' })
  const registers = [registry]
  const duration = new Histogram({
    name: 'prakriya_http_request_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  const faults = new Counter({ name: 'prakriya_http_faults_total', help: 'Answers of 500', registers })
  gauge('prakriya_database_connections', 'Connections of the pool in use', () => pool.totalCount - pool.idleCount)
  gauge('prakriya_database_waiting', 'Requests that wait for a connection', () => pool.waitingCount)
  gauge('prakriya_event_streams', 'Open server-sent event streams', watch.streams)
  gauge('prakriya_feed_lag_seconds', 'Age of the oldest engine event not yet applied', watch.feedLagSeconds)
  gauge('prakriya_feed_parked', 'Engine events that could not be applied', watch.parked)
  gauge('prakriya_incidents', 'What waits for an operator: cases and schedules that are stuck', watch.incidents)
  for (const [name, help, figure] of inboxFigures)
    gauge(name, help, async () => {
      const last = await watch.inboxCheck()
      return last ? figure(last) : Number.NaN
    })

  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.schema?.operationId ?? 'other'
    duration.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    if (reply.statusCode === 500) faults.inc()
  })
  return registry

  function gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const made: Gauge = new Gauge({ name, help, registers, collect: async () => made.set(await read()) })
  }
}

/** Results of the last inbox check; NaN before the first. */
const inboxFigures: [name: string, help: string, figure: (last: CheckedInbox) => number][] = [
  [
    'prakriya_inbox_checked',
    'Cases that the last check of the inbox compared with the engine',
    ({ checked }) => checked,
  ],
  ['prakriya_inbox_drifted', 'Cases and tasks that it found to differ and rewrote', ({ drifted }) => drifted],
  ['prakriya_inbox_checked_at_seconds', 'When it ended, in seconds since 1970', ({ at }) => at.getTime() / 1000],
]

interface CheckedInbox {
  checked: number
  drifted: number
  at: Date
}

/** Values that are read when metrics are requested. */
export interface Watched {
  streams(): number
  feedLagSeconds(): number | Promise<number>
  parked(): number | Promise<number>
  incidents(): Promise<number>
  /** Undefined before the first. */
  inboxCheck(): Promise<CheckedInbox | undefined>
}
