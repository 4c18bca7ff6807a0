import fastifyCookie from '@fastify/cookie'
import fastifyFormbody from '@fastify/formbody'
import fastifyHelmet from '@fastify/helmet'
import fastifyMultipart from '@fastify/multipart'
import fastifyRateLimit from '@fastify/rate-limit'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { v4 as uuid } from 'uuid'
import type { SignedHeadMemory } from '../audit/signed-head.ts'
import { caseRepository } from '../cases/repository.ts'
import type { Cases } from '../cases/service.ts'
import type { Sender } from '../commands/sender.ts'
import type { DB } from '../db/database.generated.ts'
import { BusinessError } from '../errors.ts'
import type { Engine } from '../engine/port.ts'
import type { ObjectStore } from '../files/store.ts'
import { FILE_LIMIT } from '../files/files.ts'
import type { Definitions } from '../flows/definitions.ts'
import type { Library } from '../flows/library.ts'
import type { Rules } from '../flows/rules.ts'
import { loadReports } from '../reports/report.ts'
import type { Tasks } from '../tasks/service.ts'
import type { SignInElsewhere } from '../identity/foreign-sessions.ts'
import type { TokenKeys } from '../identity/token-keys.ts'
import type { SigningKey, Vault } from '../keys.ts'
import { lastInboxCheck } from '../schedules/inbox-check.ts'
import { trackingService } from '../tracking/tracking.ts'
import type { App } from './app.ts'
import { type Rule, type SecondFactorPolicy, registerAuth } from './auth.ts'
import { registerCompression } from './compression.ts'
import { registerMetrics, type Watched } from './metrics.ts'
import { networkOf } from './network.ts'
import { registerOpenapi } from './openapi.ts'
import { HSTS, refuseUnrouted, registerProblems } from './problems.ts'
import { accountRoutes } from './routes/accounts.ts'
import { auditRoutes } from './routes/audit.ts'
import { bookerRoutes } from './routes/bookers.ts'
import { batchRoutes } from './routes/batches.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { caseRoutes } from './routes/cases.ts'
import { commentRoutes } from './routes/comments.ts'
import { demoRoutes } from './routes/demo.ts'
import { draftRoutes } from './routes/drafts.ts'
import { startDraftRoutes } from './routes/start-drafts.ts'
import { erasureRoutes } from './routes/erasures.ts'
import { eventRoutes } from './routes/events.ts'
import { feedRoutes } from './routes/feeds.ts'
import { fileRoutes } from './routes/files.ts'
import { flowRoutes } from './routes/flows.ts'
import { grantRoutes } from './routes/grants.ts'
import { groupRoutes } from './routes/groups.ts'
import { guestRoutes } from './routes/guests.ts'
import { healthRoutes, type Readiness } from './routes/health.ts'
import { holdRoutes } from './routes/holds.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { mailboxRoutes } from './routes/mailbox.ts'
import { meRoutes } from './routes/me.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { oidcRoutes } from './routes/oidc.ts'
import { operationRoutes } from './routes/operations.ts'
import { peopleRoutes } from './routes/people.ts'
import { postRoutes } from './routes/posts.ts'
import { publicRoutes } from './routes/public.ts'
import { calendarRoutes } from './routes/calendar.ts'
import { registerRoutes } from './routes/registers.ts'
import { reportRoutes } from './routes/reports.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { scenarioRoutes } from './routes/scenarios.ts'
import { studioCaseRoutes } from './routes/studio-cases.ts'
import { studioRoutes } from './routes/studio.ts'
import { substitutionRoutes } from './routes/substitutions.ts'
import type { Hub } from './events.ts'
import { areaRoutes } from './area-routes.ts'
import { Problem, impliedRefusals } from './schemas.ts'
import { taskActRoutes } from './routes/task-acts.ts'
import { taskLinkRoutes } from './routes/task-links.ts'
import { taskRoutes } from './routes/tasks.ts'
import { teamRoutes } from './routes/team.ts'
import { trackingRoutes } from './routes/tracking.ts'
import { whyRoutes } from './routes/why.ts'
import type { Visible } from './visible.ts'
import { useOurValidation } from './validation.ts'
import { registerWeb } from './web.ts'

