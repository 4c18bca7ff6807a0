const home = '/dashboard'

/**
 * Where to go after signing in, from `?to=`. Only a page of our own that is not about signing in is allowed:
 * `//elsewhere` and `https:` would leave the site, and browsers drop tabs and line ends in addresses.
 */
export function targetIn(search: string): string {
  const to = new URLSearchParams(search).get('to')
  if (!to || !/^\/(?![/\\])/.test(to) || /[\s\\]/.test(to) || to.startsWith('/session/')) return home
  return to
}

/** A sign-in address with its target; the dashboard needs none. */
export const withTarget = (path: string, target: string): string =>
  target === home ? path : `${path}?to=${encodeURIComponent(target)}`
