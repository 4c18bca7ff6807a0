import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { signOut, useSession } from '../session/session.ts'
import { Brand } from '../shell/brand.tsx'
import { ConnectionNotice } from '../shell/connection.tsx'
import { LanguageSwitch } from '../shell/language-switch.tsx'
import { Person } from '../shell/person.tsx'
import { useTexts } from '../texts/texts.ts'
import type { Me } from '../api/types.ts'
import css from './public-shell.module.css'

/** Around the pages that anybody may open: the house's name, the languages, and the way in. */
export default function PublicShell({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const session = useSession()
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#main">
        {t('platform.shell.skip')}
      </a>
      <header className={css.top}>
        <Brand href={session.state === 'in' ? '/dashboard' : '/all_resoures'} />
        <div className={css.tools}>
          <div className={css.languages}>
            <LanguageSwitch />
          </div>
          {session.state === 'in' ? <PersonMenu me={session.me} /> : session.state === 'out' ? <Entry /> : <span />}
        </div>
      </header>
      <ConnectionNotice />
      <main id="main" className={css.main} tabIndex={-1}>
        {children}
      </main>
      <footer className={css.foot}>{t('platform.house')}</footer>
    </div>
  )
}

/** The way in, and back to this page. */
function Entry() {
  const { t } = useTexts()
  const [path] = useLocation()
  const search = useSearch()
  const back = `?to=${encodeURIComponent(search ? `${path}?${search}` : path)}`
  return (
    <nav className={css.entry} aria-label={t('platform.public.entry')}>
      <Link href={`/login${back}`}>{t('platform.public.login')}</Link>
      <Link href={`/signup${back}`} className={css.signUp}>
        {t('platform.public.sign-up')}
      </Link>
    </nav>
  )
}

/** The browser's own popover: it closes with Escape and with a click beside it. */
function PersonMenu({ me }: { me: Me }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const links = [
    ['/dashboard', 'platform.public.my-work'],
    ['/cases', 'platform.screen.my-cases'],
    ['/account', 'platform.screen.account'],
  ] as const
  return (
    <>
      <button
        type="button"
        className={css.person}
        popoverTarget="person-menu"
        aria-label={t('platform.shell.account-of', { name: me.name })}
      >
        <Person name={me.name} post={me.post} bare />
      </button>
      <div id="person-menu" popover="auto" className={css.menu}>
        <p>{t('platform.shell.greeting', { name: me.name })}</p>
        <ul>
          {links.map(([href, text]) => (
            <li key={href}>
              <Link href={href}>{t(text)}</Link>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => void signOut().then(() => navigate('/all_resoures'))}>
              {t('platform.shell.logout')}
            </button>
          </li>
        </ul>
      </div>
    </>
  )
}
