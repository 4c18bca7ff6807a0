import type { Rules } from '../platform/model/deployed/rules.ts'
import { findOwnEntry } from '../platform/people/identity/accounts.ts'
import { isItsCard } from './its-card.ts'

/** The card of a request is the requester's own, and the one that is handed over is the one that was made for it. */
const rules: Rules = {
  async check({ items, requester, trx }) {
    const card = items.get('/card')
    const own = await findOwnEntry(trx, requester.id)
    return card && card.data['student'] !== own?.id ? [{ field: '/card', code: 'platform.item-unknown' }] : []
  },

  answers: { 'id-cards/hand-over': { check: isItsCard } },
}

export default rules
