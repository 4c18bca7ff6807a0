/** What was last seen, by whom it was seen; all names of ours begin alike, so that all can be forgotten together. */
const prefix = 'prakriya.'
const store = `${prefix}seen`
const addressOf = (account: string) => `/seen/${encodeURIComponent(account)}`

/** Keeps what somebody has seen on this device, in the place of what they saw before. */
export async function keep(account: string, seen: unknown): Promise<void> {
  if (!('caches' in window)) return
  const cache = await caches.open(store)
  await cache.put(addressOf(account), new Response(JSON.stringify(seen)))
}

/** What somebody saw last on this device. */
export async function kept<T>(account: string): Promise<T | undefined> {
  if (!('caches' in window)) return undefined
  const found = await caches.match(addressOf(account))
  return (await found?.json()) as T | undefined
}

/** Forgets on this device whatever was seen, and the app itself as far as it was kept to be opened without a network. */
export async function forget(): Promise<void> {
  if (!('caches' in window)) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)))
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister()
}
