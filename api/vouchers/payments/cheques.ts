import type { Kysely, Transaction } from 'kysely'
import { amountInWords } from '../../../forms/platform/derived.ts'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../platform/kernel/errors.ts'
import { documents } from '../../platform/records/documents/documents.ts'
import type { Item } from '../../platform/records/registers/item.ts'
import {
  LAST_CHEQUE,
  chequeBook,
  firstUsedNumber,
  outsideBook,
  sixDigits,
} from '../../platform/work/rows/cheque-books.ts'

/** Signature lines; a cheque is unsigned when it is printed. */
const chequeSignatures = ['first', 'second'].map((which) => ({
  title: `vouchers.document.${which}-signature`,
  name: null,
  on: null,
}))
/** Kind of the cheque document. */
export const CHEQUE = 'vouchers/cheque'

/**
 * The number of an account's next cheque: the lowest unused one of its book, or the given one. Throws
 * `vouchers.cheque-used`, `vouchers.cheque-outside-book` or `vouchers.cheque-book-out`.
 */
export async function chequeNumber(
  db: Kysely<DB>,
  { id, data }: Pick<Item, 'id' | 'data'>,
  typed?: string,
): Promise<string> {
  const book = await chequeBook(db, id, Number(data['first_cheque']))
  if (typed === undefined) {
    if (book.next > LAST_CHEQUE) throw new BusinessError('vouchers.cheque-book-out')
    return sixDigits(book.next)
  }
  const number = Number(typed)
  if ((await firstUsedNumber(db, id, { from: number, until: number })) !== undefined)
    throw new BusinessError('vouchers.cheque-used', { number: typed })
  const outside = outsideBook(book, number)
  if (outside) throw new BusinessError('vouchers.cheque-outside-book', outside)
  return typed
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
