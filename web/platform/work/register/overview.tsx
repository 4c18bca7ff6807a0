import { isMeant } from '../../../../forms/platform/may-open.ts'
import { useReport } from '../../kernel/api/reports.ts'
import { numberIn } from '../../kernel/screens/counts.ts'
import { useMe } from '../../kernel/session/session.ts'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { WaitingNumber } from '../../kernel/states/waiting-number.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { ReportRows } from '../report/rows.tsx'
import type { Overview } from './overview-parameters.ts'
import css from './overview.module.css'

/** What waits for the reader at an entry, and the reports on it. */
export default function ItemOverview({ numbers, reports, id }: Overview & { id: string }) {
  const { t } = useTexts()
  const { grants } = useMe()
  const own = numbers.filter((one) => one.for.some((entry) => grants.some((grant) => isMeant(entry, grant))))
  const of = (address: string) => address.replaceAll('{id}', encodeURIComponent(id))
  return (
    <>
      {own.length > 0 && (
        <section className={css.numbers}>
          <h2>{t('platform.front.for-me')}</h2>
          <ul>
            {own.map(({ title, path, at, leadsTo }) => (
              <WaitingNumber
                key={title}
                title={title}
                path={of(path)}
                countIn={(answer) => numberIn(at, answer)}
                leadsTo={of(leadsTo)}
              />
            ))}
          </ul>
        </section>
      )}
      {reports.map((one) => (
        <OnItem key={one.report} {...one} id={id} />
      ))}
    </>
  )
}

/** A report whose filter names the entry; nothing for people who may not see it, or while it has no rows. */
function OnItem({ report, field, id }: { report: string; field: string; id: string }) {
  const { t } = useTexts()
  const { data, error, mutate } = useReport(report, { [field]: id })
  if (error && error.status !== 404) return <Trouble error={error} onRetry={() => void mutate()} />
  if (!data || data.rows.length === 0) return null
  return (
    <section className={css.report}>
      <h2>{t(data.title)}</h2>
      {data.lead && <p>{t(data.lead)}</p>}
      <ReportRows report={data} />
    </section>
  )
}
