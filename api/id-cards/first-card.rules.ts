import { known } from '../platform/kernel/known.ts'
import type { Rules } from '../platform/model/deployed/rules.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { withoutFirstCard } from './cards.ts'
import { isItsCard } from './its-card.ts'

/** First cards are for students who have a photo and no card yet. */
const rules: Rules = {
  async check({ requester, trx }) {
    const { id } = known(await findOwnEntry(trx, requester.id), 'the entry of the student')
    const code = (await withoutFirstCard(trx, [id])).get(id)
    return code === undefined ? [] : [{ field: '/batch', code }]
  },

  leftOut({ trx, records }) {
    return withoutFirstCard(trx, records)
  },

  answers: { 'id-cards/hand-over': { check: isItsCard } },
}

export default rules
