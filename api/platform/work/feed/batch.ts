import { type Kysely, type Transaction, sql } from 'kysely'
import { known } from '../../kernel/known.ts'
import { errorOf } from '../../kernel/thrown.ts'
import { incidentRepository } from '../rows/incidents.ts'
import { type Changed, announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isTransient } from '../../kernel/db/database.ts'
import { type CaseEvents, AskEngine, applyEvents, applyIncident } from './apply.ts'
import { type EngineEvent, HANDLED_ENTITIES, rootOf } from '../rows/engine-events.ts'
import {
  deleteEngineEvents,
  findCasesOfInstances,
  findSchedules,
  hasEngineEvents,
  listEngineEvents,
  lockFedCases,
  lockFeed,
  parkEvents,
  saveCaseChanges,
} from '../rows/feed.ts'
import type { FeedDependencies } from './feed.ts'
import type { EventTrail } from './trail.ts'

interface BatchContext extends FeedDependencies {
  trail: EventTrail
}

/** Maximum events in one transaction. */
const batchSize = 500

/** What to do after a batch, and of how many cases it was. */
export interface Applied {
  next: 'more' | 'shortly' | 'rest'
  cases: number
}

/** Applies one batch. */
export async function applyBatch(context: BatchContext): Promise<Applied> {
  const { database, trail } = context
  const { db } = database
  const low = trail.lowWater()
  if (!(await hasEngineEvents(db, low))) return { next: 'rest', cases: 0 }
  const changed: Changed = { principals: [], cases: [], tasks: [] }
  const outcome = await db.transaction().execute(async (trx) => {
    await lockFeed(trx)
    const events = await listEngineEvents(trx, low, batchSize)
    const last = events.at(-1)
    if (!last) return { next: 'rest', cases: 0 } as const
    trail.remember(last.id)
    const { groups, scheduled, strangers, ignored } = await sort(trx, events)
    await parkStrangers(context, trx, strangers)
    await noteStuckSchedules(context, trx, scheduled)
    const through = [...strangers, ...scheduled, ...ignored]
    const rows = await lockFedCases(trx, [...groups.keys()])
    const cases = rows.map((row) => ({ row, events: known(groups.get(row.id), 'the events of the case') }))
    for (const one of await applyAll(context, trx, cases)) {
      changed.principals.push(...one.principals)
      changed.cases.push(...one.cases)
      changed.tasks.push(...one.tasks)
    }
    through.push(...cases.flatMap(({ events: own }) => own))
    await deleteEngineEvents(
      trx,
      through.map((event) => event.id),
    )
    const next = rows.length < groups.size ? 'shortly' : events.length === batchSize ? 'more' : 'rest'
    return { next, cases: groups.size } as const
  })
  await announce(db, changed)
  return outcome
}

/** Applies the events of all these cases together or, if that fails, of each case separately. */
async function applyAll(context: BatchContext, trx: Transaction<DB>, cases: readonly CaseEvents[]): Promise<Changed[]> {
  const sound = cases.filter(({ row }) => !row.drifted)
  const others = cases.filter(({ row }) => row.drifted)
  const changes = sound.length > 1 && (await attempt(context, trx, sound)).changed
  if (changes) return [changes, ...(await applyEach(context, trx, others))]
  return applyEach(context, trx, cases)
}

async function applyEach(
  context: BatchContext,
  trx: Transaction<DB>,
  cases: readonly CaseEvents[],
): Promise<Changed[]> {
  const changes: Changed[] = []
  for (const one of cases) changes.push(await applyOrPark(context, trx, one))
  return changes
}

/** Applies the events of some cases, or rolls them back; rethrows transient errors. */
async function attempt(
  context: BatchContext,
  trx: Transaction<DB>,
  cases: readonly CaseEvents[],
): Promise<{ changed: Changed; error?: undefined } | { error: Error; changed?: undefined }> {
  await sql`savepoint some_cases`.execute(trx)
  try {
    const changed = await applyEvents(trx, cases, context)
    await sql`release savepoint some_cases`.execute(trx)
    return { changed }
  } catch (error) {
    if (isTransient(error)) throw error
    await sql`rollback to savepoint some_cases`.execute(trx)
    return { error: errorOf(error) }
  }
}

