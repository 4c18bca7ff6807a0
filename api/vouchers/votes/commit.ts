import type { Transaction } from 'kysely'
import type { DB } from '../../platform/kernel/db/database.generated.ts'
import { BusinessError } from '../../platform/kernel/errors.ts'
import { rupees } from '../../platform/kernel/rupees.ts'
import { ledger } from '../../platform/records/ledger/ledger.ts'
import { type VoteLine, accountOf } from './accounts.ts'
import { type Vote, lockHeld, sumsOf } from './locking.ts'
import { postOf } from './posting.ts'
import { known } from '../../platform/kernel/known.ts'

/**
 * Makes a voucher hold what its lines say: commits available money of its votes, and releases the excess. A paid
 * voucher commits nothing. Throws `vouchers.vote-exceeded` with the remainder of the first vote that has too little.
 */
export async function commitVoucher(trx: Transaction<DB>, caseId: string, lines: readonly VoteLine[]): Promise<void> {
  const { held, present } = await lockHeld(trx, caseId, lines)
  if ((await sumsOf(trx, caseId, 'spent')).length > 0) throw new Error('the voucher is paid already')
  const more = new Map<string, number>()
  const add = (vote: string, amount: number) => more.set(vote, (more.get(vote) ?? 0) + amount)
  for (const { vote, amount } of lines) add(known(present.get(vote), 'a locked vote').id, amount)
  for (const { vote, amount } of held) add(vote, -amount)
  const byId = new Map([...present.values()].map((vote) => [vote.id, vote]))
  const voteOf = (id: string) => known(byId.get(id), 'a locked vote')
  for (const [id, wanted] of [...more].toSorted()) if (wanted > 0) await checkLeft(trx, voteOf(id), wanted)
  const moved = [...more].filter(([, amount]) => amount !== 0)
  if (moved.length === 0) return
  await postOf(trx, caseId, {
    kind: 'committed',
    lines: moved.flatMap(([vote, amount]) => [
      { account: accountOf(vote, 'committed'), amount },
      { account: accountOf(vote, voteOf(vote).closed ? 'lapsed' : 'available'), amount: -amount },
    ]),
  })
}

async function checkLeft(trx: Transaction<DB>, { id, title, closed }: Vote, wanted: number): Promise<void> {
  const left = closed ? 0 : await ledger(trx).balance(accountOf(id, 'available'))
  if (left < wanted)
    throw new BusinessError('vouchers.vote-exceeded', { vote: title, left: rupees(left), wanted: rupees(wanted) })
}

/** Releases all that a voucher holds; nobody can use again what it held of a closed vote. */
export async function releaseVoucher(trx: Transaction<DB>, caseId: string): Promise<void> {
  const { held, present } = await lockHeld(trx, caseId)
  if (held.length === 0) return
  await postOf(trx, caseId, {
    kind: 'released',
    lines: held.flatMap(({ vote, amount }) => {
      const to = known(present.get(vote), 'a locked vote')
      return [
        { account: accountOf(vote, 'committed'), amount: -amount },
        { account: accountOf(to.id, to.closed ? 'lapsed' : 'available'), amount },
      ]
    }),
  })
}
