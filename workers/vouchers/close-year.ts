import Type from 'typebox'
import { VOTES } from '../../api/vouchers/votes/accounts.ts'
import { emptyVote, openVotesOf } from '../../api/vouchers/votes/year-end.ts'
import { worker } from '../platform/worker.ts'

/**
 * A step of the end of a financial year: what vouchers still hold goes to the votes of the same numbers in a later
 * year, what is available lapses, and the votes are closed for good. Gives how many are left.
 */
export default worker({
  input: Type.Object({ year: Type.Integer() }),
  output: Type.Object({ votesLeft: Type.Integer({ minimum: 0 }) }),
  raises: ['vouchers.no-successor'],
  async run({ trx, registers, variables: { year }, submissions }) {
    const by = submissions.findLast(({ formKey }) => formKey === 'vouchers/year-end-approval')?.by ?? null
    // One vote a step: who commits or pays at the same time never waits for more.
    const [vote] = await openVotesOf(trx, year)
    if (vote !== undefined && (await emptyVote(trx, vote))) {
      const item = await registers.lock(VOTES, vote)
      if (item.status !== 'Closed') await registers.setStatus(item, 'Closed', by)
    }
    return { votesLeft: (await openVotesOf(trx, year)).length }
  },
})
