import type { FormValue } from '../../platform/kernel/form/conditions.ts'
import type { Hold } from '../catalogue/resources.ts'
import type { Slot } from './slot.ts'

/** What somebody has chosen and typed of a booking that is not sent yet. */
export interface Draft {
  slot: Slot
  /** Required quantity by amenity; what was typed, even if it is no number. */
  quantities: Record<string, string>
  event: FormValue
  /** For whom somebody of the staff books, if not for themselves. */
  behalf?: Behalf | undefined
  /** The slot that is kept for this booking, until it lapses. */
  hold?: Hold | undefined
}

/** Somebody else, once found by their NIC or employee id; who has no account gets one with the booking. */
export interface Behalf {
  name?: string
  accountId?: string
}

export const emptyDraft: Draft = { slot: {}, quantities: {}, event: {} }

/** Whose draft it is: an account's id, or that of a visitor who has not said who they are. */
export const visitor = 'visitor'

// In the tab only: it outlives a closed dialog, a reload and signing in again; closing the tab forgets it.
const placeOf = (resource: string, who: string) => `prakriya.booking.${who}.${resource}`

export function draftOf(resource: string, who: string): Draft | undefined {
  const kept = sessionStorage.getItem(placeOf(resource, who))
  if (!kept) return undefined
  const draft = JSON.parse(kept) as Draft
  return draft.hold && Date.parse(draft.hold.expiresAt) > Date.now() ? draft : { ...draft, hold: undefined }
}
export const keepDraft = (resource: string, who: string, draft: Draft): void =>
  sessionStorage.setItem(placeOf(resource, who), JSON.stringify(draft))
export const dropDraft = (resource: string, who: string): void => sessionStorage.removeItem(placeOf(resource, who))

/** What a visitor had typed before they signed in becomes theirs; their hold stays the visitor's and is to be given up. */
export function adoptDraft(resource: string, person: string): Hold | undefined {
  const typed = draftOf(resource, visitor)
  if (!typed) return undefined
  dropDraft(resource, visitor)
  keepDraft(resource, person, { ...typed, hold: undefined })
  return typed.hold
}

/** The quantities as the form sends them; those of nothing stay out. */
export function itemsOf(quantities: Record<string, string>): { resource_item_id: string; required_quantity: number }[] {
  return Object.entries(quantities)
    .map(([id, typed]) => ({ resource_item_id: id, required_quantity: Number(typed) }))
    .filter(({ required_quantity: quantity }) => Number.isInteger(quantity) && quantity > 0)
}
