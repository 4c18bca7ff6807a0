import type { Transaction } from 'kysely'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { ledger } from '../../platform/records/ledger/ledger.ts'
import { EXPENDITURE, accountOf, bankOf } from './accounts.ts'
import { lockHeld, lockPresent } from './locking.ts'
import { postOf } from './posting.ts'
import { known } from '../../platform/kernel/known.ts'

/**
 * Spends all that a voucher holds, which must be `total`, from an account of the university. Returns the entry's key.
 */
export async function spendHeld(
  trx: Transaction<DB>,
  caseId: string,
  total: number,
  bankAccount: string,
): Promise<string> {
  const { held } = await lockHeld(trx, caseId)
  const sum = held.reduce((all, { amount }) => all + amount, 0)
  if (sum !== total) throw new Error(`the voucher is over ${total} cents and holds ${sum}`)
  const books = ledger(trx)
  await books.open(bankOf(bankAccount), 'asset', { overdraft: true })
  await books.open(EXPENDITURE, 'expense')
  return postOf(trx, caseId, {
    kind: 'paid',
    lines: [
      ...held.flatMap(({ vote, amount }) => [
        { account: accountOf(vote, 'committed'), amount: -amount },
        { account: accountOf(vote, 'spent'), amount },
      ]),
      { account: bankOf(bankAccount), amount: -total },
      { account: EXPENDITURE, amount: total },
    ],
  })
}

/** Reverses a payment: the voucher holds again what it had spent. Returns the entry's key. */
export async function reverseSpending(trx: Transaction<DB>, caseId: string, entryKey: string): Promise<string> {
  const paid = await ledger(trx).linesOf(entryKey)
  if (!paid) throw new Error(`there is no entry ${entryKey}`)
  const spent = paid.filter(({ account }) => account.endsWith(':spent'))
  const voteOf = (account: string) => known(account.split(':')[1], 'the vote of an account')
  const present = await lockPresent(
    trx,
    spent.map(({ account }) => voteOf(account)),
  )
  return postOf(trx, caseId, {
    kind: 'payment-taken-back',
    lines: [
      ...paid
        .filter(({ account }) => !account.startsWith('vote:'))
        .map(({ account, amount }) => ({ account, amount: -amount })),
      ...spent.flatMap(({ account, amount }) => [
        { account, amount: -amount },
        { account: accountOf(known(present.get(voteOf(account)), 'a locked vote').id, 'committed'), amount },
      ]),
    ],
  })
}
