import { lazy, Suspense, useState } from 'react'
import { showShortcutHelp, useShortcutHelp, useShortcuts } from './shortcuts.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** Once around the pages behind the sign-in: `?` shows the overview of all keys. */
export function Keyboard() {
  const open = useShortcutHelp()
  // It stays once it was shown, so that it can close as it opened.
  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)
  useShortcuts('platform.keyboard.everywhere', [
    { key: '?', title: 'platform.keyboard.help', run: () => showShortcutHelp(true) },
    { key: 'Escape', title: 'platform.keyboard.close', run: () => {}, native: true },
  ])
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <ShortcutHelp />
    </Suspense>
  )
}
