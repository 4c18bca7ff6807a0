import { type Transaction, sql } from 'kysely'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import type { DB } from '../../api/platform/kernel/db/database.generated.ts'
import type { Variables } from '../../api/platform/kernel/engine/port.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import { type Outcome, type Run, type RunDependencies, type RunOnce, Refused, WrongInput } from './run.ts'
import { closable, inTime, outputOf, summary } from './run-limits.ts'
import { runScheduled } from './run-scheduled.ts'
import { lockCase } from './case-lock.ts'
import { type Locked, contextOf } from './run-context.ts'

async function carryOut(dependencies: RunDependencies, run: Run): ReturnType<RunOnce> {
  const { db } = dependencies
  const { task, worker, lock } = run
  const wrong = checkForm(worker.input, task.variables)
  if (wrong.length > 0) throw new WrongInput(`the input does not fit: ${summary(wrong)}`)
  if (worker.schedule) return runScheduled(dependencies, run)
  const caseId = task.caseId
  if (caseId === null) throw new WrongInput('the process instance has no business key, so no case')
  try {
    return await db.transaction().execute(async (trx) => {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('worker_run')
        .values({ external_task_id: task.id, topic: task.topic, case_id: caseId, outcome: 'completed' })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows === 0n) return await stored(trx, task.id)
      const locked = await lockCase(trx, caseId, lock)
      const outcome = await underSavepoint(dependencies, trx, run, locked)
      await store(trx, task.id, outcome)
      await audit(trx).record({
        actor: 'system:workers',
        action: `worker.${outcome.kind === 'completed' ? 'completed' : 'stopped'}`,
        caseId,
        object: `external-task:${task.id}`,
        payload: { topic: task.topic, element: task.element, ...outcome },
      })
      if (!lock.held()) throw new Refused('the engine has ended the task meanwhile')
      return outcome
    })
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'decided_before')
      throw new WrongInput(error.message)
    if (error instanceof Refused) return { kind: 'refused', reason: error.message }
    throw error
  }
}

async function underSavepoint(dependencies: RunDependencies, trx: Transaction<DB>, run: Run, locked: Locked) {
  const { timeLimit = 15_000 } = dependencies
  const { worker } = run
  const own = closable(trx)
  const context = await contextOf(dependencies, own.trx, run, locked)
  await sql`savepoint worker`.execute(trx)
  try {
    return { kind: 'completed', output: outputOf(worker, await inTime(worker.run(context), timeLimit)) } as const
  } catch (error) {
    own.close()
    if (!(error instanceof BusinessError) || !worker.raises?.includes(error.code)) throw error
    await sql`rollback to savepoint worker`.execute(trx)
    return { kind: 'business-error', code: error.code, message: context.text(error.code, error.values) } as const
  }
}

async function stored(trx: Transaction<DB>, taskId: string): Promise<Outcome> {
  const row = await trx
    .selectFrom('worker_run')
    .selectAll()
    .where('external_task_id', '=', taskId)
    .executeTakeFirstOrThrow()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `store` wrote the variables of a completed run
  if (row.outcome === 'completed') return { kind: 'completed', output: row.output as Variables }
  return { kind: 'business-error', code: row.error_code ?? '', message: row.error_message ?? '' }
}

async function store(trx: Transaction<DB>, taskId: string, outcome: Outcome): Promise<void> {
  await trx
    .updateTable('worker_run')
    .set(
      outcome.kind === 'completed'
        ? { output: JSON.stringify(outcome.output) }
        : { outcome: outcome.kind, error_code: outcome.code, error_message: outcome.message },
    )
    .where('external_task_id', '=', taskId)
    .execute()
}

/**
 * Runs a worker so that its effects happen once, however often and wherever its task is delivered. The run's
 * transaction begins by inserting the task's id. A second delivery waits there and returns the stored result. A
 * business error rolls back the worker's effects and is stored; any other error rolls back everything, including the
 * row.
 */
export function runOnce(dependencies: RunDependencies): RunOnce {
  return (run) => carryOut(dependencies, run)
}
