import { enUSIntl, ProConfigProvider, ProTable, type ProColumns } from '@ant-design/pro-components'
import { Button, Input, Select } from 'antd'
import { Link, useLocation, useSearch } from 'wouter'
import { casesPath } from '../api/cases.ts'
import { withQuery } from '../api/client.ts'
import { useFlow } from '../api/flows.ts'
import { usePages } from '../api/read.ts'
import type { CaseRow, FormSchema } from '../api/types.ts'
import { Value } from '../record/record.tsx'
import type { PageProps } from '../router/page.ts'
import { Empty } from '../states/empty.tsx'
import { Trouble } from '../states/trouble.tsx'
import { Status } from '../status/status.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import css from './cases.module.css'
import { saveCsv } from './csv.ts'
import { statesOf } from './statuses.ts'

/** The cases of one flow by status: filters stand in the address bar, columns come from the flow's manifest. */
export default function CasesTable({ parameters, title }: PageProps) {
  const { t } = useTexts()
  const { dateTime, date, count } = useFormats()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const flowKey = typeof parameters['flow'] === 'string' ? parameters['flow'] : undefined
  const given = typeof parameters['status'] === 'string' ? parameters['status'] : undefined
  const status = query.get('status') ?? given
  const search = query.get('search') ?? ''

  const flow = useFlow(flowKey).data
  const cases = usePages<CaseRow>(
    casesPath({ flow: flowKey, status: status === 'all' ? undefined : status, search: search || undefined, limit: 50 }),
  )
  const filter = (change: { status?: string | undefined; search?: string }) =>
    navigate(withQuery(path, { status: query.get('status'), search, ...change }), { replace: true })

  const fields = (flow?.manifest.columns ?? []).map((pointer) => {
    const name = pointer.slice(1)
    return { name, schema: flow?.form.schema.properties?.[name] ?? ({} as FormSchema) }
  })
  const columns: ProColumns<CaseRow>[] = [
    {
      title: t('platform.cases.reference'),
      key: 'reference',
      width: 150,
      render: (_, row) => <Link href={`/cases/${row.id}`}>{row.reference}</Link>,
    },
    { title: t('platform.cases.status'), key: 'status', render: (_, row) => <Status of={row} /> },
    ...fields.map(({ name, schema }): ProColumns<CaseRow> => ({
      title: schema.title ? t(schema.title) : name,
      key: name,
      ...(schema.type === 'string' && !schema.format ? { className: css['words'] ?? '' } : {}),
      render: (_, { subject }) => inTable(schema, subject[name], dateTime, date),
    })),
    { title: t('platform.cases.requester'), key: 'requester', render: (_, row) => row.requester.name },
    {
      title: t('platform.cases.with'),
      key: 'with',
      render: (_, row) =>
        row.waitsWith.map(({ assignee, principals }) => assignee?.name ?? principals.join(', ')).join('; ') || '–',
    },
    { title: t('platform.cases.sent-at'), key: 'createdAt', render: (_, row) => dateTime(row.createdAt) },
  ]
  const exportShown = () =>
    saveCsv(`${flowKey?.replace('/', '-') ?? 'cases'}.csv`, [
      [
        t('platform.cases.reference'),
        ...fields.map(({ name, schema }) => (schema.title ? t(schema.title) : name)),
        t('platform.cases.requester'),
        t('platform.cases.status'),
        t('platform.cases.sent-at'),
      ],
      ...(cases.items ?? []).map((row) => [
        row.reference,
        ...fields.map(({ name, schema }) => plain(schema, row.subject[name], dateTime, date)),
        row.requester.name,
        row.status.text,
        dateTime(row.createdAt),
      ]),
    ])

  if (cases.error && !cases.items) return <Trouble error={cases.error} onRetry={cases.reload} />
  return (
    <div className={css['table']}>
      <h1>
        {t(title)}
        {cases.count && <span className={css['count']}>{count(cases.count)}</span>}
      </h1>
      <ProConfigProvider intl={enUSIntl}>
        <ProTable<CaseRow>
          rowKey="id"
          size="small"
          columns={columns}
          {...(cases.items ? { dataSource: cases.items } : {})}
          loading={!cases.items}
          search={false}
          pagination={false}
          ghost
          scroll={{ x: 'max-content' }}
          columnsState={{ persistenceKey: `prakriya.columns.${path}`, persistenceType: 'localStorage' }}
          options={{ reload: false, density: false, fullScreen: false, setting: true }}
          headerTitle={
            <div className={css['filters']}>
              <Input.Search
                key={search}
                allowClear
                defaultValue={search}
                style={{ width: 240 }}
                placeholder={t('platform.cases.search')}
                aria-label={t('platform.cases.search')}
                onSearch={(value) => filter({ search: value.trim() })}
              />
              <Select
                style={{ minWidth: 200 }}
                aria-label={t('platform.cases.status')}
                value={status ?? 'all'}
                onChange={(value) => filter({ status: value === (given ?? 'all') ? undefined : value })}
                options={[
                  { value: 'all', label: t('platform.cases.any-status') },
                  ...statesOf(flow?.manifest.statusLists?.['status']).map(({ state, text }) => ({
                    value: state,
                    label: t(text),
                  })),
                ]}
              />
            </div>
          }
          toolBarRender={() => [
            <Button key="export" disabled={!cases.items?.length} onClick={exportShown}>
              {t('platform.list.export')}
            </Button>,
          ]}
          locale={{
            emptyText: <Empty title={t('platform.cases.nothing')}>{t('platform.cases.nothing-detail')}</Empty>,
          }}
        />
      </ProConfigProvider>
      {cases.more && (
        <p className={css['more']}>
          <Button loading={cases.loading} onClick={cases.loadMore}>
            {t('platform.list.more')}
          </Button>
        </p>
      )}
    </div>
  )
}

type Written = (at: string) => string

/** In tables dates are short; the subject of a case already holds titles where the form holds ids. */
function plain(schema: FormSchema, value: unknown, dateTime: Written, date: Written): string {
  if (typeof value !== 'string') return value === undefined || value === null ? '' : String(value)
  if (schema.format === 'date-time') return dateTime(value)
  if (schema.format === 'date') return date(value)
  return value
}

function inTable(schema: FormSchema, value: unknown, dateTime: Written, date: Written) {
  if (typeof value === 'string' && (schema.format || schema['x-register'])) return plain(schema, value, dateTime, date)
  return <Value schema={schema} value={value} />
}
