/** Whose session this browser holds. A hint only: a visitor who never signed in costs no request, and tabs see who has changed. */
const place = 'prakriya.signed-in'

/** Id of whose session this browser held last, as far as it is known without asking. */
export const signedInLast = (): string | null => localStorage.getItem(place)

/** Remembers whose session this browser holds; null for nobody's. */
export function rememberSignedIn(account: string | null): void {
  if (account === null) localStorage.removeItem(place)
  else localStorage.setItem(place, account)
}
