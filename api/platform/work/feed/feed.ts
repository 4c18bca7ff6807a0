import { once } from 'node:events'
import { type Kysely, type Transaction, sql } from 'kysely'
import type { Logger } from 'pino'
import { incidentRepository } from '../rows/incidents.ts'
import { type Changed, announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { type Database, isTransient } from '../../kernel/db/database.ts'
import { type Engine, EngineFault, EngineRefusal } from '../../kernel/engine/port.ts'
import { AskEngine, type CaseEvents, applyEvents, applyIncident } from './apply.ts'
import { type EngineEvent, HANDLED_ENTITIES, rootOf } from '../rows/engine-events.ts'
import type { OfferDependencies } from '../offers/offers.ts'
import { rebuildCase } from './rebuild.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { pause } from '../../kernel/pause.ts'
import { feedRepository } from '../rows/feed.ts'

export interface FeedDependencies extends OfferDependencies, MailDependencies {
  database: Database
  engine: Engine
  log: Logger
}

/** Most events of one transaction. */
const batchSize = 500
/** The feed looks by itself this often, in milliseconds, and at once when the engine notifies. */
const lookEvery = 250
/** When somebody else is changing a case, its events wait this long at first. */
const shortly = 10
/** Ids may become visible late, so the feed looks as far back as what it saw this long ago… */
const trail = 60_000
/** …and this often from the very beginning. */
const fullLookEvery = 60_000
/** A case whose rebuild failed is left alone for so long. */
const rebuildAgainAfter = 5_000

/**
 * Turns what the engine did into what people see. Any number of processes may run it: one at a time applies a batch,
 * deleting the rows and applying them in one transaction, so a crash leaves either both or neither.
 */
export function eventFeed({ database, engine, log, ...given }: FeedDependencies) {
  const { db, pool } = database
  const stopping = new AbortController()
  const seen: { at: number; id: bigint }[] = []
  const rebuildAfter = new Map<string, number>()
  let lastFullLook = 0
  let woken = Promise.withResolvers<void>()
  let working: Promise<unknown> = Promise.resolve()

  function lowWater(): string {
    const now = Date.now()
    if (now - lastFullLook > fullLookEvery) {
      lastFullLook = now
      return '0'
    }
    while (seen.length > 1 && seen[1]!.at < now - trail) seen.shift()
    const oldest = seen[0]
    return oldest && oldest.at < now - trail ? String(oldest.id) : '0'
  }

  function remember(id: string): void {
    const now = Date.now()
    // One mark each second is fine enough for a trail of a minute.
    if ((seen.at(-1)?.at ?? 0) < now - 1_000) seen.push({ at: now, id: BigInt(id) })
  }

  /** Applies one batch; says what to do next. */
  async function applyBatch(): Promise<'more' | 'shortly' | 'rest'> {
    const low = lowWater()
    if (!(await feedRepository(db).hasEvents(low))) return 'rest'
    const changed: Changed = { principals: [], cases: [], tasks: [] }
    const outcome = await db.transaction().execute(async (trx) => {
      const feed = feedRepository(trx)
      await feed.lock()
      const events = await feed.listEvents(low, batchSize)
      const last = events.at(-1)
      if (!last) return 'rest' as const
      remember(last.id)
      const { groups, scheduled, strangers, ignored } = await sort(trx, events)
      if (strangers.length > 0) {
        log.error(
          { events: strangers.map((event) => event.id) },
          'events of a process instance without a case were parked',
        )
        await feed.park(strangers, null, 'no case runs as this instance')
      }
      // A schedule is no case: of what it did nothing is shown but that it is stuck.
      for (const event of scheduled.filter(({ entity }) => entity === 'incident')) {
        if (event.event === 'create')
          log.error({ schedule: processOf(event), event: event.id }, 'a schedule has an incident')
        await applyIncident(trx, null, event)
      }
      const through = [...strangers, ...scheduled, ...ignored]
      const rows = await feed.lockCases([...groups.keys()])
      const cases = rows.map((row) => ({ row, events: groups.get(row.id)! }))
      for (const one of await applyAll(trx, cases)) {
        changed.principals.push(...one.principals)
        changed.cases.push(...one.cases)
        changed.tasks.push(...one.tasks)
      }
      through.push(...cases.flatMap(({ events: own }) => own))
      await feed.deleteEvents(through.map((event) => event.id))
      if (rows.length < groups.size) return 'shortly' as const
      return events.length === batchSize ? ('more' as const) : ('rest' as const)
    })
    await announce(db, changed)
    return outcome
  }

  /** Applies the events of all these cases together; where one of them cannot be, of each by itself. */
  async function applyAll(trx: Transaction<DB>, cases: readonly CaseEvents[]): Promise<Changed[]> {
    const sound = cases.filter(({ row }) => !row.drifted)
    const others = cases.filter(({ row }) => row.drifted)
    const changes = sound.length > 1 && (await attempt(trx, sound)).changed
    if (changes) return [changes, ...(await applyEach(trx, others))]
    return applyEach(trx, cases)
  }

  async function applyEach(trx: Transaction<DB>, cases: readonly CaseEvents[]): Promise<Changed[]> {
    const changes: Changed[] = []
    for (const one of cases) changes.push(await applyOrPark(trx, one))
    return changes
  }

  /** Applies the events of some cases, or leaves nothing of them; what passes by itself is thrown on. */
  async function attempt(
    trx: Transaction<DB>,
    cases: readonly CaseEvents[],
  ): Promise<{ changed: Changed; error?: undefined } | { error: Error; changed?: undefined }> {
    await sql`savepoint some_cases`.execute(trx)
    try {
      const changed = await applyEvents(trx, cases, given)
      await sql`release savepoint some_cases`.execute(trx)
      return { changed }
    } catch (error) {
      if (isTransient(error)) throw error
      await sql`rollback to savepoint some_cases`.execute(trx)
      return { error: error as Error }
    }
  }

  async function applyOrPark(trx: Transaction<DB>, { row, events }: CaseEvents): Promise<Changed> {
    const feed = feedRepository(trx)
    if (row.drifted) {
      await feed.park(events, row.id, 'the case waits for its rebuild')
      return { principals: [], cases: [], tasks: [] }
    }
    const { changed, error } = await attempt(trx, [{ row, events }])
    if (changed) return changed
    const { message } = error
    const asked = error instanceof AskEngine
    log[asked ? 'info' : 'error']({ caseId: row.id, err: error }, 'the case is rebuilt from the engine')
    await feed.park(events, row.id, message)
    const instanceId = row.process_instance_id ?? rootOf(events[0]!)
    await feed.saveCases({ id: row.id, drifted: true, ...(instanceId && { instanceId }) })
    if (!asked) {
      await incidentRepository(trx).openIncident({ id: `drifted:${row.id}`, caseId: row.id, kind: 'drifted', message })
    }
    return { principals: [], cases: [row.id], tasks: [] }
  }

  /** Rebuilds one drifted case; false if there is none to rebuild now. */
  async function rebuildOne(): Promise<boolean> {
    const now = Date.now()
    const id = (await feedRepository(db).listDrifted()).find((one) => (rebuildAfter.get(one) ?? 0) <= now)
    if (!id) return false
    rebuildAfter.set(id, now + rebuildAgainAfter)
    try {
      const changed = await db.transaction().execute(async (trx) => {
        const feed = feedRepository(trx)
        await feed.lock()
        const [row] = await feed.lockCases([id])
        return row?.drifted ? rebuildCase(trx, row, engine, given) : undefined
      })
      // Somebody is changing the case at this moment.
      if (!changed) rebuildAfter.set(id, now + shortly)
      else {
        rebuildAfter.delete(id)
        log.info({ case: id }, 'case rebuilt from the engine')
        await announce(db, changed)
      }
    } catch (error) {
      if (!(error instanceof EngineFault || error instanceof EngineRefusal)) throw error
      log.warn({ case: id, err: error }, 'rebuilding a case failed')
    }
    return true
  }

  async function look(): Promise<void> {
    let patience = shortly
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers()
      let next: 'more' | 'shortly' | 'rest' = 'rest'
      try {
        next = await applyBatch()
        if (next === 'rest' && (await rebuildOne())) next = 'more'
      } catch (error) {
        log.warn({ err: error }, 'applying a batch of engine events failed; retrying')
      }
      // A worker that takes its time with a case is not asked every few milliseconds whether it is through.
      patience = next === 'shortly' ? Math.min(patience * 2, lookEvery) : shortly
      if (next !== 'more') await restUntilWoken(next === 'shortly' ? patience : lookEvery)
    }
  }

  /** Until the engine notifies, the time is over or the feed stops. */
  async function restUntilWoken(milliseconds: number): Promise<void> {
    const time = Promise.withResolvers<void>()
    const timer = setTimeout(time.resolve, milliseconds)
    await Promise.race([woken.promise, time.promise])
    clearTimeout(timer)
  }

  /** Keeps a connection on which the engine's notifications arrive; without it the feed still looks by itself. */
  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const client = await pool.connect()
        try {
          client.on('notification', () => woken.resolve())
          await client.query('listen engine_event')
          await once(client, 'end', { signal: stopping.signal })
        } finally {
          client.release(true)
        }
      } catch (error) {
        if (!stopping.signal.aborted)
          log.warn({ err: error }, 'the LISTEN connection of the feed failed; polling meanwhile')
      }
      await pause(500, stopping.signal)
    }
  }

  return {
    start(): void {
      working = Promise.all([look(), listen()])
    },

    /** Looks at once: somebody in this process knows that there are events. */
    wake: () => woken.resolve(),

    /** Settles when the batch at hand is through. */
    async stop(): Promise<void> {
      stopping.abort()
      woken.resolve()
      await working
    },

    /** How far it is behind, for readiness. */
    standing: () => feedRepository(db).standing(),
  }
}

/** Which events belong to which case, which to a schedule, which to none, and which are none of our business. */
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
  const known = await feedRepository(db).findCases(roots, [...keys.values()])
  const caseOf = (root: string | null) =>
    known.find(
      (row) => row.process_instance_id === root || (row.process_instance_id === null && keys.get(root!) === row.id),
    )?.id
  const byRoot = new Map(roots.map((root) => [root, caseOf(root)]))
  const groups = new Map<string, EngineEvent[]>()
  const others: EngineEvent[] = []
  for (const event of ours) {
    const caseId = byRoot.get(rootOf(event)!)
    if (caseId === undefined) others.push(event)
    else groups.set(caseId, [...(groups.get(caseId) ?? []), event])
  }
  const schedules = await feedRepository(db).findSchedules(others.map(processOf))
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
