import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { firstAdministrator } from './platform/features/access/first-administrator.ts'
import { accessTasks } from './platform/features/access/access-tasks.ts'
import { sealer } from './platform/features/audit/sealer.ts'
import { signedHeadFile } from './platform/features/audit/signed-head.ts'
import { batchTasks } from './platform/features/batches/work.ts'
import { bulkTasks } from './platform/features/bulk/work.ts'
import { begunTasks } from './platform/work/cases/begun.ts'
import { casesService } from './platform/work/cases/service.ts'
import { relay } from './platform/work/commands/relay.ts'
import { commandSender } from './platform/work/commands/sender.ts'
import { collectWhenIdle } from './platform/kernel/idle.ts'
import { connect } from './platform/kernel/db/database.ts'
import { seed } from './platform/edge/demo/seed.ts'
import { playStories } from './platform/edge/demo/stories.ts'
import { operaton } from './platform/kernel/engine/operaton/operaton.ts'
import { EngineFault } from './platform/kernel/engine/port.ts'
import { untilReady } from './platform/kernel/engine/until-ready.ts'
import { eventFeed } from './platform/work/feed/feed.ts'
import { heldRoles } from './platform/people/access/principals.ts'
import { clamd } from './platform/records/files/clamd.ts'
import { files } from './platform/records/files/files.ts'
import { folderStore } from './platform/records/files/store.ts'
import { admitKeys } from './platform/records/registers/keys-in-use.ts'
import { definitionStore } from './platform/model/deployed/definitions.ts'
import { deployRepositoryModels, deploySchedules } from './platform/model/deployed/deployment.ts'
import { loadLibrary } from './platform/model/library/library.ts'
import { loadRules } from './platform/model/deployed/rules.ts'
import { buildApp } from './platform/edge/server/server.ts'
import { eventHub } from './platform/http/events.ts'
import { passwordLinkTasks } from './platform/people/identity/password-links.ts'
import { endOtherSessions, externalSessions } from './platform/features/accounts/external-sessions.ts'
import { identityServer } from './platform/people/identity/oidc.ts'
import { tokenKeys } from './platform/people/identity/token-keys.ts'
import { fieldKeys } from './platform/kernel/field-keys.ts'
import { signingKey, vault } from './platform/kernel/keys.ts'
import { logOf } from './platform/kernel/log.ts'
import { migrationTasks } from './platform/features/studio/migration-work.ts'
import { mailTasks } from './platform/records/mail/sending.ts'
import { modelChecks } from './platform/model/bpmn/checking/checking.ts'
import { forgetStrayTrials, scenarioTasks, watchStrayTrials } from './platform/features/studio/scenarios/work.ts'
import { readSettings } from './platform/kernel/settings.ts'
import { tasksService } from './platform/work/tasks/service.ts'
import { newTaskTasks } from './platform/features/task-mail/new-tasks.ts'
import { studentMailTasks } from './platform/features/runs/student-mails.ts'
import { trackingTasks } from './platform/features/tracking/resending.ts'

// The API process: serves HTTP, and runs feed, relay and sealer. Any number of them may run.
const root = join(import.meta.dirname, '..')
const settings = readSettings(process.env)
const { publicUrl } = settings
const log = logOf('api', settings)
const stopping = new AbortController()

const library = loadLibrary(root)
const database = connect(settings.databaseUrl, {
  name: 'prakriya-api',
  max: 24,
  onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
})
const { db, pool } = database
const engine = operaton({ url: settings.engineUrl, secret: settings.engineSecret })
const definitions = definitionStore(db)
const secrets = vault(settings.tokenSecret)
const keysOfFields = fieldKeys(settings.fieldKeys)
const server = settings.oidc && identityServer(settings.oidc, { publicUrl, log })
const store = folderStore(join(settings.dataDir, 'files'), settings.clamdUrl ? clamd(settings.clamdUrl) : undefined)

const sender = commandSender({ db, engine, library, publicUrl, log, answered: () => feed.wake() })
const rules = await loadRules(root, library.flows.keys())
const cases = casesService({ db, library, definitions, sender, engine, rules, publicUrl })
const tasks = tasksService({ db, library, definitions, sender, cases })

const feed = eventFeed({ database, engine, definitions, roles: library.roles, library, publicUrl, log })
const deferred = relay({
  database,
  sender,
  tasks: {
    ...mailTasks({ db, smtpUrl: settings.smtpUrl, from: settings.mailFrom, log }),
    ...passwordLinkTasks({ db, library, publicUrl, identity: server && { server } }),
    ...accessTasks({ db, library, definitions, publicUrl }),
    ...trackingTasks({ db, library, publicUrl, vault: secrets }),
    ...begunTasks({ db, library, definitions }),
    ...bulkTasks({ db, library, definitions, cases, tasks, publicUrl, log }),
    ...batchTasks({ db, cases, log }),
    ...migrationTasks({ db, definitions, log }),
    ...scenarioTasks({ db, engine, library, log }),
    ...studentMailTasks({ db, library, definitions, publicUrl }),
    ...newTaskTasks({ db, library, definitions, cases, publicUrl }),
  },
  log,
})
const auditKey = signingKey(settings.auditKey)
const auditMemory = signedHeadFile(join(settings.dataDir, 'audit-head.json'))
const chain = sealer({
  db,
  key: auditKey,
  memory: auditMemory,
  onError: (error) => log.error({ err: error }, 'audit sealing failed; retrying'),
})
const hub = eventHub({ url: settings.databaseUrl, log })

