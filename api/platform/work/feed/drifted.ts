import { announce } from '../../kernel/db/changed.ts'
import { EngineFault, EngineRefusal } from '../../kernel/engine/port.ts'
import { rebuildCase } from './rebuild.ts'
import { listDriftedCases, lockFedCases, lockFeed } from '../rows/feed.ts'
import type { FeedDependencies } from './feed.ts'

/** First delay before retrying a case that another transaction has locked. */
export const SHORTLY_MS = 10
/** Delay before a failed rebuild is retried. */
const REBUILD_AGAIN_MS = 5_000

/**
 * Rebuilds one drifted case; false if there is none to rebuild now. `rebuildAfter` holds the retry time of postponed
 * cases.
 */
export async function rebuildOne(context: FeedDependencies, rebuildAfter: Map<string, number>): Promise<boolean> {
  const { database, engine, log } = context
  const { db } = database
  const now = Date.now()
  const id = (await listDriftedCases(db)).find((one) => (rebuildAfter.get(one) ?? 0) <= now)
  if (!id) return false
  rebuildAfter.set(id, now + REBUILD_AGAIN_MS)
  try {
    const changed = await db.transaction().execute(async (trx) => {
      await lockFeed(trx)
      const [row] = await lockFedCases(trx, [id])
      return row?.drifted ? rebuildCase(trx, row, engine, context) : undefined
    })
    // Another transaction is changing the case.
    if (!changed) rebuildAfter.set(id, now + SHORTLY_MS)
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
