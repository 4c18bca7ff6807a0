import type { Rules } from '../platform/model/deployed/rules.ts'
import { isItsCard } from './its-card.ts'

/** The card that is handed over is the one that was made for the request. */
const rules: Rules = {
  answers: { 'id-cards/hand-over': { check: isItsCard } },
}

export default rules
