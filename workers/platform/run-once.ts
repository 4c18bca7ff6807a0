import { type Kysely, type KyselyPlugin, sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import { allocations } from '../../api/platform/work/allocations/allocations.ts'
import { audit } from '../../api/platform/kernel/audit/audit.ts'
import type { DB, JsonObject } from '../../api/platform/kernel/db/database.generated.ts'
import type { Engine, Variables } from '../../api/platform/kernel/engine/port.ts'
import { BusinessError } from '../../api/platform/kernel/errors.ts'
import type { Library } from '../../api/platform/model/library/library.ts'
import { checkForm } from '../../api/platform/model/forms/check.ts'
import { mail } from '../../api/platform/records/mail/mail.ts'
import { numbers } from '../../api/platform/records/numbers/numbers.ts'
import { registers } from '../../api/platform/records/registers/registers.ts'
import type { AnyWorker, ScheduleContext, WorkerCase, WorkerContext, WorkerSubmission } from './worker.ts'

/** What became of a run, stored for good. */
export type Outcome =
  { kind: 'completed'; output: Variables } | { kind: 'business-error'; code: string; message: string }

export interface Run {
  worker: AnyWorker
  task: {
    id: string
    topic: string
    element: string
    /** Key of the process that it is a step of; a schedule is known by it. */
    process?: string
    caseId: string | null
    variables: Record<string, unknown>
  }
  lock: {
    /** False as soon as the engine is known to have ended the task. */
    held(): boolean
    /** Asks the engine now; true only if it still has the task for us. */
    confirm(): Promise<boolean>
  }
  log: Logger
}

/** `refused`: nothing was run and nothing is stored, so the task may come again. */
export type RunOnce = (run: Run) => Promise<Outcome | { kind: 'refused'; reason: string }>

/** A task that no repetition can help: what it brings does not fit its worker, or nobody has decided before it. */
export class WrongInput extends Error {}

class Refused extends Error {}

export interface RunDependencies {
  db: Kysely<DB>
  library: Library
  /** Where people reach the product: for links in mails. */
  publicUrl: string
  /** One more address for the checkpoints of the audit. */
  auditMailTo?: string | undefined
  /** For schedules that compare the database with it. */
  engine?: Engine
  clock?: () => Date
  /** Milliseconds that one run may take; meanwhile whatever else happens to its case waits. */
  timeLimit?: number
}

/**
 * Runs a worker so that its effects happen once, however often and wherever its task is delivered: the transaction of
 * the run begins by inserting the task's id. A second delivery waits there, then gives what the first one stored.
 * A business error undoes the worker's effects and is stored; any other error undoes everything, the row too.
 */
export function runOnce(dependencies: RunDependencies): RunOnce {
  const { db, library, publicUrl, auditMailTo, engine, clock = () => new Date(), timeLimit = 15_000 } = dependencies

  return async (run) => {
    const { task, worker, lock } = run
    const wrong = checkForm(worker.input, task.variables)
    if (wrong.length > 0) throw new WrongInput(`the input does not fit: ${summary(wrong)}`)
    if (worker.schedule) return runScheduled(run)
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
        const outcome = await underSavepoint(trx, run, locked)
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
      if ((error as { constraint?: string }).constraint === 'decided_before')
        throw new WrongInput((error as Error).message)
      if (error instanceof Refused) return { kind: 'refused', reason: error.message }
      throw error
    }
  }

  /** A step of a schedule: the same, without a case that could be withdrawn and without errors that a diagram catches. */
  async function runScheduled({ task, worker, log }: Run): Promise<Outcome> {
    if (task.caseId !== null) throw new WrongInput('a case is no schedule')
    if (!engine) throw new Error('schedules need the engine, and these workers were given none')
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

  /**
   * Locks the case against withdrawal and the like while its worker runs. The lock is one that excludes itself: two
   * workers of one case that both shared it would fall into a deadlock as soon as both change the facts.
   */
  async function lockCase(trx: Transaction<DB>, id: string, lock: Run['lock']): Promise<Locked> {
    const row = await trx
      .selectFrom('flow_case')
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (row.ended_at) throw new Refused('the case has ended')
    const told = await messagesReached(trx, row)
    if (row.withdrawn_at && !(told.withdrawal && (await lock.confirm()))) throw new Refused('the case is withdrawn')
    // An act of the requester may have ended the task while it waited for the lock: its effect would be nobody's.
    if (!row.withdrawn_at && told.any && !(await lock.confirm())) throw new Refused('the case has moved on')
    const found = {
      id,
      reference: row.reference,
      flow: row.flow,
      requesterId: row.requester_id,
      status: row.status,
      statuses: row.statuses as Record<string, string>,
      scope: row.scope as Record<string, string>,
      subject: row.subject as JsonObject,
    }
    return { found, data: row.data as JsonObject }
  }

  /**
   * Whether any message has reached the engine, and that of the withdrawal. Once the engine knows of the withdrawal, every
   * task that it still has is one the diagram wants: freeing the slot, say. Until then all tasks of a withdrawn case are
   * refused, because the withdrawal will end them.
   */
  async function messagesReached(
    trx: Transaction<DB>,
    row: { id: string; flow_hash: string },
  ): Promise<{ any: boolean; withdrawal: boolean }> {
    const effective = await trx
      .selectFrom('command')
      .innerJoin('engine_command', 'engine_command.id', 'command.id')
      .innerJoin('artifact', (on) => on.on('artifact.hash', '=', row.flow_hash))
      .select(
        sql<boolean>`command.payload ->> 'message' is not distinct from artifact.content::jsonb ->> 'withdraw'`.as(
          'withdrawal',
        ),
      )
      .where('command.case_id', '=', row.id)
      .where('command.kind', '=', 'correlate')
      .execute()
    return { any: effective.length > 0, withdrawal: effective.some(({ withdrawal }) => withdrawal) }
  }

  async function contextOf(trx: Transaction<DB>, run: Run, { found, data }: Locked): Promise<WorkerContext<unknown>> {
    return {
      variables: run.task.variables,
      case: found,
      submission: data,
      submissions: await submissionsOf(trx, found.id),
      trx,
      registers: registers(trx, library),
      allocations: allocations(trx),
      numbers: numbers(trx),
      audit: audit(trx),
      mail: mail(trx, { library, publicUrl }),
      async facts(patch) {
        await trx
          .updateTable('flow_case')
          .set({
            facts: sql`facts || ${JSON.stringify(patch)}::jsonb`,
            version: sql`version + 1`,
            changed_at: sql`clock_timestamp()`,
          })
          .where('id', '=', found.id)
          .execute()
      },
      text: (key, values = {}) => library.text(key, values),
      library,
      publicUrl,
      now: clock(),
      log: run.log,
    }
  }

  async function underSavepoint(trx: Transaction<DB>, run: Run, locked: Locked) {
    const { worker } = run
    const own = closable(trx)
    const context = await contextOf(own.trx, run, locked)
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
}

/** A case that its worker has for itself, with what it says. */
interface Locked {
  found: WorkerCase
  data: JsonObject
}

/** What the harness writes down about its dealings with the engine. */
export interface RunRecord {
  /** The engine has taken the report. */
  reported(taskId: string): Promise<void>
  /**
   * The engine does not have the task any more: either our report had taken effect and its answer was lost, or the
   * diagram ended the task meanwhile. Then stored effects are orphaned, and an operator has to look: true.
   */
  gone(task: { id: string; element: string }): Promise<boolean>
  /** Whether the database answers. */
  reachable(): Promise<boolean>
}

/** The record over PostgreSQL. */
export function runRecord(db: Kysely<DB>): RunRecord {
  async function settle(id: string, orphaned: boolean, on: Kysely<DB> = db): Promise<void> {
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
  return {
    async reported(taskId) {
      await settle(taskId, false)
    },

    gone: ({ id, element }) =>
      db.transaction().execute(async (trx) => {
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
        await settle(id, orphaned, trx)
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
      }),

    reachable: () =>
      sql`select 1`.execute(db).then(
        () => true,
        () => false,
      ),
  }
}

async function stored(trx: Transaction<DB>, taskId: string): Promise<Outcome> {
  const row = await trx
    .selectFrom('worker_run')
    .selectAll()
    .where('external_task_id', '=', taskId)
    .executeTakeFirstOrThrow()
  if (row.outcome === 'completed') return { kind: 'completed', output: row.output as Variables }
  return { kind: 'business-error', code: row.error_code ?? '', message: row.error_message ?? '' }
}

async function storedOfSchedule(trx: Transaction<DB>, taskId: string): Promise<Outcome> {
  const { result } = await trx
    .selectFrom('schedule_run')
    .select('result')
    .where('external_task_id', '=', taskId)
    .executeTakeFirstOrThrow()
  return { kind: 'completed', output: result as Variables }
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

async function submissionsOf(trx: Transaction<DB>, caseId: string): Promise<WorkerSubmission[]> {
  const rows = await trx
    .selectFrom('submission')
    .leftJoin('task', 'task.id', 'submission.task_id')
    .select(['submission.form_key', 'submission.data', 'submission.submitted_by', 'submission.at', 'task.desk'])
    .where('submission.case_id', '=', caseId)
    .where('submission.effect', '<>', 'void')
    .orderBy('submission.at')
    .execute()
  return rows.map((row) => ({
    formKey: row.form_key,
    desk: row.desk,
    data: row.data as JsonObject,
    by: row.submitted_by,
    at: row.at,
  }))
}

/** Exactly what the output schema names, checked. */
function outputOf(worker: AnyWorker, given: Variables): Variables {
  const names = Object.keys(worker.output.properties).filter((name) => given[name] !== undefined)
  const output = Object.fromEntries(names.map((name) => [name, given[name]!]))
  const wrong = checkForm(worker.output, output)
  if (wrong.length > 0) throw new Error(`the output does not fit: ${summary(wrong)}`)
  return output
}

function summary(wrong: { field: string; code: string }[]): string {
  return wrong.map(({ field, code }) => `${field || '/'} ${code}`).join(', ')
}

/**
 * The same transaction, until it is closed. A worker that was given up goes on all the same: what it then wants of the
 * database would happen outside of the transaction, for good, and a second time when the task comes again.
 */
function closable(trx: Transaction<DB>): { trx: Transaction<DB>; close(): void } {
  let closed = false
  const refuseWhenClosed: KyselyPlugin = {
    transformQuery({ node }) {
      if (closed) throw new Error('the run of this worker is over')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { trx: trx.withPlugin(refuseWhenClosed) as Transaction<DB>, close: () => void (closed = true) }
}

/** A worker that hangs would keep its task, its slot and its locks for ever. */
async function inTime<T>(work: Promise<T>, limit: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`the worker took longer than ${limit} ms`)), limit)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
