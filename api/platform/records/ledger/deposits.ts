import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { BANK, ledger } from './ledger.ts'

/** The account of the deposit that the university holds for a case. */
const accountOf = (caseId: string) => `deposit:${caseId}`

interface Deposit {
  caseId: string
  /** In cents. */
  amount: number
  /** Who took, charged or paid it. */
  by: string
}

/** Posts that the deposit of a case was paid; once, however often it is called. */
export async function holdDeposit(trx: Transaction<DB>, { caseId, amount, by }: Deposit): Promise<void> {
  const books = ledger(trx)
  await books.open(BANK, 'asset')
  await books.open(accountOf(caseId), 'liability', { caseId })
  await books.post({
    key: `deposit:${caseId}:held`,
    kind: 'deposit-held',
    caseId,
    by,
    lines: [
      { account: BANK, amount },
      { account: accountOf(caseId), amount: -amount },
    ],
  })
}

/** Posts what is kept of a deposit for damage or loss, as income of the area. */
export async function chargeDeposit(
  trx: Transaction<DB>,
  { caseId, amount, by, area }: Deposit & { area: string },
): Promise<void> {
  const books = ledger(trx)
  const income = `damages:${area}`
  await books.open(income, 'income')
  await books.post({
    key: `deposit:${caseId}:charged`,
    kind: 'deposit-charged',
    caseId,
    by,
    lines: [
      { account: accountOf(caseId), amount },
      { account: income, amount: -amount },
    ],
  })
}

/** What is left of the deposit of a case, in cents; 0 if there is none. */
export async function depositLeft(trx: Transaction<DB>, caseId: string): Promise<number> {
  return ledger(trx).balance(accountOf(caseId))
}

const CAME_BACK = 'payment-came-back'

/** The key of the present payment of what is left of a deposit: the first, or another one after one that came back. */
async function keyOfPayment(trx: Transaction<DB>, origin: string, caseId: string): Promise<string> {
  const back = (await ledger(trx).entries(caseId)).filter(({ kind }) => kind === CAME_BACK).length
  return back === 0 ? `deposit:${origin}:returned` : `deposit:${origin}:returned:${back + 1}`
}

/**
 * Posts that the deposit of the case `origin` was paid back: once, unless that came back, and no more than is left of it,
 * because the account of a deposit does not fall below zero.
 */
export async function returnDeposit(
  trx: Transaction<DB>,
  { origin, caseId, amount, by }: Deposit & { origin: string },
): Promise<void> {
  await ledger(trx).post({
    key: await keyOfPayment(trx, origin, caseId),
    kind: 'deposit-returned',
    caseId,
    by,
    lines: [
      { account: accountOf(origin), amount },
      { account: BANK, amount: -amount },
    ],
  })
}

/**
 * Posts that the last payment of the deposit of the case `origin` came back: the whole payment, once. The deposit is
 * held again.
 */
export async function takeDepositBack(
  trx: Transaction<DB>,
  { origin, caseId, amount, by }: Deposit & { origin: string },
): Promise<void> {
  await ledger(trx).post({
    key: `${await keyOfPayment(trx, origin, caseId)}:back`,
    kind: CAME_BACK,
    caseId,
    by,
    lines: [
      { account: accountOf(origin), amount: -amount },
      { account: BANK, amount },
    ],
  })
}
