import { BellOutlined, MenuOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useLiveConnection } from '../../kernel/live/live.ts'
import { signOut, useSession } from '../../kernel/session/session.ts'
import { Bell } from './bell.tsx'
import { Brand } from './brand.tsx'
import { ConnectionNotice } from './connection.tsx'
import { LanguageSwitch } from '../../people/session/language-switch.tsx'
import { Person } from '../../people/person/person.tsx'
import { useTexts, loadMenuTexts, wantStaffTexts } from '../../kernel/texts/texts.ts'
import type { Me } from '../../kernel/client/types.ts'
import shell from './shell.module.css'
import { SkipLink } from './skip-link.tsx'
import css from './public-shell.module.css'

const MenuDrawer = lazy(async () => {
  const [drawer] = await Promise.all([import('./menu-drawer.tsx'), wantStaffTexts(), loadMenuTexts()])
  return drawer
})

/** The layout of public pages: name, languages and the sign-in. */
export default function PublicShell({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const session = useSession()
  return (
    <div className={css.shell}>
      <SkipLink />
      <header className={css.top}>
        {session.state === 'in' ? <Menu /> : <Locked icon="menu" />}
        <Brand />
        <div className={css.tools}>
          <div className={css.languages}>
            <LanguageSwitch />
          </div>
          {session.state === 'in' ? (
            <Bell />
          ) : (
            <div className={css.lockedBell}>
              <Locked icon="bell" />
            </div>
          )}
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

/** A disabled icon in the place of what needs a sign-in. */
function Locked({ icon }: { icon: 'menu' | 'bell' }) {
  const { t } = useTexts()
  const [name, Icon] = icon === 'menu' ? (['menu', MenuOutlined] as const) : (['notifications', BellOutlined] as const)
  const label = t(`platform.public.${name}-locked`)
  return (
    <button type="button" className={shell['tool']} disabled aria-label={label} title={label}>
      <Icon />
    </button>
  )
}

/** Shows the staff menu on public pages. */
function Menu() {
  const { t } = useTexts()
  const [path] = useLocation()
  const [openOn, setOpenOn] = useState<string>()
  return (
    <>
      <button
        type="button"
        className={shell['tool']}
        aria-label={t('platform.shell.menu')}
        aria-haspopup="dialog"
        onClick={() => setOpenOn(path)}
      >
        <MenuOutlined />
      </button>
      {openOn !== undefined && (
        <Suspense fallback={null}>
          <MenuDrawer path={path} open={openOn === path} close={() => setOpenOn('')} />
        </Suspense>
      )}
    </>
  )
}

/** Signs in and returns to this page. */
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

/** The browser's own popover: Escape or a click outside closes it. */
function PersonMenu({ me }: { me: Me }) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  useLiveConnection(me.id)
  const links = [
    ['/dashboard', 'platform.public.my-work'],
    ['/cases', 'platform.screen.my-cases'],
    ['/myprofile', 'platform.profile'],
  ] as const
  return (
    <>
      <button
        type="button"
        className={css.person}
        popoverTarget="person-menu"
        aria-label={t('platform.shell.account-of', { name: me.name })}
      >
        <Person name={me.name} photo={me.photo} theme={me.faculty?.theme} bare />
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
