import fastifyCookie from '@fastify/cookie'
import fastifyFormbody from '@fastify/formbody'
import fastifyHelmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastifyMultipart from '@fastify/multipart'
import fastifyRateLimit from '@fastify/rate-limit'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { isObject } from '../../kernel/objects.ts'
import type { SignedHeadMemory } from '../../features/audit/signed-head.ts'
import { incidentRepository } from '../../work/rows/incidents.ts'
import type { Cases } from '../../work/cases/service.ts'
import type { Sender } from '../../work/commands/sender.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import type { ObjectStore } from '../../records/files/store.ts'
import { MAX_FILE_BYTES } from '../../records/files/files.ts'
import type { Definitions } from '../../model/deployed/definitions.ts'
import type { Library } from '../../model/library/library.ts'
import type { Rules } from '../../model/deployed/rules.ts'
import { loadReports } from '../../model/definitions/report.ts'
import type { Tasks } from '../../work/tasks/service.ts'
import type { SignInElsewhere } from '../../features/accounts/external-sessions.ts'
import type { TokenKeys } from '../../people/identity/token-keys.ts'
import type { FieldKeys } from '../../kernel/field-keys.ts'
import type { SigningKey, Vault } from '../../kernel/keys.ts'
import { lastInboxCheck } from '../../work/inbox/check-schedule.ts'
import { trackerByToken } from '../../features/tracking/tracking.ts'
import type { App } from '../../http/app.ts'
import { type Rule, type SecondFactorPolicy, registerAuth } from '../../http/auth.ts'
import { registerCompression } from './compression.ts'
import { registerMetrics, type Watched } from './metrics.ts'
import { networkOf } from '../../http/network.ts'
import { registerOpenapi } from './openapi.ts'
import { HSTS, refuseUnrouted, registerProblems } from '../../http/problems.ts'
import { accountRoutes } from '../../features/accounts/routes.ts'
import { auditRoutes } from '../../features/audit/routes.ts'
import { bookerRoutes } from '../../features/accounts/booker-routes.ts'
import { answerRoutes } from '../../features/answers/routes.ts'
import { entryBatchRoutes } from '../../features/batches/entry-routes.ts'
import { batchRoutes } from '../../features/batches/routes.ts'
import { bulkRoutes } from '../../features/bulk/routes.ts'
import { caseRoutes } from '../../work/cases/routes.ts'
import { commentRoutes } from '../../work/comments/routes.ts'
import { demoRoutes } from '../demo/routes.ts'
import { draftRoutes } from '../../work/tasks/draft-routes.ts'
import { startDraftRoutes } from '../../work/cases/start-draft-routes.ts'
import { erasureRoutes } from '../../features/audit/erasure-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { feedRoutes } from '../../features/calendar/feed-routes.ts'
import { fileRoutes } from '../../features/files/routes.ts'
import { flowRoutes } from '../../features/flows/routes.ts'
import { grantRoutes } from '../../features/access/grant-routes.ts'
import { groupRoutes } from '../../features/access/group-routes.ts'
import { applicationRoutes } from '../../features/tracking/application-routes.ts'
import { guestRoutes } from '../../features/tracking/guest-routes.ts'
import { healthRoutes, type Readiness } from './health.ts'
import { holdRoutes } from '../../work/cases/hold-routes.ts'
import { inboxRoutes } from '../../work/inbox/routes.ts'
import { mailboxRoutes } from '../../features/mailbox/routes.ts'
import { meRoutes } from '../../features/accounts/me-routes.ts'
import { notificationRoutes } from '../../features/notifications/routes.ts'
import { oidcRoutes } from '../../features/accounts/oidc-routes.ts'
import { operationRoutes } from '../../features/operations/routes.ts'
import { peopleRoutes } from '../../features/access/people-routes.ts'
import { postRoutes } from '../../features/access/post-routes.ts'
import { publicRoutes } from '../../features/registers/public-routes.ts'
import { calendarRoutes } from '../../features/calendar/routes.ts'
import { registerRoutes } from '../../features/registers/routes.ts'
import { reportRoutes } from '../../features/reports/routes.ts'
import { ownRecordRoutes } from '../../features/own-records/routes.ts'
import { runRoutes } from '../../features/runs/routes.ts'
import { sessionRoutes } from '../../features/accounts/session-routes.ts'
import { scenarioRoutes } from '../../features/studio/scenario-routes.ts'
import { studioCaseRoutes } from '../../features/studio/case-routes.ts'
import { studioRoutes } from '../../features/studio/routes.ts'
import { substitutionRoutes } from '../../features/substitutes/routes.ts'
import type { Hub } from '../../http/events.ts'
import type { AfterChange, AfterChanges } from '../../work/registers/context.ts'
import { areaRoutes } from './area-routes.ts'
import { requestIdOf } from '../../http/request-id.ts'
import { Problem, impliedRefusals } from '../../http/schemas.ts'
import { taskActRoutes } from '../../work/tasks/act-routes.ts'
import { taskLinkRoutes } from '../../features/task-mail/routes.ts'
import { taskRoutes } from '../../work/tasks/routes.ts'
import { teamRoutes } from '../../features/team/routes.ts'
import { trackingRoutes } from '../../features/tracking/routes.ts'
import { whyRoutes } from '../../work/tasks/why-routes.ts'
import type { Visible } from '../../http/visible.ts'
import { useOurValidation } from './validation.ts'
import { registerWeb } from './web.ts'
import { registerLogging } from './logging.ts'

