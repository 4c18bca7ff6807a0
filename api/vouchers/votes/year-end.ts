import { type Transaction, sql } from 'kysely'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../platform/kernel/errors.ts'
import { ledger } from '../../platform/records/ledger/ledger.ts'
import { VOTES, accountOf } from './accounts.ts'
import { lockVotes, successorOf } from './locking.ts'
import { postOf } from './posting.ts'
import { known } from '../../platform/kernel/known.ts'

/** Maximum vouchers of one vote carried over per step, to keep steps short. */
const MAX_CARRIED = 200

/** The open votes of a year, in lock order. */
export async function openVotesOf(trx: Transaction<DB>, year: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('register_item')
    .select('id')
    .where('register', '=', VOTES)
    .where('status', '<>', 'Closed')
    .where(sql`data ->> 'year'`, '=', String(year))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * One step of a vote's year-end: carries commitments over to its successor, then lapses what is available. Returns
 * whether the vote is empty; until then, call it again. Throws `vouchers.no-successor` if there are commitments and no
 * vote to take them over.
 */
export async function emptyVote(trx: Transaction<DB>, vote: string): Promise<boolean> {
  const successor = await successorOf(trx, vote)
  const locked = await lockVotes(trx, [vote, ...(successor === undefined ? [] : [successor])])
  const { rows } = await sql<{ case_id: string; amount: string }>`
    select e.case_id, sum(l.amount) as amount from ledger_line l join ledger_entry e on e.id = l.entry_id
    where l.account_id = ${accountOf(vote, 'committed')}
    group by e.case_id having sum(l.amount) <> 0 order by e.case_id limit ${MAX_CARRIED + 1}`.execute(trx)
  const voteOf = (id: string) => known(locked.get(id), 'a locked vote')
  for (const { case_id: caseId, amount } of rows.slice(0, MAX_CARRIED)) {
    if (successor === undefined || voteOf(successor).closed)
      throw new BusinessError('vouchers.no-successor', { vote: voteOf(vote).title })
    await postOf(trx, caseId, {
      kind: 'carried-over',
      lines: [
        { account: accountOf(vote, 'committed'), amount: -Number(amount) },
        { account: accountOf(successor, 'committed'), amount: Number(amount) },
      ],
      vote,
    })
  }
  if (rows.length > MAX_CARRIED) return false
  await lapse(trx, vote)
  return true
}

/** Lapses what a vote has available. */
async function lapse(trx: Transaction<DB>, vote: string): Promise<void> {
  const books = ledger(trx)
  const left = await books.balance(accountOf(vote, 'available'))
  if (left <= 0) return
  await books.post({
    key: `vote:${vote}:lapsed`,
    kind: 'lapsed',
    lines: [
      { account: accountOf(vote, 'available'), amount: -left },
      { account: accountOf(vote, 'lapsed'), amount: left },
    ],
  })
}
