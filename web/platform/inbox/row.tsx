import { Link } from 'wouter'
import type { TaskRow } from '../api/types.ts'
import { useNow } from '../clock/now.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import css from './inbox.module.css'

/** One task in two lines: what is asked; who asks, at which desk, and how long it has waited. */
export function Row({ row, gone, open, href }: { row: TaskRow; gone: boolean; open: boolean; href: string }) {
  const { t } = useTexts()
  const { waited, due } = useFormats()
  const now = useNow()
  const dueAt = row.dueAt ? due(row.dueAt, now) : undefined
  return (
    <li>
      <Link
        href={href}
        className={css['row']}
        data-row=""
        data-gone={gone || undefined}
        aria-current={open ? 'true' : undefined}
      >
        <span className={css['title']}>{row.title}</span>
        <span className={css['about']}>
          {row.requester.name} · {row.name}
          {row.standsInFor && ` · ${t('platform.inbox.stands-in', { desk: row.standsInFor })}`}
        </span>
        <span className={css['when']}>
          {gone ? (
            t('platform.inbox.gone')
          ) : dueAt ? (
            <span className={dueAt.late ? css['late'] : undefined}>
              {dueAt.late ? dueAt.text : t('platform.inbox.due', { due: dueAt.text })}
            </span>
          ) : (
            t('platform.inbox.waited', { duration: waited(row.createdAt, now) })
          )}
        </span>
        {row.assignee && !gone && <span className={css['holder']}>{row.assignee.name}</span>}
      </Link>
    </li>
  )
}
