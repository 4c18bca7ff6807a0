import type { FormValue } from '../../platform/form/conditions.ts'
import type { Hold } from '../catalogue/resources.ts'
import type { Slot } from './slot.ts'

/** What somebody has chosen and typed of a booking that is not sent yet. */
export interface Draft {
  slot: Slot
  /** Required quantity by amenity; what was typed, even if it is no number. */
  quantities: Record<string, string>
  event: FormValue
  /** The slot that is kept for this booking, until it lapses. */
  hold?: Hold | undefined
}

export const emptyDraft: Draft = { slot: {}, quantities: {}, event: {} }

// In the tab only: it outlives a closed dialog, a reload and signing in again; closing the tab forgets it.
const placeOf = (resource: string, person: string) => `prakriya.booking.${person}.${resource}`

export function draftOf(resource: string, person: string): Draft | undefined {
  const kept = sessionStorage.getItem(placeOf(resource, person))
  if (!kept) return undefined
  const draft = JSON.parse(kept) as Draft
  return draft.hold && Date.parse(draft.hold.expiresAt) > Date.now() ? draft : { ...draft, hold: undefined }
}
export const keepDraft = (resource: string, person: string, draft: Draft): void =>
  sessionStorage.setItem(placeOf(resource, person), JSON.stringify(draft))
export const dropDraft = (resource: string, person: string): void =>
  sessionStorage.removeItem(placeOf(resource, person))

/** The quantities as the form sends them; those of nothing stay out. */
export function itemsOf(quantities: Record<string, string>): { resource_item_id: string; required_quantity: number }[] {
  return Object.entries(quantities)
    .map(([id, typed]) => ({ resource_item_id: id, required_quantity: Number(typed) }))
    .filter(({ required_quantity: quantity }) => Number.isInteger(quantity) && quantity > 0)
}
