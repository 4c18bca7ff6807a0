import type { Transaction } from 'kysely'
import { audit } from '../../kernel/audit/audit.ts'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BusinessError } from '../../kernel/errors.ts'
import type { Language } from '../../model/library/library.ts'
import { createAccount, isNameTaken } from './accounts.ts'

/** An account that nobody of the university gives; without `passwordHash`, its owner sets a password later. */
interface OwnAccount {
  username: string
  email: string
  name: string
  passwordHash?: string
  language: Language
  /** The register entry that supplies the name, if there is one. */
  record?: string
  /** Who makes it for somebody else. */
  by?: string | undefined
}

/** Makes an account; returns its id. Throws if its email or username is another account's. */
export async function makeOwnAccount(
  trx: Transaction<DB>,
  { username, email, name, passwordHash, language, record, by }: OwnAccount,
): Promise<string> {
  const taken = (code: string, field: string) => new BusinessError(code, {}, [{ field, code }])
  if (await isNameTaken(trx, email)) throw taken('platform.email-taken', '/email')
  if (username !== email && (await isNameTaken(trx, username))) throw taken('platform.username-taken', '/username')
  const hashed = passwordHash === undefined ? {} : { passwordHash }
  const id = await createAccount(trx, { username, email, name, ...hashed }).catch((error: unknown) => {
    // Another request was faster.
    throw error instanceof BusinessError && error.code === 'platform.account-taken'
      ? taken('platform.email-taken', '/email')
      : error
  })
  const made = await trx
    .updateTable('account')
    .set({ language, record_id: record ?? null })
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirstOrThrow()
  await audit(trx).record({
    actor: by ?? id,
    action: 'account.made',
    object: `account:${id}`,
    payload: { username, email, name: made.name },
  })
  return id
}
