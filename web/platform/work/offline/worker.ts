import { useEffect } from 'react'
import { signedInLast } from '../../kernel/session/last.ts'
import { forget } from '../../kernel/session/forget.ts'
import { keepApp } from './kept.ts'

/** After this long a page has all that it loads by itself, in milliseconds. */
const settled = 3000

/** What of the app this page has loaded so far. */
const loaded = (): string[] => [
  ...new Set(
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && /^\/(assets\/|mark\.svg)/.test(pathname))
      .map(({ pathname }) => pathname),
  ),
]

async function install(): Promise<void> {
  const { serviceWorker } = navigator
  await serviceWorker.register('/service-worker.js')
  await serviceWorker.ready
  // Whoever has signed out meanwhile leaves nothing here.
  if (signedInLast() === null) return forget()
  await keepApp(loaded())
}

/** Keeps the app on the device, with what the page that asks has loaded: there it opens without a network too. */
export function useKeptApp(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    const timer = setTimeout(() => {
      install().catch((error: unknown) => {
        // Some browsers forbid it in private windows; the app then wants a network, as any page does.
        if (!(error instanceof DOMException)) throw error
      })
    }, settled)
    return () => clearTimeout(timer)
  }, [])
}
