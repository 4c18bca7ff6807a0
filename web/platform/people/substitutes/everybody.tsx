import { MoreButton } from '../../kernel/list/more-button.tsx'
import { DataTable } from '../../kernel/list/data-table.tsx'
import { useSubstitutions, type Substitution } from '../../kernel/api/substitutions.ts'
import { lastDayOf } from '../people/dates.ts'
import css from '../people/people.module.css'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Acts } from './acts.tsx'
import { SubstitutionStateText, useLimits } from './substitution.tsx'

/** Everybody's substitutions, for administrators and auditors. */
export function Everybody() {
  const { t } = useTexts()
  const { date } = useFormats()
  const label = (name: string) => t(`platform.substitutes.column.${name}`)
  const { items, error, more, loading, loadMore, reload } = useSubstitutions({ all: true })
  if (error && !items) return <Trouble error={error} onRetry={reload} />
  if (!items) return <Skeleton lines={8} />
  if (items.length === 0)
    return <Empty title={t('platform.substitutes.nobody')}>{t('platform.substitutes.nobody-detail')}</Empty>
  return (
    <>
      <DataTable
        rows={items}
        keyOf={({ id }) => id}
        columns={[
          { label: label('absent'), cell: ({ absent }) => <strong>{absent.name}</strong> },
          { label: label('substitute'), cell: ({ substitute }) => substitute.name },
          { label: label('from'), cell: ({ from }) => date(from) },
          { label: label('until'), cell: ({ until }) => date(lastDayOf(until)) },
          { label: label('for'), cell: (each) => <Limits of={each} />, long: true },
          { label: label('state'), cell: (each) => <SubstitutionStateText of={each} /> },
          { label: t('platform.register-page.actions'), cell: (each) => <Acts of={each} />, acts: true },
        ]}
      />
      <MoreButton list={{ more, loading, loadMore }} />
    </>
  )
}

function Limits({ of }: { of: Substitution }) {
  return (
    <span>
      {useLimits(of)}
      {of.reason && <span className={css.ended}>{of.reason}</span>}
    </span>
  )
}
