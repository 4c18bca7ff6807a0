import type { JsonObject } from '../platform/kernel/db/database.generated.ts'

export const AGREEMENTS = 'agreements/agreement'

/** An agreement of which no next period is fixed. */
export const NO_NEXT: JsonObject = { next_from: null, next_until: null, next_value: null }

/** The next period of an agreement, once it is the present one. */
export function inForce({ next_from: from, next_until: until, next_value: value }: JsonObject): JsonObject {
  return { from: from ?? null, until: until ?? null, value: value ?? null, ...NO_NEXT }
}
