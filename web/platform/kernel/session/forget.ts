/** Common prefix of everything stored on a device, so that all of it can be deleted together. */
export const prefix = 'prakriya.'

/** Deletes the data that was seen on this device, and the app stored for offline use. */
export async function forget(): Promise<void> {
  if (!('caches' in window)) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)))
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister()
}
