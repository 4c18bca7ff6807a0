import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { LanguageSwitch } from '../../people/session/language-switch.tsx'
import css from './shell.module.css'

/** The layout of the sign-in pages: name, languages and one content area. */
export function BareShell({ children }: { children?: ReactNode }) {
  return (
    <div className={css['bare']}>
      <header className={css['bareTop']}>
        <Brand />
        <LanguageSwitch />
      </header>
      <main className={css['bareMain']}>{children}</main>
    </div>
  )
}
