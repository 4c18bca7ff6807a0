import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'

/** A start form of a flow about an entry. */
export interface BegunForm {
  flow: string
  item: string
}

/** Notes that somebody begins a form, or a visitor without an account; the first time counts. Returns its id. */
export async function noteBegun(
  db: Kysely<DB> | Transaction<DB>,
  { flow, item }: BegunForm,
  accountId: string | null,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with added as (
      insert into begun_form (flow, item, account_id) values (${flow}, ${item}, ${accountId})
      on conflict do nothing returning id)
    select id from added union all
    select id from begun_form where flow = ${flow} and item = ${item} and account_id = ${accountId}`.execute(db)
  const [first] = rows
  // Two tabs at the same time: the other one's row was not visible yet.
  return first?.id ?? noteBegun(db, { flow, item }, accountId)
}

/** Gives what a visitor had begun to their new account; does nothing if it is not theirs to have. */
export async function claimBegun(
  trx: Kysely<DB> | Transaction<DB>,
  { id, flow, item }: BegunForm & { id: string },
  accountId: string,
): Promise<void> {
  await trx
    .updateTable('begun_form')
    .set({ account_id: accountId })
    .where('id', '=', id)
    .where('flow', '=', flow)
    .where('item', '=', item)
    .where('account_id', 'is', null)
    .execute()
}

/** Deletes what visitors had begun with an entry and never sent. */
export async function deleteUnclaimed(db: Kysely<DB> | Transaction<DB>, { flow, item }: BegunForm): Promise<void> {
  await db
    .deleteFrom('begun_form')
    .where('flow', '=', flow)
    .where('item', '=', item)
    .where('account_id', 'is', null)
    .execute()
}

/** The entries whose form somebody has begun. */
export async function listBegun(db: Kysely<DB>, flow: string, accountId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('begun_form')
    .select('item')
    .where('flow', '=', flow)
    .where('account_id', '=', accountId)
    .execute()
  return new Set(rows.map(({ item }) => item))
}
