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

/** Opens the account again of somebody who regains their standing. */
export async function regainStanding(trx: Transaction<DB>, accountId: string, why: Why): Promise<void> {
  await setActive(trx, accountId, true, why)
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
