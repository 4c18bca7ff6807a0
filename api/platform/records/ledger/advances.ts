import { type Transaction, sql } from 'kysely'
import type { DB } from '../../kernel/db/database.generated.ts'
import { known } from '../../kernel/known.ts'
import { ledger } from './ledger.ts'

interface Returned {
  /** The case that the advance was for. */
  caseId: string
  /** The case that paid it. */
  paidBy: string
  /** In cents. */
  amount: number
  receipt: string
  by: string
}

/**
 * Posts that an advance came back: to the bank account from which it was paid, and to its votes, in the order in which the
 * case that paid it names them, until the amount is reached; on a vote that was closed since, it lapses. The database
 * permits it once per payment, with a receipt of its own, and no more than was paid.
 */
export async function returnAdvance(
  trx: Transaction<DB>,
  { caseId, paidBy, amount, receipt, by }: Returned,
): Promise<void> {
  const paid = await netOf(trx, paidBy)
  const spent = paid.filter(({ account, net }) => net > 0 && account.endsWith(':spent'))
  const closed = await lockClosed(
    trx,
    spent.map(({ account }) => itemOf(account)),
  )
  const bank = known(
    paid.find(({ account, net }) => net < 0 && account.startsWith('bank')),
    'the account from which it was paid',
  )
  const expense = known(
    paid.find(({ account, net }) => net > 0 && account.startsWith('expenditure:')),
    'the expense',
  )
  let left = amount
  const lines = spent.flatMap(({ account, net }) => {
    const back = Math.min(left, net)
    if (back === 0) return []
    left -= back
    const to = closed.has(itemOf(account)) ? 'lapsed' : 'available'
    return [
      { account, amount: -back },
      { account: account.replace(/spent$/, to), amount: back },
    ]
  })
  if (left > 0) throw new Error(`${left} cents more came back than were spent`)
  await ledger(trx).post({
    key: `advance:${paidBy}:returned`,
    kind: 'advance-returned',
    caseId,
    memo: receipt,
    by,
    lines: [...lines, { account: bank.account, amount }, { account: expense.account, amount: -amount }],
  })
}

/** The item of an account such as `vote:…:spent`. */
const itemOf = (account: string) => known(account.split(':')[1], 'the item of an account')

/** What a case has moved on each account, in cents, in the order of its lines. */
async function netOf(trx: Transaction<DB>, caseId: string): Promise<{ account: string; net: number }[]> {
  const { rows } = await sql<{ account: string; net: string }>`
    select l.account_id as account, sum(l.amount) as net from ledger_line l join ledger_entry e on e.id = l.entry_id
      join flow_case c on c.id = e.case_id
    where e.case_id = ${caseId}::uuid group by l.account_id, c.data having sum(l.amount) <> 0
    order by nullif(position(split_part(l.account_id, ':', 2) in c.data ->> 'lines'), 0), 1`.execute(trx)
  return rows.map(({ account, net }) => ({ account, net: Number(net) }))
}

/** Locks votes in the order of their ids; returns those that are closed. */
async function lockClosed(trx: Transaction<DB>, votes: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('register_item')
    .select(['id', 'status'])
    .where('id', 'in', votes)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(rows.filter(({ status }) => status === 'Closed').map(({ id }) => id))
}
