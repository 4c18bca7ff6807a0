import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { DB } from '../../kernel/db/database.generated.ts'

/** What a one-time token permits. */
export type Purpose = 'set-password' | 'confirm-email'

/** Lifetimes in seconds, for mailed tokens and for those kept in the browser that created the account. */
const LIFE = { mailed: { 'set-password': 86_400, 'confirm-email': 7 * 86_400 }, kept: 1800 }

/** The account and purpose of a token. */
export interface OneTimeToken {
  id: string
  purpose: Purpose
  /** It was mailed to this address, so its bearer reads mails there. */
  mailed: boolean
  accountId: string
  username: string
  name: string
  email: string
  /** The account has a password already. */
  hasPassword: boolean
  /** The address is confirmed. */
  confirmed: boolean
}

/*
 * Tokens of 256 random bits for one use. Only their hashes are stored. A token is not valid for a closed account, or
 * after a change of address. Newer tokens do not invalidate mailed ones, because anybody can request one. Using one
 * revokes the others.
 */

function openTokens(trx: Kysely<DB>, token: string) {
  return trx
    .selectFrom('one_time_token')
    .innerJoin('account', 'account.id', 'one_time_token.account_id')
    .select((eb) => [
      'one_time_token.id',
      'purpose',
      'mailed',
      'account_id as accountId',
      'username',
      'name',
      'email',
      eb('password_hash', 'is not', null).$castTo<boolean>().as('hasPassword'),
      eb('email_confirmed_at', 'is not', null).$castTo<boolean>().as('confirmed'),
    ])
    .where('hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('active', '=', true)
    .whereRef('one_time_token.address', '=', 'account.email')
}

/** Creates a token; it is returned only here. */
export async function issueToken(
  trx: Kysely<DB>,
  accountId: string,
  purpose: Purpose,
  { mailed }: { mailed: boolean },
) {
  const token = randomBytes(32).toString('base64url')
  const seconds = mailed ? LIFE.mailed[purpose] : LIFE.kept
  const { expires_at } = await trx
    .insertInto('one_time_token')
    .columns(['id', 'account_id', 'purpose', 'address', 'hash', 'mailed', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .select([
          sql<string>`${uuid()}::uuid`.as('id'),
          'account.id as account_id',
          sql<string>`${purpose}`.as('purpose'),
          'account.email as address',
          sql<Buffer>`${hashOf(token)}::bytea`.as('hash'),
          sql<boolean>`${mailed}::boolean`.as('mailed'),
          sql<Date>`now() + make_interval(secs => ${seconds})`.as('expires_at'),
        ])
        .where('account.id', '=', accountId),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt: expires_at, seconds }
}

/** The purpose of a valid token; does not use it up. */
export async function findToken(trx: Kysely<DB>, token: string): Promise<OneTimeToken | undefined> {
  return openTokens(trx, token).executeTakeFirst()
}

/** The token, used up when the transaction commits; undefined if it is not valid. */
export async function redeemToken(trx: Kysely<DB>, token: string, purpose: Purpose): Promise<OneTimeToken | undefined> {
  const found = await openTokens(trx, token)
    .where('purpose', '=', purpose)
    .forUpdate('one_time_token')
    .executeTakeFirst()
  if (found)
    await trx
      .updateTable('one_time_token')
      .set({ used_at: sql`now()` })
      .where('id', '=', found.id)
      .execute()
  return found
}

/** Revokes every token of this purpose. */
export async function revokeTokens(trx: Kysely<DB>, accountId: string, purpose: Purpose): Promise<void> {
  await trx
    .updateTable('one_time_token')
    .set({ used_at: sql`now()` })
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
