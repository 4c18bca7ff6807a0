import { enUSIntl, ProConfigProvider, ProTable, type ProColumns } from '@ant-design/pro-components'
import { App, Button, Dropdown, Input, Select } from 'antd'
import { useEffect, type ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { withQuery } from '../api/client.ts'
import { useRead } from '../api/read.ts'
import type { FormSchema, Page } from '../api/types.ts'
import { saveCsv } from '../cases/csv.ts'
import { optionsOf } from '../form/widget.ts'
import { at, isBlank } from '../record/fields.ts'
import { Value } from '../record/record.tsx'
import { useMe } from '../session/session.ts'
import { Empty } from '../states/empty.tsx'
import { inWords, Trouble } from '../states/trouble.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import { FacultyDot, FacultyName, isFaculty } from './faculty.tsx'
import css from './register.module.css'
import { isInUse, newOne, setItemStatus, statusName, useItems, type Item, type Register } from './registers.ts'

const nameOf = (pointer: string) => pointer.slice(1)

/** The table of a register: search and filters stand in the address bar, columns come from its manifest. */
export default function RegisterTable({
  register: { register, title, titleField, statuses, filters, columns, mayCreate, mayImport, item },
}: {
  register: Register
}) {
  const { t } = useTexts()
  const { count, date, dateTime, money } = useFormats()
  const { message, modal } = App.useApp()
  const me = useMe()
  const [path, navigate] = useLocation()
  const query = new URLSearchParams(useSearch())
  const search = query.get('search') ?? ''
  const status = query.get('status') ?? ''
  const chosen = Object.fromEntries(filters.map((pointer) => [nameOf(pointer), query.get(nameOf(pointer)) ?? '']))
  const items = useItems(register, { search, status, filters: chosen })
  const schemaOf = (pointer: string): FormSchema => item.properties?.[nameOf(pointer)] ?? {}
  const labelOf = (pointer: string) => t(schemaOf(pointer).title ?? nameOf(pointer))
  useEffect(() => {
    document.title = t('platform.page-title', { title: t(title) })
  }, [t, title])

  const filter = (change: Record<string, string | undefined>) =>
    navigate(withQuery(path, { search, status, ...chosen, ...change }), { replace: true })
  const addressOf = ({ id }: Item) => `/registers/${register}/${id}`

  const put = async (row: Item, next: string) => {
    try {
      await setItemStatus(register, row, next)
      void message.success(t('platform.register-page.status-set', { name: row.title, status: statusName(next, t) }))
    } catch (error) {
      const words = inWords(error, t)
      void message.error(`${words.title}. ${words.detail}`, 6)
    }
    items.reload()
  }
  const confirm = (row: Item, next: string) =>
    modal.confirm({
      title: t('platform.register-page.status-question', { name: row.title, status: statusName(next, t) }),
      content: t(
        isInUse({ statuses }, next) ? 'platform.register-page.active-detail' : 'platform.register-page.inactive-detail',
      ),
      okText: statusName(next, t),
      cancelText: t('platform.cancel'),
      onOk: () => put(row, next),
    })

  /** As tables and spreadsheets hold it; undefined where it takes a reading of its own to be shown. */
  const plain = (schema: FormSchema, value: unknown): string | undefined => {
    if (isBlank(value)) return ''
    if (schema['x-register']) return items.titles[String(value)]
    const option = optionsOf(schema)?.find((each) => each.value === value)
    if (option) return t(option.title)
    if (typeof value === 'boolean') return t(value ? 'platform.yes' : 'platform.no')
    if (typeof value === 'number') return schema['x-unit'] === 'LKR cents' ? money(value) : String(value)
    if (typeof value !== 'string') return undefined
    if (schema.format === 'date') return date(value)
    if (schema.format === 'date-time') return dateTime(value)
    return value
  }

  const shown = [titleField, ...columns.filter((pointer) => pointer !== titleField)]
  const table: ProColumns<Item>[] = [
    ...shown.map((pointer): ProColumns<Item> => ({
      title: labelOf(pointer),
      key: pointer,
      ...(schemaOf(pointer).type === 'string' ? { className: css.words ?? '' } : {}),
      ...(schemaOf(pointer).type === 'integer' ? { align: 'right' as const } : {}),
      render: (_, row) =>
        pointer === titleField ? (
          <Title register={register} row={row}>
            <Link href={addressOf(row)}>{row.title}</Link>
          </Title>
        ) : isFaculty(schemaOf(pointer)['x-register']) && !isBlank(at(row.data, pointer)) ? (
          <FacultyName id={String(at(row.data, pointer))}>
            {plain(schemaOf(pointer), at(row.data, pointer))}
          </FacultyName>
        ) : (
          (plain(schemaOf(pointer), at(row.data, pointer)) ?? (
            <Value schema={schemaOf(pointer)} value={at(row.data, pointer)} />
          ))
        ),
    })),
    {
      title: t('platform.register-page.status'),
      key: 'status',
      render: (_, row) => (
        <span className={css.status} data-active={isInUse({ statuses }, row.status) || undefined}>
          {statusName(row.status, t)}
        </span>
      ),
    },
    ...(mayCreate
      ? [
          {
            title: t('platform.register-page.actions'),
            key: 'actions',
            align: 'right' as const,
            hideInSetting: true,
            render: (_: unknown, row: Item) => (
              <Dropdown
                trigger={['click']}
                menu={{
                  items: [
                    {
                      key: 'change',
                      label: t('platform.register-page.change'),
                      onClick: () => navigate(`${addressOf(row)}?change`),
                    },
                    ...statuses
                      .filter((each) => each !== row.status)
                      .map((each) => ({
                        key: each,
                        label: t('platform.register-page.set', { status: statusName(each, t) }),
                        onClick: () => void confirm(row, each),
                      })),
                  ],
                }}
              >
                <Button
                  type="text"
                  size="small"
                  aria-label={t('platform.register-page.actions-of', { name: row.title })}
                >
                  ⋯
                </Button>
              </Dropdown>
            ),
          },
        ]
      : []),
  ]

  const exportShown = () =>
    saveCsv(`${register.replace('/', '-')}.csv`, [
      [...shown.map(labelOf), t('platform.register-page.status')],
      ...(items.items ?? []).map((row) => [
        ...shown.map((pointer) =>
          pointer === titleField ? row.title : (plain(schemaOf(pointer), at(row.data, pointer)) ?? ''),
        ),
        statusName(row.status, t),
      ]),
    ])

  if (items.error && !items.items) return <Trouble error={items.error} onRetry={items.reload} />
  const filtered = search || status || Object.values(chosen).some(Boolean)
  return (
    <>
      <h1>
        {t(title)}
        {items.count && <span className={css.count}>{count(items.count)}</span>}
      </h1>
      {register === 'platform/post' && (me.groups.includes('roleSetup') || me.seesAll) && (
        <p>
          <Link href="/posts">{t('platform.posts.who-has')}</Link>
        </p>
      )}
      <ProConfigProvider intl={enUSIntl}>
        <ProTable<Item>
          rowKey="id"
          size="small"
          columns={table}
          {...(items.items ? { dataSource: items.items } : {})}
          loading={!items.items}
          search={false}
          pagination={false}
          ghost
          scroll={{ x: 'max-content' }}
          columnsState={{ persistenceKey: `prakriya.columns.${register}`, persistenceType: 'localStorage' }}
          options={{ reload: false, density: false, fullScreen: false, setting: true }}
          headerTitle={
            <div className={css.filters}>
              <Input.Search
                key={search}
                allowClear
                defaultValue={search}
                style={{ width: 220 }}
                placeholder={t('platform.register-page.search')}
                aria-label={t('platform.register-page.search')}
                onSearch={(value) => filter({ search: value.trim() })}
              />
              {filters.map((pointer) => (
                <FieldFilter
                  key={pointer}
                  label={labelOf(pointer)}
                  schema={schemaOf(pointer)}
                  value={chosen[nameOf(pointer)] ?? ''}
                  onChange={(value) => filter({ [nameOf(pointer)]: value })}
                />
              ))}
              <Select
                style={{ minWidth: 160 }}
                aria-label={t('platform.register-page.status')}
                value={status || null}
                placeholder={t('platform.register-page.status')}
                allowClear
                onChange={(value) => filter({ status: value ?? '' })}
                options={statuses.map((each) => ({ value: each, label: statusName(each, t) }))}
              />
            </div>
          }
          toolBarRender={() => [
            <Button key="export" disabled={!items.items?.length} onClick={exportShown}>
              {t('platform.list.export')}
            </Button>,
            ...(mayImport
              ? [
                  <Link key="import" href={`/registers/${register}/import`} asChild>
                    <Button>{t('platform.register-import.open')}</Button>
                  </Link>,
                ]
              : []),
            ...(mayCreate
              ? [
                  <Link key="add" href={`/registers/${register}/new`} asChild>
                    <Button type="primary">{newOne({ item, title }, t)}</Button>
                  </Link>,
                ]
              : []),
          ]}
          locale={{
            emptyText: (
              <Empty title={t(filtered ? 'platform.register-page.none-found' : 'platform.register-page.empty')}>
                {t(filtered ? 'platform.register-page.none-found-detail' : 'platform.register-page.empty-detail')}
              </Empty>
            ),
          }}
        />
      </ProConfigProvider>
      {items.more && (
        <p className={css.more}>
          <Button loading={items.loading} onClick={items.loadMore}>
            {t('platform.list.more')}
          </Button>
        </p>
      )}
    </>
  )
}

/** The name of an item; a faculty's with its colour. */
function Title({ register, row, children }: { register: string; row: Item; children: ReactNode }) {
  return isFaculty(register) ? <FacultyDot theme={row.data['theme']}>{children}</FacultyDot> : children
}

interface FieldFilterProps {
  label: string
  schema: FormSchema
  value: string
  onChange(value: string): void
}

/** A filter by one field: the items of another register, or the field's own choices. */
export function FieldFilter({ label, schema, value, onChange }: FieldFilterProps) {
  const { t } = useTexts()
  const other = schema['x-register']
  const read = useRead<Page<{ id: string; title: string }>>(
    other ? withQuery(`/api/registers/${other}/items`, { limit: 100 }) : null,
  )
  const options = other
    ? (read.data?.items ?? []).map(({ id, title }) => ({ value: id, label: title }))
    : schema.type === 'boolean'
      ? [
          { value: 'true', label: t('platform.yes') },
          { value: 'false', label: t('platform.no') },
        ]
      : (optionsOf(schema) ?? []).map((each) => ({ value: String(each.value), label: t(each.title) }))
  return (
    <Select
      style={{ minWidth: 160 }}
      aria-label={label}
      placeholder={label}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      value={value || null}
      options={options}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
