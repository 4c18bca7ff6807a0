import { createHash } from 'node:crypto'
import { type Transaction, sql } from 'kysely'
import type { DB } from './database.generated.ts'
import { BusinessError } from '../errors.ts'

/** Whose keys are those of people who have not signed in: an account that there is not. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

/** A key that its sender chose for one request, with what was requested. */
export interface Repeatable {
  accountId: string
  key: string
  request: unknown
}

/**
 * Does something once per key, however often it is sent: the result is stored in the same transaction, a repeat gets
 * the stored one, and two at once wait for each other. Call it as the first thing of the transaction. A key is good for
 * a day; one that comes with another request is refused.
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
