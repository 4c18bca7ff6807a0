import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collectWhenIdle } from '../api/platform/kernel/idle.ts'
import { connect } from '../api/platform/kernel/db/database.ts'
import { operaton } from '../api/platform/kernel/engine/operaton/operaton.ts'
import { untilReady } from '../api/platform/kernel/engine/until-ready.ts'
import { definitionStore } from '../api/platform/model/deployed/definitions.ts'
import { loadRules } from '../api/platform/model/deployed/rules.ts'
import { loadLibrary } from '../api/platform/model/library/library.ts'
import { logOf } from '../api/platform/kernel/log.ts'
import { readSettings } from '../api/platform/kernel/settings.ts'
import { discoverWorkers } from './platform/discovery.ts'
import { harness } from './platform/harness.ts'
import { runOnce } from './platform/run-once.ts'
import { runRecord } from './platform/run-record.ts'

const MAX_PARALLEL_TASKS = 8

const settings = readSettings(process.env)
const log = logOf('workers', settings)
const root = join(import.meta.dirname, '..')
const library = loadLibrary(root)
const { db, close } = connect(settings.databaseUrl, {
  name: 'prakriya-workers',
  // One per task, and some for records beside the runs.
  max: MAX_PARALLEL_TASKS + 4,
  onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
})
const engine = operaton({ url: settings.engineUrl, secret: settings.engineSecret })
const record = runRecord(db)
const workers = await discoverWorkers()

const running = harness({
  workers,
  runOnce: runOnce({
    ...{ db, library, definitions: definitionStore(db), rules: await loadRules(root, library.flows.keys()) },
    ...{ publicUrl: settings.publicUrl, auditMailTo: settings.auditMailTo, engine },
  }),
  record,
  engine,
  connection: engine,
  log,
  name: settings.workerId,
  parallel: MAX_PARALLEL_TASKS,
})

// A recent file means that tasks are fetched and the database responds. For health checks of containers.
const healthFile = join(settings.dataDir, `workers-${settings.nodeName}.health`)
let health: NodeJS.Timeout | undefined

async function noteHealth(): Promise<void> {
  try {
    if (running.healthy() && (await record.reachable())) await writeFile(healthFile, new Date().toISOString())
  } catch (error) {
    log.warn({ err: error, healthFile }, 'writing the health file failed')
  }
}

const interrupted = new AbortController()
let stopping: Promise<void> | undefined

async function stop(signal: string): Promise<void> {
  log.info({ signal }, 'shutting down; finishing running work')
  interrupted.abort()
  clearInterval(health)
  await running.drain()
  await rm(healthFile, { force: true })
  await close()
  log.info('stopped')
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (stopping ??= stop(signal)))

await untilReady(engine, interrupted.signal)
if (!interrupted.signal.aborted) {
  running.start()
  health = setInterval(() => void noteHealth(), 5_000)
  await noteHealth()
  log.info({ topics: [...workers.keys()] }, 'workers are ready')
  collectWhenIdle()
}
