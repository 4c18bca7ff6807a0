import { signedInLast } from '../../kernel/session/last.ts'
import { forget, prefix } from '../../kernel/session/forget.ts'

/** What was last seen. */
const store = `${prefix}seen`
/** The app itself; the service worker looks here. */
const shell = `${prefix}app`
const addressOf = (account: string) => `/seen/${encodeURIComponent(account)}`

/** Puts something into a store for who is signed in; whoever signs out meanwhile leaves nothing here all the same. */
async function put(name: string, write: (cache: Cache) => Promise<void>): Promise<void> {
  const account = signedInLast()
  if (!('caches' in window) || account === null) return
  await write(await caches.open(name))
  // Opened beside a forgetting that had looked already, the store would outlive it.
  if (signedInLast() !== account) await forget()
}

/** Keeps what somebody has seen on this device, in the place of what they saw before. */
export const keep = (account: string, seen: unknown): Promise<void> =>
  put(store, (cache) => cache.put(addressOf(account), new Response(JSON.stringify(seen))))

/** Keeps the app on this device: its page and these paths, and nothing else of an older build. */
export const keepApp = (wanted: string[]): Promise<void> =>
  put(shell, async (cache) => {
    const had = (await cache.keys()).map(({ url }) => new URL(url).pathname)
    try {
      await cache.addAll(['/', ...wanted.filter((path) => !had.includes(path))])
    } catch (error) {
      // The network went away, or the page did; the next page that is opened keeps it.
      if (error instanceof TypeError) return
      throw error
    }
    await Promise.all(had.filter((path) => path !== '/' && !wanted.includes(path)).map((path) => cache.delete(path)))
  })

/** What somebody saw last on this device. */
export async function kept<T>(account: string): Promise<T | undefined> {
  if (!('caches' in window)) return undefined
  const found = await caches.match(addressOf(account))
  return (await found?.json()) as T | undefined
}