/** Dependencies of the HTTP server; the composition root provides them, and tests provide fewer. */
export interface Dependencies {
  db: Kysely<DB>
  pool: pg.Pool
  /** Source of browser notifications; its owner starts and stops it. */
  hub: Hub
  library: Library
  /** The checks of flows beyond their forms, by `<area>/<flow>`. */
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
  /** Signing keys of access tokens. */
  tokens: TokenKeys
  /** Signs checkpoints and exports of the audit trail. */
  auditKey: SigningKey
  /** The sealer's memory of what it signed. */
  auditMemory: SignedHeadMemory
  /** Encrypts stored secrets, and derives keys from TOKEN_SECRET. */
  vault: Vault
  /** Keys of encrypted fields. */
  fieldKeys: FieldKeys
  identity?: SignInElsewhere | undefined
  /** Who needs a second factor. */
  secondFactor: SecondFactorPolicy
  /** Addresses of trusted proxies. */
  trustProxy: string | false
  /** Public address for browsers; also the issuer of tokens. */
  publicUrl: string
  demo: boolean
  /** Maximum tasks in an inbox file, if not the default. */
  exported?: number
  readiness: Readiness
  watched: Omit<Watched, 'streams' | 'inboxCheck' | 'incidents'>
  visible: Visible
  /** Folder of the built web app. */
  web: string
  log: FastifyBaseLogger
}

/** One route with its rule, as the role matrix lists it. */
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

/** Maximum JSON body; files have their own limit. */
const MAX_BODY_BYTES = 512 * 1024
/** Time limit for receiving a request, in milliseconds; a large file over a slow line needs minutes. */
const REQUEST_TIMEOUT_MS = 300_000

/** How long a stop waits for running requests, in milliseconds. */
const SHUTDOWN_GRACE_MS = 4000

/** Requests per minute, by signed-in person or else by network address. */
const REQUESTS_PER_MINUTE = { person: 3000, address: 1200 }

/** Security headers of our pages. */
const HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      // Our pages need nothing else: no frames, plug-ins or media.
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      // Proofs of work run in a worker, which is one of our files.
      workerSrc: ["'self'"],
      connectSrc: ["'self'"],
      // Ant Design writes its styles at run time; scripts come only from files.
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
  // On every response; browsers ignore it without TLS.
  strictTransportSecurity: HSTS,
}

/** What our pages may use of a device: the camera, to read codes and take photos. */
const DEVICE = 'camera=(self), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), bluetooth=()'

