import { type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { isStaff } from '../persons/person.ts'
import { findPerson } from './accounts.ts'
import { endSessions } from './sessions.ts'

/** Who closes or opens an account, for which case, and why. */
interface Why {
  by: string
  caseId: string
  reason: string
}

/**
 * Ends the sessions of an account whose owner loses a standing, such as that of a student, and closes it unless they
 * are staff as well.
 */
export async function loseStanding(trx: Transaction<DB>, accountId: string, why: Why): Promise<void> {
  const person = await findPerson(trx, accountId)
  await endSessions(trx, accountId, why)
  if (person && !isStaff(person)) await setActive(trx, accountId, false, why)
}

/** Opens the account again of somebody who regains their standing, unless it was not a case that closed it. */
export async function regainStanding(trx: Transaction<DB>, accountId: string, why: Why): Promise<void> {
  if (await wasClosedByCase(trx, accountId)) await setActive(trx, accountId, true, why)
}

/** Whether a case closed the account when it was last closed; the entries of administrators name no case. */
async function wasClosedByCase(trx: Transaction<DB>, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ case_id: string | null }>`
    select case_id from audit_entry
    where object = ${`account:${accountId}`} and action in ('account.opened', 'account.closed')
    order by id desc limit 1`.execute(trx)
  return (rows[0]?.case_id ?? null) !== null
}

async function setActive(
  trx: Transaction<DB>,
  accountId: string,
  active: boolean,
  { by, caseId, reason }: Why,
): Promise<void> {
  const changed = await trx
    .updateTable('account')
    .set((eb) => ({ active, version: eb('version', '+', 1), changed_at: sql<Date>`now()` }))
    .where('id', '=', accountId)
    .where('active', '<>', active)
    .returning('id')
    .executeTakeFirst()
  if (!changed) return
  await audit(trx).record({
    actor: by,
    action: active ? 'account.opened' : 'account.closed',
    caseId,
    object: `account:${accountId}`,
    payload: { before: { active: !active }, now: { active }, reason },
  })
}
