const home = '/dashboard'

/**
 * Where to go after signing in, as `?to=` in an address says it. Only a page of our own counts, and none about signing
 * in: `//elsewhere` and `https:` would lead away, and browsers drop tabs and line ends before they read an address.
 */
export function targetIn(search: string): string {
  const to = new URLSearchParams(search).get('to')
  if (!to || !/^\/(?![/\\])/.test(to) || /[\s\\]/.test(to) || to.startsWith('/session/')) return home
  return to
}

/** An address about signing in that leads on to a target; the front page needs no mention. */
export const withTarget = (path: string, target: string): string =>
  target === home ? path : `${path}?to=${encodeURIComponent(target)}`
