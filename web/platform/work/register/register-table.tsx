import { App, Button, Dropdown } from 'antd'
import { useEffect, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import { useRead } from '../../kernel/api/read.ts'
import { useFlow } from '../../kernel/api/flows.ts'
import type { CaseRow, FormSchema, Page } from '../../kernel/client/types.ts'
import { saveCsv } from '../case/csv.ts'
import { statesOf } from '../case/statuses.ts'
import { optionsOf } from '../../kernel/form/widget.ts'
import { Choice } from '../../kernel/list/choice.tsx'
import { useFilters } from '../../kernel/list/filters.ts'
import { ListPage, type Column } from '../../kernel/list/list-page.tsx'
import cells from '../../kernel/list/list-page.module.css'
import { at, isBlank } from '../../kernel/record/fields.ts'
import { Value } from '../../kernel/record/record.tsx'
import { useMe } from '../../kernel/session/session.ts'
import { Empty } from '../../kernel/states/empty.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { Mark } from '../../kernel/status/mark.tsx'
import { Status, statusWords } from '../../kernel/status/status.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { FacultyDot, FacultyName, isFaculty } from '../../kernel/record/faculty.tsx'
import {
  isInUse,
  newOne,
  setItemStatus,
  settingDetail,
  statusName,
  useItems,
  type Item,
  type Register,
} from './registers.ts'

const nameOf = (pointer: string) => pointer.slice(1)

/** The table of a register: search and filters stand in the address bar, columns come from its manifest. */
export default function RegisterTable({
  register: { register, title, titleField, statuses, filters, columns, mayCreate, mayImport, final, item },
  itemPage = `/registers/${register}/{id}`,
  flow: flowKey,
}: {
  register: Register
  /** The route of an item's page, with `{id}`. */
  itemPage?: string
  /** A flow that the people of this register ask for: it is shown how each stands in it. */
  flow?: string
}) {
  const { t } = useTexts()
  const { date, dateTime, money } = useFormats()
  const { message, modal } = App.useApp()
  const me = useMe()
  const [, navigate] = useLocation()
  const { chosen, filter } = useFilters(['search', 'status', 'case', ...filters.map(nameOf)])
  const { search = '', status = '', case: caseStatus = '', ...byField } = chosen
  const items = useItems(register, {
    ...{ search, status, filters: byField },
    ...(flowKey && { casesOf: flowKey, caseStatus }),
  })
  const flow = useFlow(flowKey).data
  const schemaOf = (pointer: string): FormSchema => item.properties?.[nameOf(pointer)] ?? {}
  const labelOf = (pointer: string) => t(schemaOf(pointer).title ?? nameOf(pointer))
  useEffect(() => {
    document.title = t('platform.page-title', { title: t(title) })
  }, [t, title])

  const addressOf = ({ id }: Item) => itemPage.replace('{id}', encodeURIComponent(id))

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
      content: t(settingDetail({ statuses, final }, next)),
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
  const table: Column<Item>[] = [
    ...shown.map((pointer): Column<Item> => ({
      title: labelOf(pointer),
      key: pointer,
      ...(schemaOf(pointer).type === 'string' ? { className: cells.words ?? '' } : {}),
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
        <Mark is={isInUse({ statuses }, row.status) ? 'on' : 'off'}>{statusName(row.status, t)}</Mark>
      ),
    },
    ...(flow
      ? [
          {
            title: t(flow.title),
            key: 'case',
            // The list exists to show this column, so it is never hidden for lack of space.
            hideInSetting: true,
            render: (_: unknown, { id }: Item) => {
              const of = items.cases[id]
              if (!of) return t('platform.register-page.no-case')
              return (
                <>
                  <Link href={`/cases/${of.id}`}>{of.reference}</Link>{' '}
                  <Status of={{ ...of, state: of.state as CaseRow['state'], waitsWith: [] }} />
                </>
              )
            },
          },
        ]
      : []),
    ...(mayCreate
      ? [
          {
            title: t('platform.register-page.actions'),
            key: 'actions',
            className: cells.acts ?? '',
            align: 'right' as const,
            hideInSetting: true,
            render: (_: unknown, row: Item) =>
              final.includes(row.status) ? null : (
                <Dropdown
                  trigger={['click']}
                  menu={{
                    items: [
                      {
                        key: 'change',
                        label: t('platform.register-page.change'),
                        onClick: () => navigate(`${addressOf(row)}${itemPage.includes('?') ? '&' : '?'}change`),
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

  const caseInWords = (of: (typeof items.cases)[string] | undefined) =>
    of ? [statusWords(of, t), of.reference] : [t('platform.register-page.no-case'), '']
  const exportShown = () =>
    saveCsv(`${register.replace('/', '-')}.csv`, [
      [...shown.map(labelOf), t('platform.register-page.status'), ...(flow ? [t(flow.title), ''] : [])],
      ...(items.items ?? []).map((row) => [
        ...shown.map((pointer) =>
          pointer === titleField ? row.title : (plain(schemaOf(pointer), at(row.data, pointer)) ?? ''),
        ),
        statusName(row.status, t),
        ...(flow ? caseInWords(items.cases[row.id]) : []),
      ]),
    ])

  const filtered = Object.values(chosen).some(Boolean)
  return (
    <ListPage
      title={t(title)}
      list={items}
      lead={
        register === 'platform/post' &&
        (me.groups.includes('roleSetup') || me.seesAll) && <Link href="/posts">{t('platform.posts.who-has')}</Link>
      }
      search={{ label: t('platform.register-page.search'), value: search }}
      onSearch={(words) => filter({ search: words })}
      filters={
        <>
          {filters.map((pointer) => (
            <FieldFilter
              key={pointer}
              label={labelOf(pointer)}
              schema={schemaOf(pointer)}
              value={byField[nameOf(pointer)] ?? ''}
              onChange={(value) => filter({ [nameOf(pointer)]: value })}
            />
          ))}
          <Choice
            label={t('platform.register-page.status')}
            value={status}
            options={statuses.map((each) => ({ value: each, label: statusName(each, t) }))}
            onChange={(value) => filter({ status: value })}
          />
          {flow && (
            <Choice
              label={t(flow.title)}
              value={caseStatus}
              options={[
                ...statesOf(flow.manifest.statusLists?.['status']).map(({ state, text }) => ({
                  value: state,
                  label: t(text),
                })),
                { value: 'none', label: t('platform.register-page.no-case') },
              ]}
              onChange={(value) => filter({ case: value })}
            />
          )}
        </>
      }
      actions={[
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
      columns={table}
      columnsOf={flowKey ? `${register}.${flowKey}` : register}
      empty={
        <Empty title={t(filtered ? 'platform.register-page.none-found' : 'platform.register-page.empty')}>
          {t(filtered ? 'platform.register-page.none-found-detail' : 'platform.register-page.empty-detail')}
        </Empty>
      }
    />
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
    <Choice
      label={label}
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      options={options}
      onChange={onChange}
    />
  )
}
