import type { TaskList } from 'graphile-worker'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Cases } from '../../work/cases/service.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isTransient } from '../../kernel/db/database.ts'
import { BusinessError } from '../../kernel/errors.ts'
import {
  type BatchWork,
  WORK_OFF_BATCH,
  endBatch,
  findBatchWork,
  listWaitingEntries,
  scheduleBatch,
  settleEntry,
} from './repository.ts'

/** Length of one step before other jobs run, in milliseconds. */
const STEP_MS = 1_000
/** Cases opened concurrently; they wait for each other only for the case number. */
const CONCURRENT_CASES = 4

/** Thrown if an entry no longer waits: the batch was stopped, or another process has handled it. */
class NotWaiting extends Error {}

/**
 * Opens the cases of batches in steps, so that other jobs run in between. Each person gets at most one case: the result
 * is written in the transaction of the case, and each person has one case per entry.
 */
export function batchTasks({ db, cases, log }: { db: Kysely<DB>; cases: Cases; log: Logger }): TaskList {
  async function open(id: string, work: BatchWork, { position, record, account }: Waiting): Promise<void> {
    const { flow, item } = work
    await db.transaction().execute(async (trx) => {
      const by = { id: work.accountId, actedAs: work.actedAs }
      const { caseId } =
        item === null
          ? await cases.beginForEntry(trx, { flow, entry: record, by, batch: id })
          : await cases.beginInBatch(trx, { flow, item, requesterId: withAccount(account), by, batch: id })
      if (!(await settleEntry(trx, id, position, { caseId }))) throw new NotWaiting()
    })
  }

  async function answer(id: string, work: BatchWork, one: Waiting): Promise<void> {
    try {
      await open(id, work, one)
    } catch (error) {
      if (error instanceof NotWaiting) return
      if (isTransient(error)) throw error
      if (!(error instanceof BusinessError))
        log.error({ err: error, batch: id }, 'opening one case of a batch failed; continuing with the next')
      const code = error instanceof BusinessError ? (error.fields[0]?.code ?? error.code) : 'platform.fault'
      await settleEntry(db, id, one.position, { code })
    }
  }

  async function step(id: string): Promise<void> {
    const began = performance.now()
    while (performance.now() - began < STEP_MS) {
      const work = await findBatchWork(db, id)
      if (!work.running) return
      const waiting = await listWaitingEntries(db, id, CONCURRENT_CASES)
      if (waiting.length === 0) {
        await db.transaction().execute((trx) => endBatch(trx, id, 'done'))
        return tell(work)
      }
      await Promise.all(waiting.map((one) => answer(id, work, one)))
    }
    await scheduleBatch(db, id)
    await tell(await findBatchWork(db, id))
  }

  async function tell({ accountId }: BatchWork): Promise<void> {
    await announce(db, { principals: [`user:${accountId}`], cases: [], tasks: [] })
  }

  return { [WORK_OFF_BATCH]: ({ id }) => step(id) }
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [WORK_OFF_BATCH]: { id: string }
    }
  }
}

function withAccount(account: string | null): string {
  if (account === null) throw new BusinessError('platform.requester-without-account')
  return account
}

interface Waiting {
  position: number
  /** Their entry in the register. */
  record: string
  account: string | null
}
