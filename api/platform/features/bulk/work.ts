import type { TaskList } from 'graphile-worker'
import type { Transaction } from 'kysely'
import type { Logger } from 'pino'
import { known } from '../../kernel/known.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isTransient } from '../../kernel/db/database.ts'
import { BusinessError } from '../../kernel/errors.ts'
import { findPerson } from '../../people/identity/accounts.ts'
import { mail } from '../../records/mail/mail.ts'
import { taskActs } from '../../work/tasks/acts.ts'
import { taskRepository } from '../../work/rows/tasks.ts'
import type { BulkDependencies } from './look.ts'
import { type BulkWork, WORK_OFF_BULK, bulkRepository, delayOf } from '../../work/rows/bulk.ts'

type BulkWorkContext = BulkDependencies & { log: Logger }

/** Length of one step before other jobs run, in milliseconds. */
const STEP_MS = 1_000
/** Tasks between two progress notifications. */
const TASKS_PER_NOTICE = 10

/** Thrown if a task no longer waits: the action was stopped, or another process has handled it. */
class NotWaiting extends Error {}

async function actOn(
  context: BulkWorkContext,
  id: string,
  { position, task }: { position: number; task: string },
): Promise<void> {
  const { db, tasks } = context
  const bulk = bulkRepository(db)
  const acts = taskActs(context)
  const { kind, payload, accountId, running, createdAt } = await bulk.findWork(id)
  if (!running) throw new NotWaiting()
  // Rights are read again for each task, because they can end between two of them.
  const person = await findPerson(db, accountId)
  if (!person) throw new BusinessError('platform.not-allowed')
  const holder = kind === 'assign' ? (await taskRepository(db).find(task))?.assignee_id : undefined
  const from = holder && holder !== person.id ? holder : undefined
  const joint = {
    more: { bulk: id },
    quiet: true,
    async within(trx: Transaction<DB>) {
      if (!(await bulkRepository(trx).settle(id, position, from === undefined ? {} : { from }))) throw new NotWaiting()
    },
  }
  const { data, form, to } = payload
  switch (kind) {
    case 'complete': {
      // Each decision can be taken back for the same time, however long the earlier ones took.
      const delay = delayOf({ payload, createdAt })
      const held = delay !== undefined && { notBefore: new Date(Date.now() + delay).toISOString() }
      const shared = known(form, 'the form of a bulk decision')
      const { announced } = await tasks.decide(
        person,
        task,
        { data, ...held },
        { ...joint, lane: 'bulk', form: shared },
      )
      await announced
      break
    }
    case 'claim':
    case 'release':
      await tasks[kind](person, task, undefined, joint)
      break
    case 'assign':
      await acts.assign(person, task, { to: known(to, 'who gets the tasks of a bulk action') }, undefined, joint)
      break
  }
}

async function step(context: BulkWorkContext, id: string): Promise<void> {
  const { db } = context
  const bulk = bulkRepository(db)
  const work = await bulk.findWork(id)
  if (!work.running) return
  const began = performance.now()
  const tell = () => announce(db, { principals: [`user:${work.accountId}`], cases: [], tasks: [] })
  for (let acted = 1; performance.now() - began < STEP_MS; acted += 1) {
    const item = await bulk.findWaiting(id)
    if (!item) {
      await finish(context, id, work)
      return tell()
    }
    const reason = await actOn(context, id, item).then(
      () => undefined,
      (error: unknown) => reasonOf(context, error, { bulk: id, task: item.task }),
    )
    if (reason) await bulk.settle(id, item.position, { reason })
    if (acted % TASKS_PER_NOTICE === 0) await tell()
  }
  await bulk.schedule(id)
  await tell()
}

/** Why a task is refused; transient errors are rethrown, so that the job is retried. */
function reasonOf({ log }: BulkWorkContext, error: unknown, about: object): BusinessError | undefined {
  if (error instanceof NotWaiting) return undefined
  if (error instanceof BusinessError) return error
  if (isTransient(error)) throw error
  log.error({ err: error, ...about }, 'one task of a bulk action failed; continuing with the next')
  return new BusinessError('platform.fault')
}

/** Notifies once for all tasks the people whose lists have changed. */
async function finish(context: BulkWorkContext, id: string, { accountId, kind, payload }: BulkWork): Promise<void> {
  const { db } = context
  await db.transaction().execute(async (trx) => {
    if (!(await bulkRepository(trx).finish(id)) || kind !== 'assign') return
    const taken = await bulkRepository(trx).countTaken(id)
    const to = known(payload.to, 'who gets the tasks of a bulk action')
    const name = async (account: string) => (await findPerson(trx, account))?.name ?? ''
    const values = { by: await name(accountId), to: await name(to) }
    const letters = mail(trx, context)
    const given = taken.reduce((sum, { count }) => sum + count, 0)
    if (given > 0 && to !== accountId)
      await letters.send({ to, template: 'platform.mail.tasks-assigned', values: { ...values, count: given } })
    for (const { from, count } of taken)
      if (from !== null)
        await letters.send({ to: from, template: 'platform.mail.tasks-taken', values: { ...values, count } })
  })
}

declare global {
  namespace GraphileWorker {
    interface Tasks {
      [WORK_OFF_BULK]: { id: string }
    }
  }
}

/**
 * Performs bulk actions in steps, so that other jobs run in between. Each task is acted on at most once, because the
 * result is written in the transaction of the act. The rules of a single act apply, at the moment of its turn.
 */
export function bulkTasks(context: BulkWorkContext): TaskList {
  return {
    [WORK_OFF_BULK]: ({ id }) => step(context, id),
  }
}
