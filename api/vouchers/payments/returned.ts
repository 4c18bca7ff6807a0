import { type Kysely, type Transaction, sql } from 'kysely'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { known } from '../../platform/kernel/known.ts'
import { ledger } from '../../platform/records/ledger/ledger.ts'
import { EXPENDITURE, accountOf, bankOf } from '../votes/accounts.ts'
import { lockPresent, sumsOf } from '../votes/locking.ts'

const KIND = 'advance-returned'

/** The payment of a voucher that reached the payee. */
export async function settledPayment(db: Kysely<DB>, voucher: string) {
  const row = await db
    .selectFrom('voucher_payment')
    .select(['amount', 'bank_account_id'])
    .where('case_id', '=', voucher)
    .where('state', '=', 'settled')
    .executeTakeFirst()
  return row && { amount: Number(row.amount), account: row.bank_account_id }
}

/** Whether an advance was returned with this receipt, by its letters and digits. */
export async function isReceiptUsed(db: Kysely<DB>, receipt: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_entry')
    .select('id')
    .where('kind', '=', KIND)
    .where(sql<boolean>`app.plain_reference(memo) = app.plain_reference(${receipt})`)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Posts that an advance came back: to the account from which it was paid, and to its votes, line by line, until the
 * amount is reached. A vote that was closed since gives way to the one that replaces it. The database permits it once
 * per voucher, with a receipt of its own, and no more than was paid.
 */
export async function returnAdvance(
  trx: Transaction<DB>,
  {
    caseId,
    voucher,
    amount,
    receipt,
    by,
  }: { caseId: string; voucher: string; amount: number; receipt: string; by: string },
): Promise<void> {
  const { account } = known(await settledPayment(trx, voucher), 'the payment of the advance')
  const spent = await sumsOf(trx, voucher, 'spent')
  const present = await lockPresent(
    trx,
    spent.map(({ vote }) => vote),
  )
  let left = amount
  const lines = spent.flatMap(({ vote, amount: most }) => {
    const back = Math.min(left, most)
    left -= back
    const { id, closed } = known(present.get(vote), 'a locked vote')
    if (back === 0) return []
    return [
      { account: accountOf(vote, 'spent'), amount: -back },
      { account: accountOf(id, closed ? 'lapsed' : 'available'), amount: back },
    ]
  })
  if (left > 0) throw new Error(`the voucher has spent ${left} cents less than came back`)
  await ledger(trx).post({
    key: `advance:${voucher}:returned`,
    kind: KIND,
    caseId,
    memo: receipt,
    by,
    lines: [...lines, { account: bankOf(account), amount }, { account: EXPENDITURE, amount: -amount }],
  })
}
