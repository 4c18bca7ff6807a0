import { Button } from 'antd'
import { useId, useState } from 'react'
import { useSearchParams } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useInboxFields } from '../../kernel/api/inbox.ts'
import { deskTimesFile, useDeskTimes, type DeskTimes, type ReportFilter } from '../../kernel/api/team.ts'
import { addDays, wallClock } from '../../kernel/clock/colombo.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { save } from '../../kernel/files/save.ts'
import DateWidget from '../../kernel/form/date-widget.tsx'
import { Choice } from '../../kernel/list/choice.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useAction } from '../../kernel/states/act.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './team.module.css'

const periods = ['month', 'last-month', 'quarter', 'year', 'own'] as const
type Period = (typeof periods)[number]

/** The first and the last day of a named period, counted from today. */
function daysOf(period: Exclude<Period, 'own'>, today: string): { from: string; until: string } {
  const first = `${today.slice(0, 7)}-01`
  if (period === 'month') return { from: first, until: today }
  const lastOfBefore = addDays(first, -1)
  if (period === 'last-month') return { from: `${lastOfBefore.slice(0, 7)}-01`, until: lastOfBefore }
  if (period === 'quarter') return { from: addDays(today, -89), until: today }
  return { from: `${today.slice(0, 4)}-01-01`, until: today }
}

/** How each desk kept its due times in a period: tasks decided, share in time, duration. */
export default function DesksReport({ title }: PageProps) {
  const { t } = useTexts()
  const id = useId()
  const [params, setParams] = useSearchParams()
  const today = wallClock(useNow()).date
  const given = params.get('period')
  const period = periods.find((each) => each === given) ?? 'quarter'
  const named = daysOf(period === 'own' ? 'quarter' : period, today)
  const days =
    period === 'own' ? { from: params.get('from') ?? named.from, until: params.get('until') ?? named.until } : named
  const chosen: ReportFilter = { ...days, flow: params.get('flow') ?? '' }
  const { data, error, mutate } = useDeskTimes(chosen)
  const flows = useInboxFields(undefined).data?.flows ?? []
  const attempt = useAction()
  const [saving, setSaving] = useState(false)

  const put = (change: Record<string, string>) => {
    const next = { ...Object.fromEntries(params), ...change }
    setParams(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')), { replace: true })
  }
  const file = async () => {
    setSaving(true)
    await attempt(async () => save(`desks-${chosen.from}-${chosen.until}.csv`, await deskTimesFile(chosen)))
    setSaving(false)
  }
  return (
    <div className={page.page}>
      <PageHeader title={t(title)} lead={t('platform.report.lead')} />
      <div className={css.choices}>
        <Choice
          label={t('platform.report.period')}
          value={period}
          options={periods.map((each) => ({ value: each, label: t(`platform.report.period.${each}`) }))}
          onChange={(next) => put(next === 'own' ? { period: next, ...days } : { period: next, from: '', until: '' })}
        />
        {period === 'own' && (
          <>
            <DateWidget
              id={`${id}from`}
              label={t('platform.report.from')}
              value={days.from}
              wrong={false}
              closed={(day) => day > days.until}
              onChange={(from) => from && put({ from })}
            />
            <DateWidget
              id={`${id}until`}
              label={t('platform.report.until')}
              value={days.until}
              wrong={false}
              closed={(day) => day < days.from}
              onChange={(until) => until && put({ until })}
            />
          </>
        )}
        <Choice
          label={t('platform.report.flow')}
          value={chosen.flow}
          any={t('platform.report.any-flow')}
          options={flows.map((flow) => ({ value: flow.key, label: flow.title }))}
          onChange={(flow) => put({ flow })}
        />
        <Button loading={saving} disabled={!data?.items.length} onClick={() => void file()}>
          {t('platform.report.csv')}
        </Button>
      </div>
      {data ? (
        data.items.length > 0 ? (
          <Times items={data.items} />
        ) : (
          <Empty title={t('platform.report.none')}>{t('platform.report.none-detail')}</Empty>
        )
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </div>
  )
}

function Times({ items }: { items: DeskTimes[] }) {
  const { t } = useTexts()
  const { waited } = useFormats()
  const now = useNow()
  const label = (name: string) => t(`platform.report.column.${name}`)
  const hours = (value: number | null) =>
    value === null
      ? '–'
      : value < 0.1
        ? t('platform.report.minutes')
        : t('platform.report.hours', { hours: value.toFixed(1).replace(/\.0$/, '') })
  return (
    <DataTable
      className={css.times}
      rows={items}
      keyOf={(each) => `${each.flow} ${each.desk}`}
      columns={[
        { label: label('desk'), cell: (each) => <Desk of={each} /> },
        { label: label('decided'), cell: (each) => each.decided },
        { label: label('in-time'), cell: (each) => <InTime of={each} /> },
        { label: label('median'), cell: (each) => hours(each.medianHours) },
        { label: label('p90'), cell: (each) => hours(each.p90Hours) },
        { label: label('open'), cell: (each) => each.open },
        {
          label: label('overdue'),
          cell: (each) => (each.overdue > 0 ? <span className={css.late}>{each.overdue}</span> : each.overdue),
        },
        { label: label('oldest'), cell: (each) => (each.oldestOpen ? waited(each.oldestOpen, now) : '–') },
      ]}
    />
  )
}

function Desk({ of: { name, flowTitle } }: { of: DeskTimes }) {
  return (
    <span>
      <strong>{name}</strong>
      <small className={css.post}>{flowTitle}</small>
    </span>
  )
}

/** The share decided in time, as a bar with its number; empty if nothing had a due time. */
function InTime({ of: { inTime, late } }: { of: DeskTimes }) {
  const { t } = useTexts()
  const timed = inTime + late
  if (timed === 0) return <span className={css.soft}>{t('platform.report.no-times')}</span>
  const percent = Math.round((inTime / timed) * 100)
  return (
    <span className={css.share}>
      <span className={css.track} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
      {t('platform.report.share', { percent, count: inTime, all: timed })}
    </span>
  )
}
