import { CommentOutlined } from '@ant-design/icons'
import { memo, type MouseEvent } from 'react'
import { Link } from 'wouter'
import type { Queue } from '../../kernel/api/inbox.ts'
import type { TaskRow } from '../../kernel/client/types.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { useMe } from '../../kernel/session/session.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Unregistered } from '../../kernel/status/unregistered.tsx'
import css from './row.module.css'

/** A column of the list's flow. */
export interface Column {
  name: string
  title: string
}

interface RowProps {
  row: TaskRow
  queue: Queue
  gone: boolean
  open: boolean
  chosen: boolean
  columns: readonly Column[]
  /** Whether any row of the list has an amount. */
  amounts: boolean
  href: string
  onToggle(id: string, range: boolean): void
}

/** One task: title, requester, desk, and how long it has waited. */
export const Row = memo(function Row({ row, queue, gone, open, chosen, columns, amounts, href, onToggle }: RowProps) {
  const { t } = useTexts()
  const { money } = useFormats()
  return (
    <li className={css['line']} data-chosen={chosen || undefined} data-open={open || undefined}>
      <input
        type="checkbox"
        className={css['tick']}
        checked={chosen}
        disabled={gone}
        aria-label={t('platform.inbox.select', { title: row.title })}
        onChange={() => {}}
        onClick={(event: MouseEvent) => onToggle(row.id, event.shiftKey)}
      />
      <Link
        href={href}
        className={css['row']}
        data-row={row.id}
        data-gone={gone || undefined}
        aria-current={open ? 'true' : undefined}
      >
        <span className={css['main']}>
          <span className={css['title']}>{row.title}</span>
          <span className={css['about']}>
            {row.requester.name}
            <Unregistered is={row.requester} /> · {row.name}
            {row.standsInFor && ` · ${t('platform.inbox.stands-in', { desk: row.standsInFor })}`}
          </span>
          <Marks row={row} held={!gone && others.includes(queue)} />
        </span>
        {columns.length > 0 && (
          <span className={css['columns']}>
            {columns.map(({ name, title }) => (
              <span key={name}>
                <span className={css['label']}>{title} </span>
                {row.columns[name]?.text}
              </span>
            ))}
          </span>
        )}
        {amounts && <span className={css['amount']}>{row.amount !== null && money(row.amount)}</span>}
        <When row={row} queue={queue} gone={gone} />
      </Link>
    </li>
  )
})

/** The queues in which somebody else may hold a task, so that the row names them. */
const others: readonly Queue[] = ['open', 'group', 'due-soon', 'overdue']

/** What is special about a task, each in words. */
function Marks({ row, held }: { row: TaskRow; held: boolean }) {
  const { t } = useTexts()
  const { day } = useFormats()
  const me = useMe()
  const now = useNow()
  const put = row.followUpAt && Date.parse(row.followUpAt) > now ? row.followUpAt : undefined
  const marks = [
    row.priority > 50 && <b key="urgent">{t('platform.inbox.urgent')}</b>,
    row.priority < 50 && <span key="calm">{t('platform.inbox.can-wait')}</span>,
    row.for && <em key="for">{t('platform.inbox.for', { name: row.for.name })}</em>,
    row.heldFor && <em key="held-for">{t('platform.inbox.held-for', { name: row.heldFor.name })}</em>,
    row.delegatedBy && <em key="delegated">{t('platform.inbox.opinion', { name: row.delegatedBy.name })}</em>,
    row.asked && <span key="asked">{t('platform.inbox.asked')}</span>,
    put && <span key="put">{t('platform.inbox.put-off', { day: day(put) })}</span>,
    held && row.assignee && (
      <span key="holder">
        {row.assignee.id === me.id
          ? t('platform.inbox.held-by-you')
          : t('platform.inbox.held-by', { name: row.assignee.name })}
      </span>
    ),
    row.comments > 0 && (
      <span key="comments">
        <CommentOutlined aria-hidden /> <span aria-hidden>{row.comments}</span>
        <span className="visually-hidden">{t('platform.inbox.comments', { count: row.comments })}</span>
      </span>
    ),
  ].filter(Boolean)
  return marks.length > 0 ? <span className={css['marks']}>{marks}</span> : null
}

/** Waiting time, due time or delay; for decided tasks, the outcome and when. */
function When({ row, queue, gone }: Pick<RowProps, 'row' | 'queue' | 'gone'>) {
  const { t } = useTexts()
  const { waited, due } = useFormats()
  const now = useNow()
  if (gone) return <span className={css['when']}>{t('platform.inbox.gone')}</span>
  if ((queue === 'done' || queue === 'waiting') && row.decidedAt)
    return (
      <span className={css['when']}>
        {row.outcome && <strong>{row.outcome.text}</strong>}{' '}
        {t('platform.inbox.ago', { duration: waited(row.decidedAt, now) })}
      </span>
    )
  const dueAt = row.dueAt ? due(row.dueAt, now) : undefined
  return (
    <span className={css['when']}>
      {row.overdue && row.overdue.workdays > 0 ? (
        <span className={css['late']}>{t('platform.inbox.overdue', { count: row.overdue.workdays })}</span>
      ) : dueAt ? (
        <span className={dueAt.late ? css['late'] : undefined}>
          {dueAt.late ? dueAt.text : t('platform.inbox.due', { due: dueAt.text })}
        </span>
      ) : (
        t('platform.inbox.waited', { duration: waited(row.createdAt, now) })
      )}
    </span>
  )
}
