import { DownOutlined, RightOutlined, SearchOutlined } from '@ant-design/icons'
import { Input, type InputRef } from 'antd'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useDemo } from '../../kernel/api/demo.ts'
import { useTaskCounts } from '../../kernel/api/tasks.ts'
import { useMe } from '../../kernel/session/session.ts'
import { isPlain, stored } from '../../kernel/states/stored.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Brand } from './brand.tsx'
import { entriesFor, FIRST, type MenuGroup, menuOf } from '../../kernel/screens/menu.ts'
import css from './shell.module.css'

/** A menu with more entries than this folds its groups. */
const MAX_UNFOLDED_ENTRIES = 24

/** Which groups the reader opened or closed; stored per device. */
const remembered = 'prakriya.menu-groups'

/**
 * The person's menu in groups, with a search; the inbox shows its task count. Each change of `find` focuses the search.
 */
export function SideMenu({ path, find }: { path: string; find?: number | undefined }) {
  const { t } = useTexts()
  const me = useMe()
  const demo = useDemo()
  const [, navigate] = useLocation()
  const nav = useRef<HTMLElement>(null)
  const field = useRef<InputRef>(null)
  const [typed, setTyped] = useState('')
  const groups = menuOf(me, demo !== undefined)
  const found = typed.trim() ? entriesFor(groups, typed, t) : undefined
  // Scrolls a long menu to the current entry.
  useEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [path, groups.length],
  )
  useEffect(() => {
    if (find) field.current?.focus({ cursor: 'all' })
  }, [find])

  const open = (route: string) => {
    setTyped('')
    navigate(route)
  }
  const press = (event: KeyboardEvent) => {
    const chosen = found?.[/^[1-9]$/.test(event.key) ? Number(event.key) - 1 : event.key === 'Enter' ? 0 : -1]
    if (event.key === 'Escape' && typed) {
      event.stopPropagation()
      setTyped('')
    } else if (event.key === 'ArrowDown') nav.current?.querySelector<HTMLElement>('a[data-entry]')?.focus()
    else if (chosen) open(chosen.route)
    else return
    event.preventDefault()
  }

  return (
    <nav ref={nav} className={css['menu']} aria-label={t('platform.shell.menu')}>
      <Brand />
      <Input
        ref={field}
        type="search"
        className={css['find'] ?? ''}
        prefix={<SearchOutlined />}
        value={typed}
        autoComplete="off"
        placeholder={t('platform.menu.find')}
        aria-label={t('platform.menu.find')}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={press}
      />
      <output className="visually-hidden">{found && t('platform.menu.found', { count: found.length })}</output>
      <div className={css['groups']}>
        {found === undefined ? (
          <Groups groups={groups} path={path} />
        ) : found.length === 0 ? (
          <p className={css['none']}>{t('platform.menu.none')}</p>
        ) : (
          <ol className={css['found']}>
            {found.map(({ route, title, group }, at) => (
              <li key={route}>
                <Link href={route} data-entry="" onClick={() => setTyped('')}>
                  <span>
                    {t(title)}
                    {group !== FIRST && <small>{t(group)}</small>}
                  </span>
                  {at < 9 && <kbd aria-hidden>{at + 1}</kbd>}
                </Link>
              </li>
            ))}
          </ol>
        )}
      </div>
    </nav>
  )
}

/** The groups with their entries; a long menu folds all groups except the current one. */
function Groups({ groups, path }: { groups: readonly MenuGroup[]; path: string }) {
  const { t } = useTexts()
  const { count } = useFormats()
  const counts = useTaskCounts()
  const id = useId()
  const [chosen, setChosen] = useState(() => stored(remembered, isChoice) ?? {})
  const waiting = counts && { value: counts.open.value + counts.mine.value, more: counts.open.more || counts.mine.more }
  const folds = groups.reduce((sum, { entries }) => sum + entries.length, 0) > MAX_UNFOLDED_ENTRIES
  return groups.map(({ group, entries }) => {
    const open = !folds || group === FIRST || (chosen[group] ?? entries.some(({ route }) => route === path))
    const turn = () => {
      const next = { ...chosen, [group]: !open }
      localStorage.setItem(remembered, JSON.stringify(next))
      setChosen(next)
    }
    return (
      <section key={group}>
        {group !== FIRST && (
          <h2>
            {folds ? (
              <button type="button" aria-expanded={open} aria-controls={`${id}${group}`} onClick={turn}>
                {t(group)}
                {open ? <DownOutlined /> : <RightOutlined />}
              </button>
            ) : (
              t(group)
            )}
          </h2>
        )}
        <ul id={`${id}${group}`} hidden={!open}>
          {open &&
            entries.map(({ route, title }) => (
              <li key={route}>
                <Link href={route} data-entry="" aria-current={path === route ? 'page' : undefined}>
                  {t(title)}
                  {route === '/inbox' && waiting && waiting.value > 0 && (
                    <span className={css['badge']}>{count(waiting)}</span>
                  )}
                </Link>
              </li>
            ))}
        </ul>
      </section>
    )
  })
}

const isChoice = (kept: unknown): kept is Record<string, boolean> =>
  isPlain(kept) && Object.values(kept).every((open) => typeof open === 'boolean')
