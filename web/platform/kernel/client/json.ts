/** Parses JSON that our API or our own code wrote. The caller names the type that was written. */
export function parsed<T>(text: string): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the writer is ours, and it wrote this type
  return JSON.parse(text) as T
}

/** What this tab, or another store, holds under a name; undefined if there is nothing. */
export function storedAt<T>(name: string, store: Storage = sessionStorage): T | undefined {
  const text = store.getItem(name)
  return text === null ? undefined : parsed<T>(text)
}
