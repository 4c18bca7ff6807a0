/* Opens the app offline, from the files that its page has stored on the device. Requests to the API are not
   intercepted. */
const shell = 'prakriya.app'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  // Pages are always requested from the network; the stored page answers only if that fails.
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
