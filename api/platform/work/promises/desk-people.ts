import { type Transaction, sql } from 'kysely'
import type { Logger } from 'pino'
import { known } from '../../kernel/known.ts'
import { readUnits } from '../../people/access/units.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isHeld } from '../../people/access/principals.ts'

/** The part of a task that its mails need. */
interface TaskOfDesk {
  id: string
  assignee_id: string | null
  decided_by?: string | null
}

/** The person who has or decided a task, otherwise all its candidates. */
export async function peopleAt(trx: Transaction<DB>, task: TaskOfDesk): Promise<string[]> {
  const holder = task.decided_by ?? task.assignee_id
  if (holder) return [`user:${holder}`]
  return (await candidatesOf(trx, task.id)).map(({ principal }) => principal)
}

/** The people above a task's desk: the substitute of each candidate, or an administrator if there is none. */
export async function peopleAbove(trx: Transaction<DB>, taskId: string): Promise<string[]> {
  const units = await readUnits(trx)
  const found = new Set<string>()
  for (const { principal, stands_in_for } of await candidatesOf(trx, taskId)) {
    if (stands_in_for !== null || principal.startsWith('user:')) continue
    for (const next of units.standIns(principal))
      if (await isHeld(trx, [next])) {
        found.add(next)
        break
      }
  }
  return found.size > 0 ? [...found] : ['ADMIN']
}

/** The candidates of a task, and the principals they replace. */
export async function candidatesOf(
  trx: Transaction<DB>,
  taskId: string,
): Promise<{ principal: string; stands_in_for: string | null }[]> {
  return trx.selectFrom('task_candidate').select(['principal', 'stands_in_for']).where('task_id', '=', taskId).execute()
}

/**
 * Texts that mails about a case may quote: the last reason given, and the last message of a failed step; '' if there is
 * none.
 */
export async function lastWords(trx: Transaction<DB>, caseId: string): Promise<{ reason: string; refusal: string }> {
  const { rows } = await sql<{ reason: string; refusal: string }>`
    select coalesce((select withdrawal_reason from flow_case where id = ${caseId}), (select data ->> 'reason' from submission
        where case_id = ${caseId} and effect <> 'void' and jsonb_typeof(data -> 'reason') = 'string'
        order by at desc limit 1), '') as reason,
      coalesce((select error_message from worker_run
        where case_id = ${caseId} and outcome = 'business-error'
        order by at desc limit 1), '') as refusal`.execute(trx)
  return known(rows[0], 'the texts of the case')
}

/** A mail without a recipient does not stop a case but opens an incident, and is logged. */
export async function reportUndeliverable(
  trx: Transaction<DB>,
  { caseId, template, to, log }: { caseId: string; template: string; to: string; log: Logger },
): Promise<void> {
  const message = `mail not sent, no recipient: template ${template}, to ${to}`
  await trx
    .insertInto('incident')
    .values({ id: `mail-to-nobody:${caseId}:${template}`, case_id: caseId, kind: 'mail-to-nobody', message })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  log.warn({ case: caseId, template, to }, 'mail not sent, no recipient; an incident is open')
}
