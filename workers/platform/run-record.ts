import { type Kysely, sql } from 'kysely'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'

/** The harness's record of its reports to the engine. */
export interface RunRecord {
  /** The engine accepted the report. */
  reported(taskId: string): Promise<void>
  /**
   * The engine no longer has the task: either the report took effect and its response was lost, or the diagram ended
   * the task. In the second case stored effects are orphaned, and an operator has to look into it: returns true.
   */
  gone(task: { id: string; element: string }): Promise<boolean>
  /** Whether the database responds. */
  reachable(): Promise<boolean>
}

async function settleRun(on: Kysely<DB>, id: string, orphaned: boolean): Promise<void> {
  const reported = !orphaned && { reported_at: sql<Date>`clock_timestamp()` }
  const { numUpdatedRows } = await on
    .updateTable('worker_run')
    .set({ orphaned, ...reported })
    .where('external_task_id', '=', id)
    .where('reported_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n && reported)
    await on
      .updateTable('schedule_run')
      .set(reported)
      .where('external_task_id', '=', id)
      .where('reported_at', 'is', null)
      .execute()
}

async function noteReported(db: Kysely<DB>, taskId: string): Promise<void> {
  await settleRun(db, taskId, false)
}

function noteGone(db: Kysely<DB>, { id, element }: { id: string; element: string }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const run =
      (await trx
        .selectFrom('worker_run')
        .select(['topic', 'case_id', 'outcome', 'reported_at'])
        .where('external_task_id', '=', id)
        .forUpdate()
        .executeTakeFirst()) ??
      (await trx
        .selectFrom('schedule_run')
        .select(['topic', sql<null>`null`.as('case_id'), 'outcome', 'reported_at'])
        .where('external_task_id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow())
    const tookEffect = await trx.selectFrom('engine_command').select('id').where('id', '=', id).executeTakeFirst()
    const orphaned = run.outcome === 'completed' && run.reported_at === null && tookEffect === undefined
    await settleRun(trx, id, orphaned)
    if (orphaned) {
      await trx
        .insertInto('incident')
        .values({
          id: `orphaned-effect:${id}`,
          case_id: run.case_id,
          kind: 'orphaned-effect',
          element,
          message: `${run.topic} took effect, but the engine had ended its task meanwhile`,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    return orphaned
  })
}

function isReachable(db: Kysely<DB>): Promise<boolean> {
  return sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
}

/** The record in PostgreSQL. */
export function runRecord(db: Kysely<DB>): RunRecord {
  return {
    reported: (id) => noteReported(db, id),
    gone: (task) => noteGone(db, task),
    reachable: () => isReachable(db),
  }
}
