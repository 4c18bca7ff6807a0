import { type Kysely, type Transaction, sql } from 'kysely'
import type { Logger } from 'pino'
import { audit } from '../../kernel/audit/audit.ts'
import { incidentRepository } from '../rows/incidents.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isTransient } from '../../kernel/db/database.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { candidatesOf, lastWords, peopleAbove, peopleAt, reportUndeliverable } from './desk-people.ts'
import type { mail } from '../../records/mail/mail.ts'
import { type Due, promiseRepository } from './repository.ts'
import { messageIn } from '../../kernel/objects.ts'
import { DAY_MS } from '../../kernel/units.ts'

/** The topic of the schedule that sends reminders and escalations. */
const KEEP_PROMISES = 'platform.keep-promises'
/** Promises per step. */
const PROMISES_PER_STEP = 10
/** Runs begin every minute, so those older than a day (in milliseconds) are deleted. */
const RUNS_KEPT_MS = DAY_MS

export interface KeepingDependencies {
  mail: ReturnType<typeof mail>
  engine: Pick<Engine, 'openTasks'>
  now: Date
  log: Logger
}

/** Result of one step. */
export interface Kept {
  kept: number
  /** Where the next step begins; absent when everything due has been checked. */
  after?: string
}

/**
 * Writes the next due mails, each in the transaction that marks its promise as kept. It asks the engine first, which
 * knows before the feed that a case is suspended or a task is over. Such a promise waits for the next run. A mail that
 * cannot be written does not block the others.
 */
export async function keepNextPromises(
  trx: Transaction<DB>,
  given: KeepingDependencies,
  after: string | undefined,
): Promise<Kept> {
  const due = await promiseRepository(trx).listDue(given.now, after, PROMISES_PER_STEP)
  const tasks = await given.engine.openTasks([...new Set(due.map((one) => one.task_id))])
  const open = new Map(tasks.map((task) => [task.id, task]))
  let kept = 0
  for (const one of due) {
    const task = open.get(one.task_id)
    if (!task || task.paused || task.definitionId !== one.process_definition_id) continue
    if (await tryToKeep(trx, one, given)) kept += 1
  }
  const last = due.at(PROMISES_PER_STEP - 1)
  return { kept, ...(last && { after: last.place }) }
}

/** True if this call kept the promise. */
async function tryToKeep(trx: Transaction<DB>, one: Due, given: KeepingDependencies): Promise<boolean> {
  await sql`savepoint one_promise`.execute(trx)
  try {
    // Another node may have locked it, or somebody has decided meanwhile.
    const present = await promiseRepository(trx).take(one, given.now)
    if (present) await keep(trx, present, given)
    // Release the lock, so that nobody who decides the task has to wait for it.
    else await sql`rollback to savepoint one_promise`.execute(trx)
    await sql`release savepoint one_promise`.execute(trx)
    return present !== undefined
  } catch (error) {
    if (isTransient(error)) throw error
    await sql`rollback to savepoint one_promise`.execute(trx)
    given.log.error(
      { err: error, case: one.case_id, desk: one.desk },
      'sending a reminder or escalation failed; retrying at the next run',
    )
    await incidentRepository(trx).openIncident({
      id: incidentOf(one),
      caseId: one.case_id,
      kind: 'promise-not-kept',
      element: one.desk,
      message: messageIn(error),
    })
    return false
  }
}

async function keep(trx: Transaction<DB>, one: Due, { mail: letters, log }: KeepingDependencies): Promise<void> {
  const { task_id: id, kind, template, case_id: caseId, desk, name } = one
  const to = kind === 'remind' ? await reminded(trx, one) : await peopleAbove(trx, id)
  const values = await lastWords(trx, caseId)
  const sent = await letters.send({ to, template, values, caseId, once: `promise:${id}:${kind}` })
  const meant = `${kind === 'remind' ? 'desk' : 'above'}:${desk}`
  if (sent.told === 0) await reportUndeliverable(trx, { caseId, template, to: meant, log })
  await promiseRepository(trx).keep(one)
  await incidentRepository(trx).resolveIncident(incidentOf(one))
  await audit(trx).record({
    actor: 'system:workers',
    action: kind === 'remind' ? 'desk.reminded' : 'desk.escalated',
    caseId,
    object: `task:${id}`,
    payload: { desk, task: name, template },
  })
}

/** A desk of the requester reminds the requester, even if others may answer there too. */
async function reminded(trx: Transaction<DB>, { task_id: id, assignee_id, requester_id }: Due): Promise<string[]> {
  const requester = `user:${requester_id}`
  const offered = await candidatesOf(trx, id)
  if (offered.some(({ principal }) => principal === requester)) return [requester]
  return peopleAt(trx, { id, assignee_id })
}

function incidentOf({ task_id, kind }: Due): string {
  return `promise-not-kept:${task_id}:${kind}`
}

/** Deletes the runs of earlier days. */
export async function forgetOldRuns(db: Kysely<DB> | Transaction<DB>, now: Date): Promise<void> {
  await db
    .deleteFrom('schedule_run')
    .where('topic', '=', KEEP_PROMISES)
    .where('at', '<', new Date(now.getTime() - RUNS_KEPT_MS))
    .execute()
}
