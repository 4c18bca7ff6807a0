import { type Kysely, type Transaction, sql } from 'kysely'
import { amountInWords } from '../../../forms/platform/derived.ts'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../platform/kernel/errors.ts'
import { documents } from '../../platform/records/documents/documents.ts'
import type { Item } from '../../platform/records/registers/item.ts'
import { known } from '../../platform/kernel/known.ts'

/** Signature lines; a cheque is unsigned when it is printed. */
const chequeSignatures = ['first', 'second'].map((which) => ({
  title: `vouchers.document.${which}-signature`,
  name: null,
  on: null,
}))
/** Kind of the cheque document. */
export const CHEQUE = 'vouchers/cheque'

/** Maximum numbers to skip, for leaves that are torn or used out of order; more is treated as a typing error. */
const MAX_SKIPPED = 100
const LAST_CHEQUE = 999_999

/**
 * The number of an account's next cheque: the lowest unused one of its book, or the given one. Throws
 * `vouchers.cheque-used`, `vouchers.cheque-outside-book` or `vouchers.cheque-book-out`.
 */
export async function chequeNumber(
  db: Kysely<DB>,
  { id, data }: Pick<Item, 'id' | 'data'>,
  typed?: string,
): Promise<string> {
  const first = Number(data['first_cheque'])
  const { rows } = await sql<{ next: number; taken: boolean }>`
    with used as (select number::integer as n from cheque_number
      where bank_account_id = ${id}::uuid and number >= ${sixDigits(first)})
    select case when exists (select from used where n = ${first}::integer)
        then (select min(n) + 1 from used where not exists (select from used as behind where behind.n = used.n + 1))
        else ${first}::integer end as next,
      exists (select from cheque_number
        where bank_account_id = ${id}::uuid and number = ${typed ?? null}) as taken`.execute(db)
  const { next, taken } = known(rows[0], 'the row of a query without a table')
  if (taken && typed !== undefined) throw new BusinessError('vouchers.cheque-used', { number: typed })
  if (typed === undefined && next > LAST_CHEQUE) throw new BusinessError('vouchers.cheque-book-out')
  const furthest = Math.min(next + MAX_SKIPPED, LAST_CHEQUE)
  if (typed !== undefined && (Number(typed) < first || Number(typed) > furthest))
    throw new BusinessError('vouchers.cheque-outside-book', { from: sixDigits(first), until: sixDigits(furthest) })
  return typed ?? sixDigits(next)
}

/** Issues a cheque as a document to print. */
export async function issueCheque(
  trx: Transaction<DB>,
  { caseId, number, by }: { caseId: string; number: string; by: string },
  {
    amount,
    ...data
  }: {
    reference: string
    cheque: string
    account: string
    issuedOn: string
    payee: string
    amount: number
  },
): Promise<void> {
  await documents(trx).issue({
    caseId,
    kind: CHEQUE,
    number,
    by,
    data: { ...data, amount, words: amountInWords(amount), signatures: chequeSignatures },
  })
}

function sixDigits(number: number): string {
  return String(number).padStart(6, '0')
}