// Checks of the shipped models get more time, because the machine is busy while everything starts.
const checks = modelChecks({ limit: 10 * 60_000, idle: 30_000 })

let deployed = false
const app = await buildApp({
  db,
  pool,
  hub,
  library,
  rules,
  definitions,
  cases,
  tasks,
  sender,
  engine,
  store,
  tokens: tokenKeys({ db, vault: secrets }),
  vault: secrets,
  fieldKeys: keysOfFields,
  auditKey,
  auditMemory,
  identity: server && {
    server,
    sessions: externalSessions({ db, library, offers: { definitions, roles: library.roles }, server, vault: secrets }),
  },
  secondFactor: settings.secondFactor,
  trustProxy: settings.trustProxy,
  publicUrl,
  demo: settings.demo,
  readiness: {
    database: () => answers(pool.query('select 1').then(() => true)),
    engine: () => answers(engine.ready().then((ready) => ready && deployed)),
    feed: feed.lag,
  },
  watched: {
    feedLagSeconds: async () => (await feed.lag()).lagMilliseconds / 1000,
    parked: async () => (await feed.lag()).parked,
  },
  visible: async (person, ids) => ({
    cases: await cases.visible(person, ids.cases),
    tasks: await tasks.visible(person, ids.tasks),
  }),
  web: join(root, 'web/dist'),
  log,
})

/** Whether a part responds with true within three seconds; an error counts as false. */
async function answers(asking: Promise<boolean>): Promise<boolean> {
  const late = new AbortController()
  const asked = asking.catch((error: unknown) => {
    log.warn({ err: error }, 'readiness check failed')
    return false
  })
  return Promise.race([asked, wait(3000, false, { signal: late.signal })]).finally(() => late.abort())
}

/** Waits for the engine; until it is up, everything else is served. */
async function deploy(): Promise<void> {
  await untilReady(engine, stopping.signal)
  while (!stopping.signal.aborted) {
    try {
      const models = { db, engine, library, log, gate: checks.gate }
      await deployRepositoryModels(models)
      await deploySchedules(models)
      deployed = true
      await forgetStrayTrials({ db, engine, log })
      await tellUnseenDesks()
      return
    } catch (error) {
      if (!(error instanceof EngineFault)) throw error
      log.warn({ err: error }, 'deploying models failed; retrying')
      await wait(1000)
    }
  }
}

/** Logs desks of the repository's models whose roles nobody holds; owners cannot deploy such a desk. */
async function tellUnseenDesks(): Promise<void> {
  const held = await heldRoles(db)
  const vacant = [...library.roles].filter((role) => !held.has(role))
  for (const flow of library.flows.values()) {
    // The check of a model takes long, and most name only roles that somebody holds.
    if (!vacant.some((role) => flow.bpmn.content.includes(role))) continue
    const desks = (await checks.problemsOf(flow, library, held)).map(({ element, reason }) => `${element}: ${reason}`)
    if (desks.length > 0) log.warn({ flow: flow.key, desks }, 'no account can see the tasks of some desks')
  }
}

async function stop(signal: string): Promise<void> {
  log.info({ signal }, 'shutting down; finishing running work')
  stopping.abort()
  await app.close()
  await Promise.all([feed.stop(), deferred.stop(), chain.stop(), hub.stop()])
  await database.close()
  log.info('stopped')
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    if (!stopping.signal.aborted) void stop(signal)
  })

const kept = files({ db, store })
await admitKeys(db, keysOfFields)
await seed({ db, library, files: kept, root, fieldKeys: keysOfFields, demo: settings.demo })
if (settings.demo && !['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname))
  log.warn({ publicUrl }, 'DEMO is on: anyone who reaches this address can sign in as any demo account; set DEMO=false')
if (!settings.demo && !server) await firstAdministrator({ db, library, publicUrl, log })
await endOtherSessions(db, server ? 'identity-server' : 'built-in')
feed.start()
deferred.start()
chain.start()
await hub.start()
await app.listen({ host: settings.host, port: settings.port })
await deploy()
log.info({ publicUrl }, 'the API is ready')
collectWhenIdle()
void watchStrayTrials({ db, engine, log }, stopping.signal)
if (settings.demo)
  await playStories({
    ...{ db, engine, library, definitions, cases, tasks, root, log },
    files: kept,
    store,
    signal: stopping.signal,
  })