/** Builds the HTTP server; the caller starts and closes it. */
export async function buildApp(deps: Dependencies): Promise<App> {
  const app: App = Fastify({
    loggerInstance: deps.log,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    trustProxy: deps.trustProxy,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT_MS,
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

  await registerHeaders(app)
  await app.register(fastifyCookie)
  await app.register(fastifyFormbody)
  await app.register(fastifyMultipart, {
    limits: { files: 1, fileSize: MAX_FILE_BYTES, fields: 4, fieldSize: 1000, parts: 5 },
    throwFileSizeLimit: false,
  })
  const { db, pool, tokens: keys, publicUrl: issuer, secondFactor } = deps
  const external = deps.identity && { issuer: deps.identity.server.issuer, ...deps.identity.sessions }
  const trackerOf = (token: string) => trackerByToken(deps, token)
  await registerAuth(app, { db, pool, keys, issuer, secondFactor, external, trackerOf })
  await app.register(fastifyRateLimit, {
    timeWindow: '1 minute',
    max: (request) => (request.person ? REQUESTS_PER_MINUTE.person : REQUESTS_PER_MINUTE.address),
    keyGenerator: (request) => request.person?.id ?? networkOf(request.ip),
    // A first visit loads fifty of them, and a whole campus may share one address.
    allowList: ({ url }) => url.startsWith('/assets/'),
    errorResponseBuilder: () => new BusinessError('platform.too-many-requests'),
  })

  const watch = {
    ...deps.watched,
    streams: deps.hub.size,
    inboxCheck: () => lastInboxCheck(db),
    incidents: () => incidentRepository(db).countIncidents(),
  }
  const registry = registerMetrics(app, { pool: deps.pool, watch })
  await registerOpenapi(app, deps.publicUrl)

  const more = { ...deps, afterChange: new Map<string, AfterChange>() }
  await platformRoutes(app, more)
  for (const routes of await areaRoutes()) routes(app, more)
  if (deps.demo) {
    demoRoutes(app)
    mailboxRoutes(app, deps)
  }
  healthRoutes(app, deps, registry)
  await registerWeb(app, deps)
  return app
}

/** The security headers of every response. */
async function registerHeaders(app: App): Promise<void> {
  await app.register(fastifyHelmet, HEADERS)
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', DEVICE)
  })
}

/** The routes of every platform feature. */
async function platformRoutes(app: App, deps: Dependencies & AfterChanges): Promise<void> {
  // First, because it closes routes that are registered later.
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
  entryBatchRoutes(app, deps)
  ownRecordRoutes(app, deps)
  runRoutes(app, deps)
  taskActRoutes(app, deps)
  taskLinkRoutes(app, deps)
  answerRoutes(app, deps)
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
  applicationRoutes(app, deps)
  trackingRoutes(app, deps)
  bookerRoutes(app, deps)
  feedRoutes(app, deps)
  fileRoutes(app, deps)
  eventRoutes(app, deps)
}

/**
 * Every route needs a rule and a name; the role matrix is tested against the list. Refusals that follow from a rule are
 * declared with it.
 */
function registerDoors(app: App): void {
  const doors: Door[] = []
  app.decorate('doors', doors)
  app.addHook('onRoute', (route) => {
    const { method, url, config, schema, prefix } = route
    if (prefix === '/api/docs' || url === '/*') return
    const rule = config?.rule
    const { operationId, headers, response } = schema ?? {}
    if (!rule || !operationId) throw new Error(`${[method].flat().join(', ')} ${url} has no rule or no operationId`)
    for (const one of [method].flat().filter((verb) => verb !== 'HEAD'))
      doors.push({ method: one, url, operationId, rule })
    const implied = impliedRefusals({ method, url, rule, headers: isObject(headers) ? headers : undefined })
    route.schema = { ...schema, response: { ...implied, ...(isObject(response) ? response : {}) } }
  })
}

/** On shutdown, running requests get some seconds; idle browser connections are closed. */
function registerDrain(app: App): void {
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref()
  })
}
