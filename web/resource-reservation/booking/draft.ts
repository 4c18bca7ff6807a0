import type { FormValue } from '../../platform/kernel/form/conditions.ts'
import type { Hold } from '../catalogue/resources.ts'
import type { Slot } from './slot.ts'
import { storedAt } from '../../platform/kernel/client/json.ts'

/** The choices and input of an unsent booking. */
export interface Draft {
  slot: Slot
  /** Required quantity by amenity, as typed, even if it is no number. */
  quantities: Record<string, string>
  event: FormValue
  /** The person that staff book for, if not themselves. */
  behalf?: Behalf | undefined
  /** The slot held for this booking, until it expires. */
  hold?: Hold | undefined
}

/** Another person, found by NIC or employee id; they get an account with the booking if they have none. */
export interface Behalf {
  name?: string
  accountId?: string
}

export const emptyDraft: Draft = { slot: {}, quantities: {}, event: {} }

/** The owner of a draft: an account's id, or this for an anonymous visitor. */
export const visitor = 'visitor'

// In the tab only: it survives a closed dialog, a reload and a new sign-in; closing the tab deletes it.
const placeOf = (resource: string, who: string) => `prakriya.booking.${who}.${resource}`

export function draftOf(resource: string, who: string): Draft | undefined {
  const draft = storedAt<Draft>(placeOf(resource, who))
  if (!draft) return undefined
  return draft.hold && Date.parse(draft.hold.expiresAt) > Date.now() ? draft : { ...draft, hold: undefined }
}
export const keepDraft = (resource: string, who: string, draft: Draft): void =>
  sessionStorage.setItem(placeOf(resource, who), JSON.stringify(draft))
export const dropDraft = (resource: string, who: string): void => sessionStorage.removeItem(placeOf(resource, who))

/** After a sign-in the visitor's draft becomes the person's; the visitor's hold is returned, to be released. */
export function adoptDraft(resource: string, person: string): Hold | undefined {
  const typed = draftOf(resource, visitor)
  if (!typed) return undefined
  dropDraft(resource, visitor)
  keepDraft(resource, person, { ...typed, hold: undefined })
  return typed.hold
}

/** The quantities as the form sends them, without zeros. */
export function itemsOf(quantities: Record<string, string>): { resource_item_id: string; required_quantity: number }[] {
  return Object.entries(quantities)
    .map(([id, typed]) => ({ resource_item_id: id, required_quantity: Number(typed) }))
    .filter(({ required_quantity: quantity }) => Number.isInteger(quantity) && quantity > 0)
}
