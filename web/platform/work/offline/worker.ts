import { useEffect } from 'react'
import { lastSignedIn } from '../../kernel/session/last.ts'
import { forget } from '../../kernel/session/forget.ts'
import { keepApp } from './kept.ts'

/** After this time a page has loaded all of its files, in milliseconds. */
const settled = 3000

/** The app's files that this page has loaded so far. */
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
  // Signed out meanwhile: nothing stays on the device.
  if (lastSignedIn() === null) return forget()
  await keepApp(loaded())
}

/** Stores the app with the files that this page has loaded, so that it opens offline too. */
export function useKeptApp(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    const timer = setTimeout(() => {
      install().catch((error: unknown) => {
        // Some browsers forbid it in private windows; the app then needs a connection.
        if (!(error instanceof DOMException)) throw error
      })
    }, settled)
    return () => clearTimeout(timer)
  }, [])
}
