import { type Kysely, type Transaction, sql } from 'kysely'
import type { Logger } from 'pino'
import { audit } from '../../kernel/audit/audit.ts'
import { incidentRepository } from '../rows/incidents.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isTransient } from '../../kernel/db/database.ts'
import type { Engine } from '../../kernel/engine/port.ts'
import { candidatesOf, lastWords, peopleAbove, peopleAt, tellOperators } from './desk-people.ts'
import type { mail } from '../../records/mail/mail.ts'
import { type Due, promiseRepository } from './repository.ts'

/** The topic of the schedule that keeps what desks promise. */
const KEEP_PROMISES = 'platform.keep-promises'
/** Promises in one step. */
const AT_A_TIME = 10
/** Runs begin each minute; what an earlier day's did is of no interest to anybody. */
const KEPT_FOR = 86_400_000

export interface KeepingDependencies {
  mail: ReturnType<typeof mail>
  engine: Pick<Engine, 'openTasks'>
  now: Date
  log: Logger
}

/** What one step came to. */
export interface Kept {
  kept: number
  /** Where the next step begins; absent when all that is due has been looked at. */
  after?: string
}

/**
 * Writes the next mails that are due, each in the transaction that notes its promise as kept. The engine is asked first,
 * because it alone knows who is paused and what is over a moment before the feed hears of it; such a promise waits, and
 * the next run looks again. One mail that cannot be written holds up no other.
 */
export async function keepNextPromises(
  trx: Transaction<DB>,
  given: KeepingDependencies,
  after: string | undefined,
): Promise<Kept> {
  const due = await promiseRepository(trx).listDue(given.now, after, AT_A_TIME)
  const tasks = await given.engine.openTasks([...new Set(due.map((one) => one.task_id))])
  const open = new Map(tasks.map((task) => [task.id, task]))
  let kept = 0
  for (const one of due) {
    const task = open.get(one.task_id)
    if (!task || task.paused || task.definitionId !== one.process_definition_id) continue
    if (await tryToKeep(trx, one, given)) kept += 1
  }
  return { kept, ...(due.length === AT_A_TIME && { after: due.at(-1)!.place }) }
}

/** True if it is kept now, and was not before. */
async function tryToKeep(trx: Transaction<DB>, one: Due, given: KeepingDependencies): Promise<boolean> {
  await sql`savepoint one_promise`.execute(trx)
  try {
    // Another node may be at it, or somebody has decided meanwhile.
    const present = await promiseRepository(trx).take(one, given.now)
    if (present) await keep(trx, present, given)
    // Whoever decides about the task is not kept waiting for nothing.
    else await sql`rollback to savepoint one_promise`.execute(trx)
    await sql`release savepoint one_promise`.execute(trx)
    return present !== undefined
  } catch (error) {
    if (isTransient(error)) throw error
    await sql`rollback to savepoint one_promise`.execute(trx)
    given.log.error({ err: error, case: one.case_id, desk: one.desk }, 'sending a reminder or escalation failed')
    await incidentRepository(trx).openIncident({
      id: incidentOf(one),
      caseId: one.case_id,
      kind: 'promise-not-kept',
      element: one.desk,
      message: (error as Error).message,
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
  if (sent.told === 0) log.warn(await tellOperators(trx, { caseId, template, to: meant }))
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

/** At a desk of the requester it is they who promised, whoever else may answer there. */
async function reminded(trx: Transaction<DB>, { task_id: id, assignee_id, requester_id }: Due): Promise<string[]> {
  const requester = `user:${requester_id}`
  const offered = await candidatesOf(trx, id)
  if (offered.some(({ principal }) => principal === requester)) return [requester]
  return peopleAt(trx, { id, assignee_id })
}

function incidentOf({ task_id, kind }: Due): string {
  return `promise-not-kept:${task_id}:${kind}`
}

/** Takes away what runs of an earlier day have left. */
export async function forgetOldRuns(db: Kysely<DB> | Transaction<DB>, now: Date): Promise<void> {
  await db
    .deleteFrom('schedule_run')
    .where('topic', '=', KEEP_PROMISES)
    .where('at', '<', new Date(now.getTime() - KEPT_FOR))
    .execute()
}
