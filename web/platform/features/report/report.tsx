import { Button, InputNumber } from 'antd'
import { useId, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { withQuery, type Sheet } from '../../kernel/client/client.ts'
import { useDownload } from '../../kernel/files/download.ts'
import { reportFile, reportStatement, useReport, type Report, type ReportColumn } from '../../kernel/api/reports.ts'
import type { FormSchema } from '../../kernel/client/types.ts'
import DateWidget from '../../kernel/form/date-widget.tsx'
import { kindOf } from '../../kernel/form/widget.ts'
import { Keep } from '../../kernel/list/keep.tsx'
import { Search } from '../../kernel/list/search.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import table from '../../kernel/list/data-table.module.css'
import { fieldsOf, isRecord } from '../../kernel/record/fields.ts'
import { FieldFilter } from '../../work/register/field-filter.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import css from './report.module.css'

/** A report as declared: filters in the address bar, rows available as a file. */
export default function ReportPage({ params, parameters }: PageProps) {
  const { t } = useTexts()
  const key = typeof parameters['report'] === 'string' ? parameters['report'] : `${params['area']}/${params['name']}`
  const [path, navigate] = useLocation()
  const chosen = Object.fromEntries(new URLSearchParams(useSearch()))
  const { data: read, error, mutate } = useReport(key, chosen)
  // Keeps the last report until the next one has loaded, so that the filters stay in place.
  const [last, setLast] = useState(read)
  if (read && read !== last) setLast(read)
  const data = read ?? (error ? undefined : last)
  usePageTitle(data && t(data.title))
  if (!data)
    return (
      <div className={page.page}>
        {error ? <Trouble error={error} onRetry={() => void mutate()} /> : <Skeleton lines={8} />}
      </div>
    )
  const narrow = (field: string, value: string) =>
    navigate(withQuery(path, { ...chosen, [field]: value }), { replace: true })
  return (
    <div className={page.page}>
      <PageHeader title={t(data.title)} lead={data.lead && t(data.lead)} />
      <div className={css.choices}>
        {fieldsOf(data.filterForm).map(({ name, schema }) => (
          <Narrowing
            key={name}
            label={t(schema.title ?? name)}
            schema={schema}
            value={String(data.filter[name] ?? '')}
            onChange={(value) => narrow(name, value)}
          />
        ))}
        <Keep
          formats={['csv', 'xlsx']}
          label={(format) => t(`platform.inbox.export.${format}`)}
          read={(format) => reportFile(key, chosen, format)}
        />
        {data.statement && <Statement read={() => reportStatement(key, chosen)} />}
      </div>
      {data.rows.length > 0 ? (
        <Rows report={data} />
      ) : (
        <Empty title={t('platform.report-page.none')}>{t('platform.report-page.none-detail')}</Empty>
      )}
    </div>
  )
}

/** Downloads the statement of the chosen entry. */
function Statement({ read }: { read(): Promise<Sheet> }) {
  const { t } = useTexts()
  const { busy, download } = useDownload()
  return (
    <Button loading={busy} onClick={() => void download(read)}>
      {t('platform.report-page.statement')}
    </Button>
  )
}

interface NarrowingProps {
  label: string
  schema: FormSchema
  value: string
  onChange(value: string): void
}

function Narrowing({ label, schema, value, onChange }: NarrowingProps) {
  const id = useId()
  if (schema.format === 'date')
    return (
      <DateWidget
        id={id}
        label={label}
        placeholder={label}
        value={value}
        wrong={false}
        onChange={(day) => onChange(day ?? '')}
      />
    )
  if (schema.type === 'integer')
    return (
      <InputNumber
        aria-label={label}
        prefix={label}
        changeOnBlur
        min={Number(schema['minimum'])}
        max={Number(schema['maximum'])}
        value={value === '' ? null : Number(value)}
        onChange={(number) => onChange(number === null ? '' : String(number))}
      />
    )
  if (kindOf(schema) === 'text')
    return <Search label={label} value={value} maxLength={schema.maxLength} onSearch={onChange} />
  return <FieldFilter label={label} schema={schema} value={value} onChange={onChange} />
}

const numeric = ['cents', 'count', 'hours']
/** A short word, such as a month, which would break at its hyphen. */
const ONE_WORD = /^\S{1,20}$/

function Rows({ report: { columns, rows, more, totals } }: { report: Report }) {
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
