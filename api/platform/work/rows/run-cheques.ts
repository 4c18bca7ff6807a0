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

interface Numbering {
  caseId: string
  account: string
  first: number
  last: number
  /** Numbers between them that no cheque gets. */
  torn: readonly number[]
  by: string
}

/** Gives each line that a paid run still pays a cheque, by name; numbers count up from the first. */
export async function insertCheques(
  db: Kysely<DB>,
  { caseId, account, first, last, torn, by }: Numbering,
): Promise<void> {
  await sql`
    insert into run_cheque (line_id, case_id, bank_account_id, number, amount, by_account)
    select l.id, l.case_id, ${account}::uuid, lpad(n.number::text, 6, '0'), l.total, ${by}::uuid
    from (select *, row_number() over (order by name, id) as place from run_line
        where case_id = ${caseId}::uuid and state = 'included') l
      join (select number, row_number() over (order by number) as place
        from generate_series(${first}::integer, ${last}::integer) number where number <> all(${[...torn]}::integer[])) n
      using (place)`.execute(db)
}

/** Uses up the numbers of torn leaves: no cheque ever has one. */
export async function useUpTorn(db: Kysely<DB>, account: string, numbers: readonly string[]): Promise<void> {
  if (numbers.length > 0) await sql`select cheques_are_torn(${account}::uuid, ${[...numbers]}::text[])`.execute(db)
}
