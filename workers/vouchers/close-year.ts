import Type from 'typebox'
import { VOTES } from '../../api/vouchers/votes/accounts.ts'
import { emptyVote, openVotesOf } from '../../api/vouchers/votes/year-end.ts'
import { worker } from '../platform/worker.ts'

/**
 * One step of the end of a financial year: carries commitments over to votes of the same numbers in a later year,
 * lapses what is available, and closes the votes for good. Returns how many are left.
 */
export default worker({
  input: Type.Object({ year: Type.Integer() }),
  output: Type.Object({ votesLeft: Type.Integer({ minimum: 0 }) }),
  raises: ['vouchers.no-successor'],
  async run({ trx, registers, variables: { year }, submissions }) {
    const by = submissions.findLast(({ formKey }) => formKey === 'vouchers/year-end-approval')?.by ?? null
    // One vote per step, so that concurrent commits and payments never wait for more.
    const [vote] = await openVotesOf(trx, year)
    if (vote !== undefined && (await emptyVote(trx, vote))) {
      const item = await registers.lock(VOTES, vote)
      if (item.status !== 'Closed') await registers.setStatus(item, 'Closed', by)
    }
    return { votesLeft: (await openVotesOf(trx, year)).length }
  },
})
