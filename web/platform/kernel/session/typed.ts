import { storedAt } from '../client/json.ts'

const prefix = 'prakriya.typed.'

/** Where unsent input is stored: in the tab, or in the browser, where a closed tab does not lose it. */
export type KeptIn = 'tab' | 'browser'

const storeOf = (where: KeptIn) => (where === 'browser' ? localStorage : sessionStorage)

/** Stores unsent input under a name; in the browser the name begins with the account, whose it is alone. */
export const keep = (name: string, value: unknown, where: KeptIn = 'tab'): void =>
  storeOf(where).setItem(prefix + name, JSON.stringify(value))

/** The value stored under a name. */
export const keptAt = <T>(name: string, where: KeptIn = 'tab'): T | undefined =>
  storedAt<T>(prefix + name, storeOf(where))

/** Removes the value stored under a name. */
export const dropKept = (name: string, where: KeptIn = 'tab'): void => storeOf(where).removeItem(prefix + name)

/** The next person in this tab must not find the input. */
export function forgetAllKept(): void {
  forgetIn(sessionStorage)
}

/** The next person at this browser must not find the input of accounts other than this one. */
export function forgetKeptOfOthers(account?: string): void {
  forgetIn(localStorage, account)
}

function forgetIn(store: Storage, account?: string): void {
  for (const place of Object.keys(store))
    if (place.startsWith(prefix) && !(account && place.startsWith(`${prefix}${account}.`))) store.removeItem(place)
}