/** Everything the HTTP side needs from outside; the composition root makes it, tests make it smaller. */
export interface Dependencies {
  db: Kysely<DB>
  pool: pg.Pool
  /** Where hints come from; its owner starts and stops it. */
  hub: Hub
  library: Library
  /** What flows check beyond their forms, by `<area>/<flow>`. */
  rules: ReadonlyMap<string, Rules>
  definitions: Definitions
  cases: Cases
  tasks: Tasks
  sender: Pick<Sender, 'deliver'>
  engine: Pick<
    Engine,
    | 'decisions'
    | 'decisionXml'
    | 'variables'
    | 'deploy'
    | 'migrationPlan'
    | 'validateMigration'
    | 'deployTrial'
    | 'forgetTrial'
    | 'retry'
  >
  store: ObjectStore
  /** Sign access tokens. */
  tokens: TokenKeys
  /** Signs the chain of the audit, and what is taken out of it. */
  auditKey: SigningKey
  /** What the sealer remembers to have signed. */
  auditMemory: SignedHeadMemory
  /** Seals what is stored, and derives keys from the secret of the settings. */
  vault: Vault
  identity?: SignInElsewhere | undefined
  /** Who has to have a second factor. */
  secondFactor: SecondFactorPolicy
  /** Addresses of the proxies whose word is taken for where a request came from. */
  trustProxy: string | false
  /** Where browsers reach us; also the issuer of tokens. */
  publicUrl: string
  demo: boolean
  /** How many tasks a file of the inbox holds, where that is not the usual number. */
  exported?: number
  readiness: Readiness
  watched: Omit<Watched, 'streams' | 'inboxCheck' | 'incidents'>
  visible: Visible
  /** Folder of the built web app. */
  web: string
  log: FastifyBaseLogger
}

/** One route and who may use it: what the role matrix walks. */
export interface Door {
  method: string
  url: string
  operationId: string
  rule: Rule
}

declare module 'fastify' {
  interface FastifyInstance {
    doors: Door[]
  }
}

/** Largest JSON body; files have their own limit. */
const BODY_LIMIT = 512 * 1024
/** How long a request may take to come in, in milliseconds; a large file over a slow line needs minutes. */
const PATIENCE = 300_000

/** How long a stop waits for requests under way, in milliseconds. */
const GRACE = 4000

/** Requests per minute, of a signed-in person or else of an address. */
const PER_MINUTE = { person: 3000, address: 1200 }

