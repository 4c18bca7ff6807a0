import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'

/** The last number of a cheque: they have six digits. */
export const LAST_CHEQUE = 999_999

/** Maximum numbers to skip, for leaves that are torn or used out of order; more is treated as a typing error. */
const MAX_SKIPPED = 100

export const sixDigits = (number: number) => String(number).padStart(6, '0')

/** The numbers of a bank account's cheque book that may be used next. */
export interface ChequeBook {
  first: number
  /** The lowest unused one; after the last number there is none. */
  next: number
  /** The highest one that is no typing error. */
  furthest: number
}

/** The book in use of a bank account, from its first number. */
export async function chequeBook(db: Kysely<DB>, account: string, first: number): Promise<ChequeBook> {
  const { rows } = await sql<{ next: number }>`
    with used as (select number::integer as n from cheque_number
      where bank_account_id = ${account}::uuid and number >= ${sixDigits(first)})
    select case when exists (select from used where n = ${first}::integer)
        then (select min(n) + 1 from used where not exists (select from used as behind where behind.n = used.n + 1))
        else ${first}::integer end as next`.execute(db)
  const { next } = known(rows[0], 'the row of a query without a table')
  return { first, next, furthest: Math.min(next + MAX_SKIPPED, LAST_CHEQUE) }
}

/** The numbers that the book may use next, as written, if this is not one of them. */
export function outsideBook({ first, furthest }: ChequeBook, number: number): Record<string, string> | undefined {
  const isOutside = number < first || number > furthest
  return isOutside ? { from: sixDigits(first), until: sixDigits(furthest) } : undefined
}

/** The lowest number in a range that a cheque of the account has had. */
export async function firstUsedNumber(
  db: Kysely<DB>,
  account: string,
  { from, until }: { from: number; until: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('cheque_number')
    .select('number')
    .where('bank_account_id', '=', account)
    .where('number', '>=', sixDigits(from))
    .where('number', '<=', sixDigits(until))
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return row?.number
}
