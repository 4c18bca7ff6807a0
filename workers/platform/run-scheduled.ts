import type { Transaction } from 'kysely'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import type { Variables } from '../../api/platform/kernel/engine/port.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import type { ScheduleContext } from './worker.ts'
import { type Outcome, type Run, type RunDependencies, WrongInput } from './run.ts'
import { closable, inTime, outputOf } from './run-limits.ts'

/** Like `runOnce` for a step of a schedule, which has no case to withdraw and no errors to catch. */
export async function runScheduled(
  { db, library, publicUrl, auditMailTo, engine, clock = () => new Date(), timeLimit = 15_000 }: RunDependencies,
  { task, worker, log }: Run,
): Promise<Outcome> {
  if (task.caseId !== null) throw new WrongInput('a case is no schedule')
  if (!engine) throw new Error('a schedule needs the engine, but these workers have none')
  const { id, topic, process = '' } = task
  return db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('schedule_run')
      .values({ external_task_id: id, topic, process, outcome: 'completed' })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return await storedOfSchedule(trx, id)
    const own = closable(trx)
    const context: ScheduleContext<unknown> = {
      variables: task.variables,
      trx: own.trx,
      library,
      publicUrl,
      mail: mail(own.trx, { library, publicUrl }),
      text: (key, values = {}) => library.text(key, values),
      now: clock(),
      log,
      apart: { db, engine },
      auditMailTo,
    }
    try {
      const output = outputOf(worker, await inTime(worker.run(context), timeLimit))
      await trx
        .updateTable('schedule_run')
        .set({ result: JSON.stringify(output) })
        .where('external_task_id', '=', id)
        .execute()
      return { kind: 'completed', output }
    } catch (error) {
      own.close()
      throw error
    }
  })
}

async function storedOfSchedule(trx: Transaction<DB>, taskId: string): Promise<Outcome> {
  const { result } = await trx
    .selectFrom('schedule_run')
    .select('result')
    .where('external_task_id', '=', taskId)
    .executeTakeFirstOrThrow()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `runScheduled` writes the variables with the row
  return { kind: 'completed', output: result as Variables }
}
