import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BANK, ledger } from './ledger.ts'

/**
 * Posts that the fee of a case was paid, as income of its area; in cents. A case has one fee: what was accepted first stays,
 * also if a correction changes what the fee would be now.
 */
export async function takeFee(
  trx: Transaction<DB>,
  { caseId, amount, area, by }: { caseId: string; amount: number; area: string; by: string | null },
): Promise<void> {
  const books = ledger(trx)
  const key = `fee:${caseId}`
  if (await books.linesOf(key)) return
  const income = `fees:${area}`
  await books.open(BANK, 'asset')
  await books.open(income, 'income')
  await books.post({
    key,
    kind: 'fee-received',
    caseId,
    by,
    lines: [
      { account: BANK, amount },
      { account: income, amount: -amount },
    ],
  })
}
