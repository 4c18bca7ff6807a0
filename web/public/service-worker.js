/*
 * Opens the app where there is no network: its page and what the inbox loads are kept on the device. What people read
 * comes from the API and passes by here untouched.
 */
const shell = 'prakriya.app'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** A page tells what it has loaded; that is kept, with the page itself, and all else of an older build goes. */
self.addEventListener('message', (event) => {
  const wanted = event.data?.keep
  if (Array.isArray(wanted)) event.waitUntil(keep(wanted))
})

async function keep(wanted) {
  const cache = await caches.open(shell)
  const had = (await cache.keys()).map(({ url }) => new URL(url).pathname)
  await cache.addAll(['/', ...wanted.filter((path) => !had.includes(path))])
  await Promise.all(had.filter((path) => path !== '/' && !wanted.includes(path)).map((path) => cache.delete(path)))
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  // A page's address is asked for anew each time; only without an answer the kept page stands in.
  if (request.mode === 'navigate' && !/^\/(api|metrics)\b/.test(pathname)) event.respondWith(page(request))
  // The name of an asset changes with its content.
  else if (pathname.startsWith('/assets/') || pathname === '/mark.svg') event.respondWith(asset(request))
})

async function page(request) {
  try {
    return await fetch(request)
  } catch (unreachable) {
    const kept = await caches.match('/', { cacheName: shell })
    if (kept) return kept
    throw unreachable
  }
}

async function asset(request) {
  return (await caches.match(request, { cacheName: shell })) ?? fetch(request)
}