/** Builds the HTTP side; `listen` and `close` are its owner's matter. */
export async function buildApp(deps: Dependencies): Promise<App> {
  const app: App = Fastify({
    loggerInstance: deps.log,
    bodyLimit: BODY_LIMIT,
    // An id that came along is kept, so that one id follows a request through every part.
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : uuid()
    },
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    trustProxy: deps.trustProxy,
    forceCloseConnections: 'idle',
    requestTimeout: PATIENCE,
    frameworkErrors: refuseUnrouted(deps.library),
    routerOptions: { maxParamLength: 200 },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.addSchema(Problem)
  useOurValidation(app)
  registerProblems(app, deps.library)
  registerDoors(app)
  registerDrain(app)
  registerLogging(app)
  registerCompression(app)

  await app.register(fastifyHelmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        // What is not named here (frames, plug-ins, media) a page of ours does not have.
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Proofs of work are computed in a worker, which is a file of ours too.
        workerSrc: ["'self'"],
        connectSrc: ["'self'"],
        // Ant Design writes its styles at run time; scripts come from files alone.
        styleSrc: ["'self'", "'unsafe-inline'"],
        manifestSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // On every answer, whatever we are called: browsers heed it on encrypted answers alone.
    strictTransportSecurity: HSTS,
  })
  await app.register(fastifyCookie)
  await app.register(fastifyFormbody)
  await app.register(fastifyMultipart, {
    limits: { files: 1, fileSize: FILE_LIMIT, fields: 4, fieldSize: 1000, parts: 5 },
    throwFileSizeLimit: false,
  })
  const { db, pool, tokens: keys, publicUrl: issuer, secondFactor } = deps
  const foreign = deps.identity && { issuer: deps.identity.server.issuer, ...deps.identity.sessions }
  const { tracker: trackerOf } = trackingService(deps)
  await registerAuth(app, { db, pool, keys, issuer, secondFactor, foreign, trackerOf })
  await app.register(fastifyRateLimit, {
    timeWindow: '1 minute',
    max: (request) => (request.person ? PER_MINUTE.person : PER_MINUTE.address),
    keyGenerator: (request) => request.person?.id ?? networkOf(request.ip),
    // A first visit loads fifty of them, and a whole campus may come from one address.
    allowList: ({ url }) => url.startsWith('/assets/'),
    errorResponseBuilder: () => new BusinessError('platform.too-many-requests'),
  })

  const watch = {
    ...deps.watched,
    streams: deps.hub.size,
    inboxCheck: () => lastInboxCheck(db),
    incidents: () => caseRepository(db).countIncidents(),
  }
  const registry = registerMetrics(app, { pool: deps.pool, watch })
  await registerOpenapi(app, deps.publicUrl)

  // First, because it closes routes that come after it.
  oidcRoutes(app, deps)
  sessionRoutes(app, deps)
  accountRoutes(app, deps)
  notificationRoutes(app, deps)
  meRoutes(app, deps)
  flowRoutes(app, deps)
  holdRoutes(app, deps)
  caseRoutes(app, deps)
  taskRoutes(app, deps)
  inboxRoutes(app, deps)
  draftRoutes(app, deps)
  startDraftRoutes(app, deps)
  bulkRoutes(app, deps)
  batchRoutes(app, deps)
  taskActRoutes(app, deps)
  taskLinkRoutes(app, deps)
  commentRoutes(app, deps)
  teamRoutes(app, deps)
  substitutionRoutes(app, deps)
  whyRoutes(app, deps)
  auditRoutes(app, deps)
  erasureRoutes(app, deps)
  registerRoutes(app, deps)
  studioRoutes(app, deps)
  studioCaseRoutes(app, deps)
  scenarioRoutes(app, deps)
  reportRoutes(app, deps, await loadReports(deps.library.reports.keys()))
  calendarRoutes(app, deps)
  operationRoutes(app, deps)
  peopleRoutes(app, deps)
  grantRoutes(app, deps)
  groupRoutes(app, deps)
  postRoutes(app, deps)
  publicRoutes(app, deps)
  guestRoutes(app, deps)
  trackingRoutes(app, deps)
  bookerRoutes(app, deps)
  feedRoutes(app, deps)
  fileRoutes(app, deps)
  eventRoutes(app, deps)
  for (const routes of await areaRoutes()) routes(app, deps)
  if (deps.demo) {
    demoRoutes(app)
    mailboxRoutes(app, deps)
  }
  healthRoutes(app, deps, registry)
  await registerWeb(app, deps.web)
  return app
}

/** The path of a request without what lets somebody in. */
function loggedPath(route: string | undefined, url: string): string {
  if (route && /:(secret|token)\b/.test(route)) return route
  return url.split('?')[0]!.replace(/^\/decide\/.+/, '/decide/…')
}

/**
 * No route without a rule and a name; the list of them is what the role matrix is tested against. What follows from a rule
 * is declared with it.
 */
function registerDoors(app: App): void {
  const doors: Door[] = []
  app.decorate('doors', doors)
  app.addHook('onRoute', (route) => {
    const { method, url, config, schema, prefix } = route
    if (prefix === '/api/docs' || url === '/*') return
    for (const one of [method].flat().filter((verb) => verb !== 'HEAD')) {
      const operationId = (schema as { operationId?: string } | undefined)?.operationId
      if (!config?.rule || !operationId) throw new Error(`${one} ${url} has no rule or no operationId`)
      doors.push({ method: one, url, operationId, rule: config.rule })
    }
    const implied = impliedRefusals({ method, url, rule: config!.rule!, headers: schema!.headers as object })
    route.schema = { ...schema, response: { ...implied, ...(schema!.response as object) } }
  })
}

/** Requests that are under way when the API stops have some seconds; connections that browsers keep open get no more. */
function registerDrain(app: App): void {
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), GRACE).unref()
  })
}

/**
 * One line per answer, with the id that the answer carries too. Addresses go without their query, for people search for
 * people, and those of calendars and mailed links without their secret.
 */
function registerLogging(app: App): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    // What an answer may be kept for it says itself; the rest is for one reader, once.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const { url, schema } = request.routeOptions
    const level = url?.startsWith('/api/health') ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        path: loggedPath(url, request.url),
        operation: schema?.operationId,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}
