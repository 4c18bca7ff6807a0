import type { DeskInput, Rules } from '../platform/model/deployed/rules.ts'
import type { FieldError } from '../platform/kernel/errors.ts'

/** The card that is handed over is the one that was made for the request. */
const rules: Rules = {
  answers: { 'id-cards/hand-over': { check: isItsCard } },
}

export default rules

function isItsCard({ data, facts }: DeskInput): FieldError[] {
  // Cases from before the card was asked for have a form without it.
  if (data['outcome'] !== 'collected' || data['card'] === undefined) return []
  const number = String(facts['cardNumber'])
  if (String(data['card']).toUpperCase() === number) return []
  return [{ field: '/card', code: 'id-cards.another-card', values: { number } }]
}
