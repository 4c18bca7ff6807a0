import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useDemo } from '../api/demo.ts'
import { useTaskCounts } from '../api/tasks.ts'
import { useMe } from '../session/session.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import { Brand } from './brand.tsx'
import { menuOf } from './menu.ts'
import css from './shell.module.css'

/** The menu of this person, by groups; the inbox says how much waits. */
export function SideMenu({ path }: { path: string }) {
  const { t } = useTexts()
  const me = useMe()
  const counts = useTaskCounts()
  const demo = useDemo()
  const { count } = useFormats()
  const nav = useRef<HTMLElement>(null)
  const groups = menuOf(me, demo !== undefined)
  // A long menu shows where its reader is.
  useEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [path, groups.length],
  )
  const waiting = counts && { value: counts.open.value + counts.mine.value, more: counts.open.more || counts.mine.more }
  return (
    <nav ref={nav} className={css['menu']} aria-label={t('platform.shell.menu')}>
      <Brand />
      <div className={css['groups']}>
        {groups.map(({ group, entries }) => (
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
    </nav>
  )
}
