import { createHash } from 'node:crypto'
import { type Transaction, sql } from 'kysely'
import type { DB } from './database.generated.ts'
import { BusinessError } from '../errors.ts'

/** Owner of the keys of people who are not signed in; no account has this id. */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

/** A key that the sender chose for one request, and the request. */
export interface Repeatable {
  accountId: string
  key: string
  request: unknown
}

/**
 * Runs an act once per key, however often the request is sent. The result is stored in the same transaction; a repeat
 * returns it, and concurrent requests wait. Call it first in the transaction. A key is valid for a day; throws if it
 * comes with another request.
 */
export async function once<T>(
  trx: Transaction<DB>,
  { accountId, key, request }: Repeatable,
  act: () => Promise<T>,
): Promise<{ result: T; repeated: boolean }> {
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('idempotency')
    .values({ account_id: accountId, key, request_hash: hash })
    .onConflict((oc) =>
      oc
        .columns(['account_id', 'key'])
        .doUpdateSet({ request_hash: hash, status: null, body: null, at: sql`now()` })
        .where('idempotency.at', '<', sql<Date>`now() - interval '1 day'`),
    )
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) {
    const row = await trx
      .selectFrom('idempotency')
      .select(['request_hash', 'body'])
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    if (row.request_hash !== hash) throw new BusinessError('platform.idempotency-key-reused')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of the same act for the same request
    return { result: row.body as T, repeated: true }
  }
  const result = await act()
  await trx
    .updateTable('idempotency')
    .set({ body: JSON.stringify(result) })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute()
  return { result, repeated: false }
}
