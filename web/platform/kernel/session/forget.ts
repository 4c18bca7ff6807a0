/** All names of what is kept on a device begin alike, so that all can be forgotten together. */
export const prefix = 'prakriya.'

/** Forgets on this device whatever was seen, and the app itself as far as it was kept to be opened without a network. */
export async function forget(): Promise<void> {
  if (!('caches' in window)) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)))
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister()
}
