import { reportSheet, useAuditReport, type ReportName } from '../../kernel/api/audit.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './audit.module.css'
import { Days } from './days.tsx'
import { EntryTable } from './entry-table.tsx'
import { Keep } from '../../kernel/list/keep.tsx'

const names: readonly [ReportName, ...ReportName[]] = [
  'self-decisions',
  'substitutes',
  'administrators',
  'grants',
  'skipped-desks',
]

/** The auditors' standard reports. */
export function Reports() {
  const { t } = useTexts()
  const { chosen, filter } = useFilters(['show', 'report', 'from', 'until'])
  const name = names.find((one) => one === chosen.report) ?? names[0]
  const days = { from: chosen.from, until: chosen.until }
  const { data, error, mutate } = useAuditReport(name, days)
  return (
    <>
      <div className={css.filters}>
        <Choice
          label={t('platform.audit-report.which')}
          value={name}
          options={names.map((one) => ({ value: one, label: t(`platform.audit-report.${one}`) }))}
          onChange={(report) => filter({ report })}
        />
        <Days value={chosen} onChange={filter} />
        <Keep
          formats={['csv', 'xlsx']}
          label={(format) => t(`platform.audit-format.${format}`)}
          read={(format) => reportSheet(name, days, format)}
        />
      </div>
      <p className={css.lead}>{t(`platform.audit-report-lead.${name}`)}</p>
      {data ? (
        <>
          {data.items.length > 0 ? (
            <EntryTable entries={data.items} />
          ) : (
            !data.narrow && (
              <Empty title={t('platform.audit-report.none')}>{t('platform.audit-report.none-detail')}</Empty>
            )
          )}
          {data.narrow && <p className={css.narrow}>{t('platform.audit-report.narrow')}</p>}
          {data.more && <p className={css.narrow}>{t('platform.audit-report.more', { count: data.items.length })}</p>}
        </>
      ) : error ? (
        <Trouble error={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  )
}
