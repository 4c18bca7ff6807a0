import { Button, InputNumber } from 'antd'
import { useId, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { withQuery, type Sheet } from '../../kernel/client/client.ts'
import { useDownload } from '../../kernel/files/download.ts'
import { reportFile, reportStatement, useReport } from '../../kernel/api/reports.ts'
import type { FormSchema } from '../../kernel/client/types.ts'
import DateWidget from '../../kernel/form/date-widget.tsx'
import { kindOf } from '../../kernel/form/widget.ts'
import { Keep } from '../../kernel/list/keep.tsx'
import { Search } from '../../kernel/list/search.tsx'
import { PageHeader } from '../../kernel/page/page-header.tsx'
import page from '../../kernel/page/page.module.css'
import { fieldsOf } from '../../kernel/record/fields.ts'
import { FieldFilter } from '../../work/register/field-filter.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import { ReportRows } from '../../work/report/rows.tsx'
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
        <ReportRows report={data} />
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
