import { MenuOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { BulkElsewhere } from '../../work/inbox/bulk-elsewhere.tsx'
import { Keyboard } from '../../kernel/keyboard/keyboard.tsx'
import { useShortcuts } from '../../kernel/keyboard/shortcuts.ts'
import { useLiveConnection } from '../../kernel/live/live.ts'
import { useMe } from '../../kernel/session/session.ts'
import { UndoToasts } from '../../work/task/undo-toasts.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { BareShell } from './bare-shell.tsx'
import { Bell } from './bell.tsx'
import { Brand } from './brand.tsx'
import { ConnectionNotice } from './connection.tsx'
import { SkipLink } from './skip-link.tsx'
import { Scan } from './scan.tsx'
import css from './shell.module.css'
import { SideMenu } from './side-menu.tsx'
import { UserMenu } from './user-menu.tsx'

const MenuDrawer = lazy(() => import('./menu-drawer.tsx'))

/** Whether the menu is open on a wide screen; stored per device. */
const remembered = 'prakriya.menu'
const wide = window.matchMedia('(min-width: 1024px)')

/** The layout of pages behind the sign-in: menu, user, notifications and connection state. */
export default function StaffShell({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const me = useMe()
  const [path] = useLocation()
  const [beside, setBeside] = useState(() => localStorage.getItem(remembered) !== 'hidden')
  // The drawer belongs to the page it was opened on: navigation closes it.
  const [openOn, setOpenOn] = useState<string>()
  // Once mounted it stays mounted, so that closing is animated too.
  const [drawn, setDrawn] = useState(false)
  if (openOn !== undefined && !drawn) setDrawn(true)
  const [find, setFind] = useState(0)
  useLiveConnection(me.id)

  const showBeside = (shown: boolean) => {
    localStorage.setItem(remembered, shown ? 'shown' : 'hidden')
    setBeside(shown)
  }
  const menu = () => {
    // Opening by hand does not focus the search: on a phone the keyboard would cover half of the menu.
    setFind(0)
    if (wide.matches) showBeside(!beside)
    else setOpenOn(path)
  }
  useShortcuts('platform.keyboard.everywhere', [
    {
      key: 'm',
      title: 'platform.keyboard.find-page',
      run: () => {
        if (!wide.matches) setOpenOn(path)
        else if (!beside) showBeside(true)
        setFind(find + 1)
      },
    },
  ])

  if (me.secondFactor.wanted)
    return (
      <BareShell>
        <div className={css['alone']}>{children}</div>
      </BareShell>
    )
  return (
    <div className={css['staff']} data-menu={beside ? 'beside' : 'hidden'}>
      <SkipLink />
      <aside className={css['side']}>
        <SideMenu path={path} find={find} />
      </aside>
      <Keyboard />
      {drawn && (
        <Suspense fallback={null}>
          <MenuDrawer path={path} open={openOn === path} find={find} close={() => setOpenOn(undefined)} />
        </Suspense>
      )}
      <header className={css['top']}>
        <button type="button" className={css['tool']} aria-label={t('platform.shell.menu')} onClick={menu}>
          <MenuOutlined />
        </button>
        <Brand />
        <Scan account={me.id} />
        <Bell />
        <UserMenu />
      </header>
      <div className={css['content']}>
        <ConnectionNotice />
        <BulkElsewhere path={path} />
        <main id="main" className={css['main']} tabIndex={-1}>
          {children}
        </main>
      </div>
      <UndoToasts />
    </div>
  )
}
