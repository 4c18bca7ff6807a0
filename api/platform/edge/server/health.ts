import { Type } from 'typebox'
import type { Registry } from 'prom-client'
import { BusinessError } from '../../kernel/errors.ts'
import type { App } from '../../http/app.ts'
import { refusals } from '../../http/schemas.ts'
import { component } from '../../kernel/components.ts'

/** The parts of readiness. */
export interface Readiness {
  database(): Promise<boolean>
  engine(): Promise<boolean>
  feed(): Promise<{ lagMilliseconds: number; parked: number }>
}

/** Milliseconds for which a result is reused, so that frequent checks do not burden the parts. */
const RESULT_REUSED_MS = 500
/** Maximum lag of the feed, in milliseconds, at which the API still counts as ready. */
const MAX_FEED_LAG_MS = 30_000

const State = component(
  'Readiness',
  Type.Object({
    ready: Type.Boolean(),
    database: Type.Boolean(),
    engine: Type.Boolean(),
    feed: Type.Object({ lagMilliseconds: Type.Integer(), parked: Type.Integer() }),
  }),
)

/** Liveness, readiness and metrics. */
export function healthRoutes(app: App, { readiness }: { readiness: Readiness }, registry: Registry): void {
  let asked: { at: number; answer: ReturnType<typeof ask> } | undefined

  async function ask() {
    const [database, engine] = await Promise.all([readiness.database(), readiness.engine()])
    const feed = database ? await readiness.feed() : { lagMilliseconds: 0, parked: 0 }
    return { ready: database && engine && feed.lagMilliseconds < MAX_FEED_LAG_MS, database, engine, feed }
  }

  app.get(
    '/api/health/live',
    {
      config: { rule: 'public', rateLimit: false },
      schema: {
        operationId: 'getLiveness',
        tags: ['health'],
        summary: 'Report that the process is running',
        response: { 200: Type.Object({ live: Type.Literal(true) }) },
      },
    },
    async () => ({ live: true as const }),
  )

  app.get(
    '/api/health/ready',
    {
      config: { rule: 'public', rateLimit: false },
      schema: {
        operationId: 'getReadiness',
        tags: ['health'],
        summary: 'Report whether the database, engine and event feed are ready',
        response: { 200: State, 503: State },
      },
    },
    async (_request, reply) => {
      if (!asked || performance.now() - asked.at > RESULT_REUSED_MS) asked = { at: performance.now(), answer: ask() }
      const state = await asked.answer
      return reply.code(state.ready ? 200 : 503).send(state)
    },
  )

  // Concurrent callers share one result, because metrics need database queries.
  let reading: Promise<string> | undefined
  app.get(
    '/metrics',
    {
      config: { rule: 'public', rateLimit: false },
      schema: {
        operationId: 'getMetrics',
        tags: ['health'],
        summary: 'Get metrics for Prometheus (from this machine, or for ADMIN and SA)',
        response: { 200: { content: { 'text/plain': { schema: Type.String() } } }, ...refusals(404) },
      },
    },
    async (request, reply) => {
      const direct =
        ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.ip) && !request.headers['x-forwarded-for']
      if (!direct && !request.person?.seesAll) throw new BusinessError('platform.not-found')
      reading ??= registry.metrics().finally(() => (reading = undefined))
      return reply.type(registry.contentType).send(await reading)
    },
  )
}
