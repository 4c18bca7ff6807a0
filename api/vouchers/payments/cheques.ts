import { type Kysely, type Transaction, sql } from 'kysely'
import { amountInWords } from '../../../forms/platform/derived.ts'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../platform/kernel/errors.ts'
import { documents } from '../../platform/records/documents/documents.ts'
import type { Item } from '../../platform/records/registers/item.ts'

/** Nobody has signed a cheque that is about to be printed. */
const chequeSignatures = ['first', 'second'].map((which) => ({
  title: `vouchers.document.${which}-signature`,
  name: null,
  on: null,
}))
/** The paper of a cheque. */
export const CHEQUE = 'vouchers/cheque'

/** Numbers that may be left out, for leaves of the book that are torn or given out of turn: further on it is a slip. */
const MOST_SKIPPED = 100
const LAST_CHEQUE = 999_999

/**
 * The number of an account's next cheque: the lowest of its book that is unused, or the one that was typed. Throws
 * `vouchers.cheque-used`, `vouchers.cheque-outside-book` or `vouchers.cheque-book-out`.
 */
export async function chequeNumber(
  db: Kysely<DB>,
  { id, data }: Pick<Item, 'id' | 'data'>,
  typed?: string,
): Promise<string> {
  const first = Number(data['first_cheque'])
  const { rows } = await sql<{ next: number; taken: boolean }>`
    with used as (select cheque_number::integer as n from voucher_payment
      where bank_account_id = ${id}::uuid and cheque_number >= ${sixDigits(first)})
    select case when exists (select from used where n = ${first}::integer)
        then (select min(n) + 1 from used where not exists (select from used as behind where behind.n = used.n + 1))
        else ${first}::integer end as next,
      exists (select from voucher_payment
        where bank_account_id = ${id}::uuid and cheque_number = ${typed ?? null}) as taken`.execute(db)
  const { next, taken } = rows[0]!
  if (taken) throw new BusinessError('vouchers.cheque-used', { number: typed! })
  if (typed === undefined && next > LAST_CHEQUE) throw new BusinessError('vouchers.cheque-book-out')
  const furthest = Math.min(next + MOST_SKIPPED, LAST_CHEQUE)
  if (typed !== undefined && (Number(typed) < first || Number(typed) > furthest))
    throw new BusinessError('vouchers.cheque-outside-book', { from: sixDigits(first), until: sixDigits(furthest) })
  return typed ?? sixDigits(next)
}

/** Issues a cheque as a paper, to be printed. */
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
