import { Link, useLocation, useSearchParams } from 'wouter'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { withQuery } from '../../kernel/client/client.ts'
import { useTeam, type Team } from '../../kernel/api/team.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { TasksOf } from './tasks-of.tsx'
import css from './team.module.css'

/** The tasks in the units that the reader heads: assignee, age and desk. */
export default function TeamPage({ title }: PageProps) {
  const { t } = useTexts()
  const [params] = useSearchParams()
  const { data, error, mutate } = useTeam()
  const person = params.get('person') ?? undefined
  return (
    <div className={page.page}>
      {!data ? (
        <>
          <h1>{t(title)}</h1>
          {error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={8} />}
        </>
      ) : person ? (
        <TasksOf person={person} name={nameOf(data, person, t('platform.team.free'))} />
      ) : (
        <>
          <PageHeader title={t(title)} lead={t('platform.team.lead')} />
          <Load of={data} />
          <Desks of={data} />
        </>
      )}
    </div>
  )
}

const nameOf = ({ people }: Team, person: string, free: string): string =>
  person === 'free' ? free : (people.find(({ id }) => id === person)?.name ?? '')

/** Per person: open tasks, their age, and tasks completed. */
function Load({ of: { people, free } }: { of: Team }) {
  const { t } = useTexts()
  const [path] = useLocation()
  const { count, waited } = useFormats()
  const now = useNow()
  if (people.length === 0 && free.count.value === 0)
    return <Empty title={t('platform.team.none')}>{t('platform.team.none-detail')}</Empty>
  const most = Math.max(1, ...people.map(({ open }) => open))
  const label = (name: string) => t(`platform.team.column.${name}`)
  const overdue = (value: number) => (value > 0 ? <span className={css.late}>{value}</span> : '0')
  const oldest = (at: string | null) => (at ? waited(at, now) : '–')
  return (
    <section aria-labelledby="team-people">
      <h2 id="team-people">{t('platform.team.people')}</h2>
      <DataTable
        rows={free.count.value > 0 ? ['free' as const, ...people] : people}
        keyOf={(one) => (one === 'free' ? one : one.id)}
        columns={[
          {
            label: label('name'),
            cell: (one) =>
              one === 'free' ? (
                <Link href={withQuery(path, { person: 'free' })}>{t('platform.team.free')}</Link>
              ) : (
                <span>
                  <Link href={withQuery(path, { person: one.id })}>{one.name}</Link>
                  {one.post && <small className={css.post}>{one.post}</small>}
                </span>
              ),
          },
          {
            label: label('open'),
            cell: (one) => (one === 'free' ? count(free.count) : <Tasks count={one.open} most={most} />),
          },
          { label: label('overdue'), cell: (one) => overdue(one === 'free' ? free.overdue : one.overdue) },
          { label: label('oldest'), cell: (one) => oldest(one === 'free' ? free.oldest : one.oldest) },
          { label: label('done'), cell: (one) => (one === 'free' ? '–' : one.doneThisWeek) },
        ]}
      />
    </section>
  )
}

/** The number of a person's tasks, with a bar relative to the highest number. */
function Tasks({ count, most }: { count: number; most: number }) {
  return (
    <span className={css.load}>
      <span>{count}</span>
      <span className={css.bar} style={{ width: `${(count / most) * 100}%` }} aria-hidden />
    </span>
  )
}

function Desks({ of: { desks } }: { of: Team }) {
  const { t } = useTexts()
  const label = (name: string) => t(`platform.team.column.${name}`)
  if (desks.length === 0) return null
  return (
    <section className={css.part} aria-labelledby="team-desks">
      <h2 id="team-desks">{t('platform.team.desks')}</h2>
      <DataTable
        rows={desks}
        keyOf={({ flow, desk }) => `${flow} ${desk}`}
        columns={[
          { label: label('desk'), cell: ({ title }) => <strong>{title}</strong> },
          { label: label('flow'), cell: ({ flowTitle }) => flowTitle },
          { label: label('waiting'), cell: ({ open }) => open },
          {
            label: label('overdue'),
            cell: ({ overdue }) => (overdue > 0 ? <span className={css.late}>{overdue}</span> : overdue),
          },
        ]}
      />
      <p className={css.more}>
        <Link href="/reports/desks">{t('platform.team.report')}</Link>
      </p>
    </section>
  )
}
