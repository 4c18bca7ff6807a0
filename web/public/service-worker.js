/*
 * Opens the app where there is no network, from what its page has kept on the device. What people read comes from the
 * API and passes by here untouched.
 */
const shell = 'prakriya.app'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

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
