import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { NO_ACCOUNT } from '../../kernel/db/idempotency.ts'

/** Rows of each kind deleted per call. */
const BATCH = 50

/**
 * Deletes some expired rows: tokens, challenges, spent proofs, failure counts, sessions older than a month, drafts of
 * tasks that were over by then, start forms unchanged for three months and those begun a year ago, and idempotency keys of the person and of some
 * guests. Every sign-in and refresh does a little, so nothing accumulates and no further schedule is needed.
 */
export async function tidy(trx: Transaction<DB>, accountId: string): Promise<void> {
  const old = (table: string, where: string) => sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.raw(where)} limit ${BATCH} for update skip locked))`
  await sql`
    with a as (${old('refresh_token', 'expires_at < now()')}),
      b as (${old('one_time_token', `expires_at < now() - interval '1 day'`)}),
      c as (${old('challenge', 'expires_at < now()')}),
      d as (${old('spent_proof', 'expires_at < now()')}),
      e as (${old('throttle', 'until < now()')}),
      f as (${old(
        'session',
        `expires_at < now() - interval '30 days' and not exists (select from refresh_token where family = session.id)`,
      )}),
      g as (${old('idempotency', `account_id = '${NO_ACCOUNT}' and at < now() - interval '2 days'`)}),
      h as (${old(
        'task_draft',
        `saved_at < now() - interval '30 days' and exists (
          select from task where id = task_id and ended_at < now() - interval '30 days')`,
      )}),
      i as (${old('start_draft', `saved_at < now() - interval '90 days'`)}),
      j as (${old('begun_form', `begun_at < now() - interval '1 year'`)})
    delete from idempotency where account_id = ${accountId} and at < now() - interval '2 days'`.execute(trx)
}
