import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { LanguageSwitch } from '../../people/session/language-switch.tsx'
import css from './shell.module.css'

/** Around sign-in and its neighbours: the house's name, the languages, and one thing in the middle. */
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
