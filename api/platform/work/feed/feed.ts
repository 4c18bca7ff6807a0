import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Database } from '../../kernel/db/database.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import type { OfferDependencies } from '../offers/offers.ts'
import type { MailDependencies } from '../../records/mail/mail.ts'
import { pause } from '../../kernel/pause.ts'
import { feedLag } from '../rows/feed.ts'
import { type Applied, applyBatch } from './batch.ts'
import { SHORTLY_MS, rebuildOne } from './drifted.ts'
import { eventTrail } from './trail.ts'

export interface FeedDependencies extends OfferDependencies, MailDependencies {
  database: Database
  engine: Engine
  log: Logger
}

/** Polling interval in milliseconds; a notification from the engine wakes the feed at once. */
const lookEvery = 250
/** A batch of this many cases shows that there is much to do. */
const MANY_CASES = 4
/** Maximum rest after such a batch, in milliseconds. */
const MAX_REST_MS = 50

/**
 * Rests as long as the last batch took: it costs nearly the same for one case as for ten, so under load the next one
 * waits for more of them.
 */
const letGather = (took: number, stopping: AbortSignal) => pause(Math.min(took, MAX_REST_MS), stopping)

/**
 * Turns engine events into the rows that people see. Any number of processes may run it, but only one at a time applies
 * a batch. Deleting the event rows and applying them is one transaction, so a crash leaves both or neither.
 */
export function eventFeed(dependencies: FeedDependencies) {
  const { database, log } = dependencies
  const { db } = database
  const context = { ...dependencies, trail: eventTrail() }
  const stopping = new AbortController()
  const rebuildAfter = new Map<string, number>()
  let woken = Promise.withResolvers<void>()
  let working: Promise<unknown> = Promise.resolve()

  async function look(): Promise<void> {
    let patience = SHORTLY_MS
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers()
      let next: Applied['next'] = 'rest'
      const began = performance.now()
      try {
        const applied = await applyBatch(context)
        next = applied.next
        if (next === 'rest' && (await rebuildOne(context, rebuildAfter))) next = 'more'
        if (next === 'rest' && applied.cases >= MANY_CASES) await letGather(performance.now() - began, stopping.signal)
      } catch (error) {
        log.warn({ err: error }, 'applying a batch of engine events failed; retrying')
      }
      // Back off while a worker has the case locked.
      patience = next === 'shortly' ? Math.min(patience * 2, lookEvery) : SHORTLY_MS
      if (next !== 'more') await restUntilWoken(next === 'shortly' ? patience : lookEvery)
    }
  }

  /** Waits until the engine notifies, the time is over or the feed stops. */
  async function restUntilWoken(milliseconds: number): Promise<void> {
    const time = Promise.withResolvers<void>()
    const timer = setTimeout(time.resolve, milliseconds)
    await Promise.race([woken.promise, time.promise])
    clearTimeout(timer)
  }

  return {
    start(): void {
      working = Promise.all([look(), listen(database, log, () => woken.resolve(), stopping.signal)])
    },

    /** Polls at once: this process knows that there are new events. */
    wake: () => woken.resolve(),

    /** Resolves when the current batch is done. */
    async stop(): Promise<void> {
      stopping.abort()
      woken.resolve()
      await working
    },

    /** How far it is behind, for the readiness check. */
    lag: () => feedLag(db),
  }
}

/** Keeps a connection open for the engine's notifications; without it the feed still polls. */
async function listen({ pool }: Database, log: Logger, woken: () => void, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const client = await pool.connect()
      try {
        client.on('notification', woken)
        await client.query('listen engine_event')
        await once(client, 'end', { signal: stopping })
      } finally {
        client.release(true)
      }
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error }, 'the LISTEN connection of the feed failed; polling meanwhile')
    }
    await pause(500, stopping)
  }
}
