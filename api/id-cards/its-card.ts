import type { FieldError } from '../platform/kernel/errors.ts'
import type { DeskInput } from '../platform/model/deployed/rules.ts'

/** The card that is handed over is the one that was made for the case. */
export function isItsCard({ data, facts }: DeskInput): FieldError[] {
  // Cases from before the card was asked for have a form without it.
  if (data['outcome'] !== 'collected' || data['card'] === undefined) return []
  const number = String(facts['cardNumber'])
  if (String(data['card']).toUpperCase() === number) return []
  return [{ field: '/card', code: 'id-cards.another-card', values: { number } }]
}
