import { lazy, Suspense, useState } from 'react'
import { showShortcutHelp, useShortcutHelp, useShortcuts } from './shortcuts.ts'

const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'))

/** Once per page behind the sign-in: `?` shows all keyboard shortcuts. */
export function Keyboard() {
  const open = useShortcutHelp()
  // Once mounted it stays mounted, so that closing is animated too.
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
