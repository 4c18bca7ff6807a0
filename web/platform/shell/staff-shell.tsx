import { Button, Drawer, Dropdown } from 'antd'
import { MenuOutlined } from '@ant-design/icons'
import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useDemo } from '../api/demo.ts'
import { useTaskCounts } from '../api/tasks.ts'
import { useLiveConnection } from '../live/live.ts'
import { signOut, useMe } from '../session/session.ts'
import { useFormats } from '../texts/formats.ts'
import { languages, setLanguage, useTexts } from '../texts/texts.ts'
import { Brand } from './brand.tsx'
import { ConnectionNotice } from './connection.tsx'
import { menuOf } from './menu.ts'
import { Person } from './person.tsx'
import css from './shell.module.css'

/** Around every page behind the sign-in: the menu of this person, who they are, and whether the page is live. */
export default function StaffShell({ children }: { children: ReactNode }) {
  const { t } = useTexts()
  const me = useMe()
  const [path] = useLocation()
  // The drawer belongs to the page it was opened on: whoever goes on leaves it behind.
  const [openOn, setOpenOn] = useState<string>()
  useLiveConnection(me.id)

  return (
    <div className={css['staff']}>
      <a className={css['skip']} href="#main">
        {t('platform.shell.skip')}
      </a>
      <aside className={css['side']}>
        <Menu path={path} />
      </aside>
      <Drawer
        open={openOn === path}
        onClose={() => setOpenOn(undefined)}
        placement="left"
        size={280}
        closable={false}
        styles={{ body: { padding: 0 } }}
      >
        <div className={css['drawer']}>
          <Menu path={path} />
        </div>
      </Drawer>
      <header className={css['top']}>
        <Button
          type="text"
          icon={<MenuOutlined />}
          aria-label={t('platform.shell.menu')}
          onClick={() => setOpenOn(path)}
        />
        <Brand href="/dashboard" />
        <Account small />
      </header>
      <div className={css['content']}>
        <ConnectionNotice />
        <main id="main" className={css['main']} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}

function Menu({ path }: { path: string }) {
  const { t } = useTexts()
  const me = useMe()
  const counts = useTaskCounts()
  const demo = useDemo()
  const { count } = useFormats()
  const waiting = counts && { value: counts.open.value + counts.mine.value, more: counts.open.more || counts.mine.more }
  return (
    <nav className={css['menu']} aria-label={t('platform.shell.menu')}>
      <Brand href="/dashboard" />
      <div className={css['groups']}>
        {menuOf(me, demo !== undefined).map(({ group, entries }) => (
          <section key={group}>
            {group !== 'platform.menu.work' && <h2>{t(group)}</h2>}
            <ul>
              {entries.map(({ route, title }) => (
                <li key={route}>
                  <Link href={route} aria-current={path === route ? 'page' : undefined}>
                    {t(title)}
                    {route === '/inbox' && waiting && waiting.value > 0 && (
                      <span className={css['badge']}>{count(waiting)}</span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Account />
    </nav>
  )
}

function Account({ small = false }: { small?: boolean }) {
  const { t, language } = useTexts()
  const me = useMe()
  const [, navigate] = useLocation()
  return (
    <Dropdown
      trigger={['click']}
      placement={small ? 'bottomRight' : 'topLeft'}
      menu={{
        selectedKeys: [language],
        items: [
          { key: 'hello', type: 'group', label: t('platform.shell.greeting', { name: me.name }) },
          { key: 'account', label: t('platform.account'), onClick: () => navigate('/account') },
          {
            key: 'language',
            type: 'group',
            label: t('platform.language'),
            children: languages.map((each) => ({
              key: each,
              label: <span lang={each}>{t(`platform.language.${each}`)}</span>,
              onClick: () => void setLanguage(each),
            })),
          },
          { type: 'divider' },
          {
            key: 'out',
            label: t('platform.shell.logout'),
            onClick: () => void signOut().then(() => navigate('/session/signin')),
          },
        ],
      }}
    >
      <button type="button" className={css['account']} aria-label={t('platform.shell.account-of', { name: me.name })}>
        <Person name={me.name} post={me.post} bare={small} />
      </button>
    </Dropdown>
  )
}
