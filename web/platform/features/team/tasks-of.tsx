import { Button, Checkbox } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { MoreButton } from '../../kernel/list/more-button.tsx'
import type { TaskRow } from '../../kernel/client/types.ts'
import { useTeamTasks } from '../../kernel/api/team.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { BulkCard } from '../../work/inbox/bulk-card.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './team.module.css'

const BulkDialog = lazy(() => import('../../work/inbox/bulk-dialog.tsx'))

/** The tasks of one person, or the unassigned ones; selected tasks are reassigned together. */
export function TasksOf({ person, name }: { person: string; name: string }) {
  const { t } = useTexts()
  const [path] = useLocation()
  const { items, count, error, more, loading, loadMore, reload } = useTeamTasks(person)
  const formats = useFormats()
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [handing, setHanding] = useState(false)
  const chosen = (items ?? []).filter(({ id }) => ticked.has(id))
  const tick = (id: string, on: boolean) =>
    setTicked((before) => new Set(on ? [...before, id] : [...before].filter((each) => each !== id)))
  const all = items !== undefined && items.length > 0 && chosen.length === items.length
  return (
    <>
      <PageHeader
        back={{ href: path, title: t('platform.team.back') }}
        title={person === 'free' ? name : t('platform.team.with', { name })}
        count={count && formats.count(count)}
      />
      <div className={css.progress}>
        <BulkCard onMoved={reload} />
      </div>
      {error && !items ? (
        <Trouble error={error} onRetry={reload} />
      ) : !items ? (
        <Skeleton lines={6} />
      ) : items.length === 0 ? (
        <Empty title={t('platform.team.nothing')}>{t('platform.team.nothing-detail')}</Empty>
      ) : (
        <>
          <div className={css.toolbar}>
            <Checkbox
              checked={all}
              indeterminate={chosen.length > 0 && !all}
              onChange={({ target }) => setTicked(new Set(target.checked ? items.map(({ id }) => id) : []))}
            >
              {t('platform.team.all')}
            </Checkbox>
            <Button type="primary" disabled={chosen.length === 0} onClick={() => setHanding(true)}>
              {t('platform.team.hand-over', { count: chosen.length })}
            </Button>
          </div>
          <ul className={css.tasks}>
            {items.map((row) => (
              <Line key={row.id} row={row} ticked={ticked.has(row.id)} tick={(on) => tick(row.id, on)} />
            ))}
          </ul>
          <MoreButton list={{ more, loading, loadMore }} />
        </>
      )}
      {handing && (
        <Suspense fallback={null}>
          <BulkDialog
            planned={{ kind: 'assign' }}
            rows={chosen}
            onClose={(begun) => {
              setHanding(false)
              if (!begun) return
              setTicked(new Set())
              reload()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

function Line({ row, ticked, tick }: { row: TaskRow; ticked: boolean; tick(on: boolean): void }) {
  const { t } = useTexts()
  const { waited, due } = useFormats()
  const now = useNow()
  const dueAt = row.dueAt ? due(row.dueAt, now) : undefined
  return (
    <li>
      <Checkbox
        checked={ticked}
        aria-label={t('platform.team.choose', { title: row.title })}
        onChange={({ target }) => tick(target.checked)}
      />
      <div>
        <Link href={`/tasks/${encodeURIComponent(row.id)}`}>{row.title}</Link>
        <p>
          {row.requester.name} · {row.name} · {row.reference}
        </p>
      </div>
      <p>
        {t('platform.task.here-since', { duration: waited(row.createdAt, now) })}
        {dueAt && (
          <span className={dueAt.late ? css.late : undefined}>
            {dueAt.late ? dueAt.text : t('platform.task.due', { due: dueAt.text })}
          </span>
        )}
      </p>
    </li>
  )
}