async function applyOrPark(context: BatchContext, trx: Transaction<DB>, { row, events }: CaseEvents): Promise<Changed> {
  if (row.drifted) {
    await parkEvents(trx, events, row.id, 'the case waits for its rebuild')
    return { principals: [], cases: [], tasks: [] }
  }
  const { changed, error } = await attempt(context, trx, [{ row, events }])
  if (changed) return changed
  const { message } = error
  const asked = error instanceof AskEngine
  context.log[asked ? 'info' : 'error']({ caseId: row.id, err: error }, 'the case is rebuilt from the engine')
  await parkEvents(trx, events, row.id, message)
  const instanceId = row.process_instance_id ?? rootOf(known(events[0], 'an event of the case'))
  await saveCaseChanges(trx, { id: row.id, drifted: true, ...(instanceId && { instanceId }) })
  if (!asked) {
    await incidentRepository(trx).openIncident({ id: `drifted:${row.id}`, caseId: row.id, kind: 'drifted', message })
  }
  return { principals: [], cases: [row.id], tasks: [] }
}

/** Parks events that belong to no case, for an operator. */
async function parkStrangers(
  { log }: BatchContext,
  trx: Transaction<DB>,
  strangers: readonly EngineEvent[],
): Promise<void> {
  if (strangers.length === 0) return
  log.error({ events: strangers.map((event) => event.id) }, 'events of a process instance without a case were parked')
  await parkEvents(trx, strangers, null, 'no case runs as this instance')
}

/** A schedule is not a case: only its incidents are shown. */
async function noteStuckSchedules(
  { log }: BatchContext,
  trx: Transaction<DB>,
  scheduled: readonly EngineEvent[],
): Promise<void> {
  for (const event of scheduled.filter(({ entity }) => entity === 'incident')) {
    if (event.event === 'create')
      log.error({ schedule: processOf(event), event: event.id }, 'a schedule has an incident')
    await applyIncident(trx, null, event)
  }
}

/** Sorts events: those of a case, of a schedule, of neither, and those to ignore. */
async function sort(db: Kysely<DB>, events: readonly EngineEvent[]) {
  const ofOurs = (event: EngineEvent) =>
    HANDLED_ENTITIES.includes(event.entity) && (event.tenant_id ?? event.body.tenantId ?? null) === null
  const ours = events.filter(ofOurs)
  const ignored = events.filter((event) => !ofOurs(event))
  const keys = new Map<string, string>()
  for (const { entity, event, body } of ours) {
    const { id, businessKey } = body
    if (entity === 'process-instance' && event === 'start' && id && isUuid(businessKey)) keys.set(id, businessKey)
  }
  const roots = [...new Set(ours.map(rootOf).filter((root) => root !== null))]
  const found = await findCasesOfInstances(db, roots, [...keys.values()])
  const caseOf = (root: string) =>
    found.find(
      (row) => row.process_instance_id === root || (row.process_instance_id === null && keys.get(root) === row.id),
    )?.id
  const byRoot = new Map(roots.map((root) => [root, caseOf(root)]))
  const groups = new Map<string, EngineEvent[]>()
  const others: EngineEvent[] = []
  for (const event of ours) {
    const root = rootOf(event)
    const caseId = root === null ? undefined : byRoot.get(root)
    if (caseId === undefined) others.push(event)
    else groups.set(caseId, [...(groups.get(caseId) ?? []), event])
  }
  const schedules = await findSchedules(db, others.map(processOf))
  const scheduled = others.filter((event) => schedules.includes(processOf(event)))
  const strangers = others.filter((event) => !schedules.includes(processOf(event)))
  return { groups, scheduled, strangers, ignored }
}

function processOf({ body }: EngineEvent): string {
  return body.processDefinitionKey ?? ''
}

function isUuid(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
