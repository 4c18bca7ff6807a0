import { Button } from 'antd'
import { useSubstitutions, type Substitution } from '../../kernel/api/substitutions.ts'
import { lastDayOf } from '../people/dates.ts'
import table from '../people/people.module.css'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { Acts } from './acts.tsx'
import { StandingOf, useLimits } from './substitution.tsx'

const columns = ['absent', 'substitute', 'from', 'until', 'for', 'state'] as const

/** Everybody's substitutions, for administrators and auditors. */
export function Everybody() {
  const { t } = useTexts()
  const { items, error, more, loading, loadMore, reload } = useSubstitutions({ all: true })
  if (error && !items) return <Trouble error={error} onRetry={reload} />
  if (!items) return <Skeleton lines={8} />
  if (items.length === 0)
    return <Empty title={t('platform.substitutes.nobody')}>{t('platform.substitutes.nobody-detail')}</Empty>
  return (
    <>
      <table className={table.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {t(`platform.substitutes.column.${name}`)}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{t('platform.register-page.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((each) => (
            <Line key={each.id} of={each} />
          ))}
        </tbody>
      </table>
      {more && (
        <Button loading={loading} onClick={loadMore}>
          {t('platform.list.more')}
        </Button>
      )}
    </>
  )
}

function Line({ of }: { of: Substitution }) {
  const { t } = useTexts()
  const { date } = useFormats()
  const limits = useLimits(of)
  const label = (name: (typeof columns)[number]) => t(`platform.substitutes.column.${name}`)
  return (
    <tr>
      <td data-label={label('absent')}>
        <strong>{of.absent.name}</strong>
      </td>
      <td data-label={label('substitute')}>{of.substitute.name}</td>
      <td data-label={label('from')}>{date(of.from)}</td>
      <td data-label={label('until')}>{date(lastDayOf(of.until))}</td>
      <td data-label={label('for')} className={table.long}>
        <span>
          {limits}
          {of.reason && <span className={table.ended}>{of.reason}</span>}
        </span>
      </td>
      <td data-label={label('state')}>
        <StandingOf of={of} />
      </td>
      <td className={table.do}>
        <Acts of={of} />
      </td>
    </tr>
  )
}
