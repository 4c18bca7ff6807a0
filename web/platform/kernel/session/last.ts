/**
 * Whose session this browser holds. Only a hint: it saves visitors who never signed in a request, and tells tabs when
 * the person changed.
 */
const place = 'prakriya.signed-in'

/** Id of the last known account of this browser, without a request. */
export const lastSignedIn = (): string | null => localStorage.getItem(place)

/** Stores whose session this browser holds; null for nobody's. */
export function rememberSignedIn(account: string | null): void {
  if (account === null) localStorage.removeItem(place)
  else localStorage.setItem(place, account)
}
