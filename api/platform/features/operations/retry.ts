import type { Transaction } from 'kysely'
import { known } from '../../kernel/known.ts'
import { audit } from '../../kernel/audit/audit.ts'
import { announce } from '../../kernel/db/changed.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { EngineFault, EngineRefusal } from '../../kernel/engine/port.ts'
import { type Person, admits } from '../../people/persons/person.ts'
import {
  type Trouble,
  listTroubleIds,
  findTroubles,
  closeIncident,
  rebuildCase,
  sendMailAgain,
  applyEventAgain,
  retryJob,
} from './repository.ts'
import { type OperationsDependencies, OPERATORS } from './context.ts'
import { remedyOf } from './troubles.ts'

/** Result for one item. `gone`: it was already over; `failed`: not possible now, try again later. */
interface Answer {
  id: string
  outcome: 'retried' | 'closed' | 'gone' | 'failed'
}

/** Maximum items per request. */
const MAX_ITEMS = 100

/**
 * Retries each of these, or closes it if there is nothing to retry; returns a result for every one. Changes to rows
 * share a transaction with their audit entry. The engine is called after the entry is written.
 */
export async function retryTroubles(
  context: OperationsDependencies,
  person: Person,
  { items, cause, reason }: { items?: string[] | undefined; cause?: string | undefined; reason: string },
): Promise<Answer[]> {
  const { db } = context
  const ids = items ?? (cause === undefined ? [] : await listTroubleIds(db, cause, MAX_ITEMS))
  const found = new Map((await findTroubles(db, ids)).map((one) => [one.id, one]))
  const answers: Answer[] = []
  for (const id of new Set(ids)) {
    const trouble = found.get(id)
    answers.push({ id, outcome: trouble ? await remedyOne(context, person, trouble, reason) : 'gone' })
  }
  const cases = [...found.values()].flatMap(({ caseId }) => caseId ?? [])
  await announce(db, { principals: [], cases: [...new Set(cases)], tasks: [] })
  return answers
}

async function remedyOne(
  context: OperationsDependencies,
  person: Person,
  trouble: Trouble,
  reason: string,
): Promise<Answer['outcome']> {
  const { db } = context
  const { id, kind, caseId } = trouble
  const way = remedyOf(kind)
  if (way === null) return 'failed'
  const key = id.slice(id.indexOf(':') + 1)
  const done = await db.transaction().execute(async (trx) => {
    if (!(await changeRows(trx, trouble, key))) return false
    await audit(trx).record({
      actor: person.id,
      actedAs: admits(person, OPERATORS) ?? null,
      action: way === 'retry' ? 'operation.retried' : 'operation.closed',
      caseId,
      object: id,
      payload: { kind, reason, message: trouble.message },
    })
    return true
  })
  if (!done) return 'gone'
  const outcome = await askEngine(context, person, kind, key)
  if (outcome === undefined) return way === 'retry' ? 'retried' : 'closed'
  // The entry above states the attempt; add one if it did not succeed.
  if (outcome !== 'retried')
    await db.transaction().execute((trx) =>
      audit(trx).record({
        actor: person.id,
        actedAs: admits(person, OPERATORS) ?? null,
        action: 'operation.without-effect',
        caseId,
        object: id,
        payload: { kind, reason, outcome },
      }),
    )
  return outcome
}

/** Changes the rows; false if it is over. */
async function changeRows(trx: Transaction<DB>, { kind, caseId }: Trouble, key: string): Promise<boolean> {
  switch (kind) {
    case 'drifted':
      return rebuildCase(trx, known(caseId, 'the case that has drifted'))
    case 'mail-not-sent': {
      // A mail that is deleted or sent needs no operator either way.
      const again = await sendMailAgain(trx, key.slice('mail:'.length))
      return (await closeIncident(trx, key)) && again
    }
    case 'parked-event':
      return caseId === null ? applyEventAgain(trx, key) : rebuildCase(trx, caseId)
    case 'job-given-up':
      return retryJob(trx, key)
    case 'orphaned-effect':
    case 'mail-to-nobody':
    case 'promise-not-kept':
      return closeIncident(trx, key)
    default:
      return true
  }
}

/** Calls the engine; undefined if only rows had to change. */
async function askEngine(
  context: OperationsDependencies,
  person: Person,
  kind: string,
  key: string,
): Promise<Answer['outcome'] | undefined> {
  const { db, sender } = context
  if (kind === 'failedJob' || kind === 'failedExternalTask') return retryAtEngine(context, person, key)
  if (kind !== 'command-not-taken') return undefined
  const delivered = await sender.deliver({ id: key.slice('command:'.length) })
  if (delivered === 'done') return 'retried'
  if (delivered === 'pending') return 'failed'
  await closeIncident(db, key)
  return 'gone'
}

async function retryAtEngine(
  { db, engine }: OperationsDependencies,
  person: Person,
  incident: string,
): Promise<Answer['outcome']> {
  try {
    await engine.retry({ id: incident, user: person.id })
    return 'retried'
  } catch (error) {
    if (error instanceof EngineFault) return 'failed'
    if (!(error instanceof EngineRefusal)) throw error
    // The feed has not reported yet that the engine has closed it.
    await closeIncident(db, incident)
    return 'gone'
  }
}
