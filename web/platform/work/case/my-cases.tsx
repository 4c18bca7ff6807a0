import { Button } from 'antd'
import { Link } from 'wouter'
import { MoreButton } from '../../kernel/list/more-button.tsx'
import { useCases } from '../../kernel/api/cases.ts'
import type { CaseRow } from '../../kernel/client/types.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { Status } from '../../kernel/status/status.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './cases.module.css'

/** The reader's own cases: open ones first, then ended ones. */
export function MyCases({ title }: { title: string }) {
  const { t } = useTexts()
  const cases = useCases({ mine: true })
  const open = cases.items?.filter(({ state }) => state !== 'ended') ?? []
  const over = cases.items?.filter(({ state }) => state === 'ended') ?? []
  return (
    <div className={css['mine']}>
      <h1>{t(title)}</h1>
      {cases.error && !cases.items ? (
        <Trouble error={cases.error} onRetry={cases.reload} />
      ) : !cases.items ? (
        <Skeleton lines={6} />
      ) : cases.items.length === 0 ? (
        <Empty
          title={t('platform.cases.none')}
          actions={
            <Link href="/dashboard" asChild>
              <Button type="primary">{t('platform.front.start')}</Button>
            </Link>
          }
        >
          {t('platform.cases.none-detail')}
        </Empty>
      ) : (
        <>
          <Group title={t('platform.cases.open')} rows={open} />
          <Group title={t('platform.cases.over')} rows={over} />
          <MoreButton list={cases} />
        </>
      )}
    </div>
  )
}

function Group({ title, rows }: { title: string; rows: CaseRow[] }) {
  if (rows.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <Line of={row} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Line({ of }: { of: CaseRow }) {
  const { t } = useTexts()
  const { waited, day } = useFormats()
  const now = useNow()
  const waiting = of.waitsWith[0]
  return (
    <Link href={`/cases/${of.id}`}>
      <strong>{of.title}</strong>
      <Status of={of} />
      <span>
        {of.reference} ·{' '}
        {waiting
          ? t('platform.front.has-it', {
              who: waiting.assignee?.name ?? waiting.principals.join(', '),
              duration: waited(waiting.since, now),
            })
          : of.endedAt
            ? t('platform.cases.ended', { day: day(of.endedAt) })
            : t('platform.cases.sent', { day: day(of.createdAt) })}
      </span>
    </Link>
  )
}
