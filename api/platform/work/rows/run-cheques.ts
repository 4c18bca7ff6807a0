import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'

/** How many cheques of a run are numbered. */
export async function countCheques(db: Kysely<DB>, caseId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from run_cheque where case_id = ${caseId}::uuid`.execute(db)
  return known(rows[0], 'the count').count
}

/** Locks a bank account, so that nobody else takes numbers of its cheques at the same time. */
export async function lockBankAccount(db: Kysely<DB>, id: string) {
  return db
    .selectFrom('register_item')
    .select(['register', 'data'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Gives each line that a paid run still pays a cheque, by name; numbers count up from the first. */
export async function insertCheques(
  db: Kysely<DB>,
  { caseId, account, first, by }: { caseId: string; account: string; first: number; by: string },
): Promise<void> {
  await sql`
    insert into run_cheque (line_id, case_id, bank_account_id, number, amount, by_account)
    select id, case_id, ${account}::uuid,
      lpad((${first}::integer - 1 + row_number() over (order by name, id))::text, 6, '0'), total, ${by}::uuid
    from run_line where case_id = ${caseId}::uuid and state = 'included'`.execute(db)
}
