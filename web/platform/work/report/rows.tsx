import { Link } from 'wouter'
import type { Report, ReportColumn } from '../../kernel/api/reports.ts'
import table from '../../kernel/list/data-table.module.css'
import page from '../../kernel/page/page.module.css'
import { isRecord } from '../../kernel/record/fields.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './rows.module.css'

const numeric = ['cents', 'count', 'hours']
/** A short word, such as a month, which would break at its hyphen. */
const ONE_WORD = /^\S{1,20}$/

/** The rows of a report, as a table that scrolls in its own box. */
export function ReportRows({ report: { columns, rows, more, totals } }: { report: Report }) {
  const { t } = useTexts()
  const summed = Object.keys(totals).length > 0
  const styleOf = ({ as }: ReportColumn) => (numeric.includes(as) ? css.number : as === 'case' ? css.whole : undefined)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard */}
      <div className={css.wide} tabIndex={0} role="group" aria-label={t('platform.report-page.rows')}>
        <table className={`${table.table} ${css.rows}`}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" className={styleOf(column)}>
                  {t(column.title)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                {columns.map((column) => (
                  <td key={column.name} data-label={t(column.title)} className={styleOf(column)}>
                    <Cell column={column} value={row[column.name]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {summed && (
            <tfoot>
              <tr>
                {columns.map((column, place) => (
                  <td key={column.name} data-label={t(column.title)} className={styleOf(column)}>
                    {place === 0 ? (
                      t('platform.report-page.sum')
                    ) : column.name in totals ? (
                      <Cell column={column} value={totals[column.name]} />
                    ) : null}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {more && <p className={page.lead}>{t('platform.report-page.more', { count: rows.length })}</p>}
    </>
  )
}

function Cell({ column: { as }, value }: { column: ReportColumn; value: unknown }) {
  const { t } = useTexts()
  const { money, date, dateTime } = useFormats()
  if (value === null || value === undefined || value === '') return null
  if (isRecord(value)) return <Link href={`/cases/${value['id']}`}>{String(value['text'])}</Link>
  // A dash for zero, so that changes stand out.
  if (as === 'cents') return value === 0 ? '–' : money(Number(value))
  if (as === 'hours') return t('platform.report.hours', { hours: Number(value).toFixed(1).replace(/\.0$/, '') })
  if (as === 'day') return date(String(value))
  if (as === 'moment') return dateTime(String(value))
  const text = as === 'word' ? t(String(value)) : String(value)
  return ONE_WORD.test(text) ? <span className={css.whole}>{text}</span> : text
}
