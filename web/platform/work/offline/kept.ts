import { lastSignedIn } from '../../kernel/session/last.ts'
import { forget, prefix } from '../../kernel/session/forget.ts'
import { parsed } from '../../kernel/client/json.ts'

/** The data last seen. */
const store = `${prefix}seen`
/** The app; the service worker reads this cache. */
const shell = `${prefix}app`
const addressOf = (account: string) => `/seen/${encodeURIComponent(account)}`

/** Writes to a cache for the signed-in person; signing out meanwhile deletes it again. */
async function put(name: string, write: (cache: Cache) => Promise<void>): Promise<void> {
  const account = lastSignedIn()
  if (!('caches' in window) || account === null) return
  await write(await caches.open(name))
  // A cache opened after `forget` listed the names would survive it.
  if (lastSignedIn() !== account) await forget()
}

/** Stores what the person has seen on this device, in place of the last copy. */
export const keep = (account: string, seen: unknown): Promise<void> =>
  put(store, (cache) => cache.put(addressOf(account), new Response(JSON.stringify(seen))))

/** Stores the app on this device: its page and these paths, without files of an older build. */
export const keepApp = (wanted: string[]): Promise<void> =>
  put(shell, async (cache) => {
    const had = (await cache.keys()).map(({ url }) => new URL(url).pathname)
    try {
      await cache.addAll(['/', ...wanted.filter((path) => !had.includes(path))])
    } catch (error) {
      // The connection or the page was lost; the next page stores it.
      if (error instanceof TypeError) return
      throw error
    }
    await Promise.all(had.filter((path) => path !== '/' && !wanted.includes(path)).map((path) => cache.delete(path)))
  })

/** What the person last saw on this device. */
export async function kept<T>(account: string): Promise<T | undefined> {
  if (!('caches' in window)) return undefined
  const found = await caches.match(addressOf(account))
  return found && parsed<T>(await found.text())
}
