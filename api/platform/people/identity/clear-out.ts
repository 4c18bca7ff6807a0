import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { endSessions } from './sessions.ts'

/**
 * Removes what gives access to an account beside its password: passkeys, authenticator, recovery codes, pending
 * sign-ins and sessions. Returns how many factors it had.
 */
export async function clearOut(
  trx: Transaction<DB>,
  accountId: string,
  why: { by: string; reason: string },
): Promise<number> {
  const passkeys = await trx.deleteFrom('passkey').where('account_id', '=', accountId).executeTakeFirst()
  const totp = await trx
    .deleteFrom('totp')
    .where('account_id', '=', accountId)
    .returning('confirmed_at')
    .executeTakeFirst()
  await trx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await trx.deleteFrom('challenge').where('account_id', '=', accountId).execute()
  await endSessions(trx, accountId, why)
  return Number(passkeys.numDeletedRows) + (totp?.confirmed_at ? 1 : 0)
}
