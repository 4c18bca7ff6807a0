import { type Transaction, sql } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { createAccount, isNameTaken } from './accounts.ts'

/** An account that somebody makes for themselves; without `passwordHash`, they set a password later. */
interface OwnAccount {
  username: string
  email: string
  name: string
  passwordHash?: string
  language: Language
}

/** Makes an account; returns its id. Throws if its email or username is another account's. */
export async function makeOwnAccount(
  trx: Transaction<DB>,
  { username, email, name, language, ...rest }: OwnAccount,
): Promise<string> {
  const taken = (code: string, field: string) => new BusinessError(code, {}, [{ field, code }])
  if (await isNameTaken(trx, email)) throw taken('platform.email-taken', '/email')
  if (username !== email && (await isNameTaken(trx, username))) throw taken('platform.username-taken', '/username')
  const id = await createAccount(trx, { username, email, name, ...rest }).catch((error: unknown) => {
    // Another request was faster.
    throw error instanceof BusinessError && error.code === 'platform.account-taken'
      ? taken('platform.email-taken', '/email')
      : error
  })
  const secured = rest.passwordHash === undefined ? {} : { password_changed_at: sql<Date>`now()` }
  await trx
    .updateTable('account')
    .set({ language, ...secured })
    .where('id', '=', id)
    .execute()
  await audit(trx).record({
    actor: id,
    action: 'account.made',
    object: `account:${id}`,
    payload: { username, email, name },
  })
  return id
}
