import { enUSIntl, ProConfigProvider, ProTable, type ProColumns, type ProTableProps } from '@ant-design/pro-components'
import { SettingOutlined } from '@ant-design/icons'
import { useRef, type ReactNode } from 'react'
import type { Pages } from '../api/read.ts'
import { PageHeader } from '../page/page-header.tsx'
import page from '../page/page.module.css'
import { Trouble } from '../states/trouble.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import { useColumnChoice } from './column-choice.ts'
import css from './list-page.module.css'
import { MoreButton } from './more-button.tsx'
import { Search } from './search.tsx'

/** A column of a list. The first one links to the row's page; on a phone it is the heading of the card. */
export type Column<T> = Omit<ProColumns<T>, 'title'> & { key: string; title: string }

interface ListPageProps<T> {
  title: string
  list: Pages<T>
  /** The number of rows, if a separate request returns it. */
  count?: number | undefined
  /** Content between the heading and the list. */
  lead?: ReactNode
  /** The search label, and the present search; where codes can be scanned, what is done with one. */
  search: { label: string; value: string; scanned?(code: string): void }
  onSearch(words: string): void
  /** The filters beside the search. */
  filters: ReactNode
  /** The buttons above the list, each with a React key. */
  actions?: ReactNode[]
  columns: Column<T>[]
  /** The name under which the reader's choice of columns is stored. */
  columnsOf: string
  selection?: Exclude<ProTableProps<T, object>['rowSelection'], undefined>
  /** Shown if there are no rows. */
  empty: ReactNode
  /** Dialogs above the page. */
  children?: ReactNode
}

/** A list for staff: count, search, filters, rows page by page, and the reader's choice of columns. */
export function ListPage<T extends { id: string }>({
  title,
  list,
  count,
  lead,
  search,
  onSearch,
  filters,
  actions = [],
  columns,
  columnsOf,
  selection = false,
  empty,
  children,
}: ListPageProps<T>) {
  const { t } = useTexts()
  const formats = useFormats()
  const box = useRef<HTMLDivElement>(null)
  const choice = useColumnChoice(columnsOf, box, list.items !== undefined)
  if (list.error && !list.items)
    return (
      <div className={page.page}>
        <Trouble error={list.error} onRetry={list.reload} />
      </div>
    )
  const shown = count ?? (list.count && formats.count(list.count))
  return (
    <div className={page.page} ref={box}>
      <PageHeader title={title} count={shown} />
      {lead && <div className={css.lead}>{lead}</div>}
      <ProConfigProvider intl={enUSIntl}>
        <ProTable<T>
          className={css.list ?? ''}
          rowKey="id"
          size="small"
          columns={columns.map((column, at) => ({
            ...column,
            onCell: (): object => ({ 'data-label': column.title }),
            // The first column identifies the row and the actions are not optional, so neither can be hidden.
            ...(at > 0 && !column.hideInSetting ? { onHeaderCell: (): object => ({ 'data-column': column.key }) } : {}),
          }))}
          {...(list.items ? { dataSource: list.items } : {})}
          loading={!list.items}
          search={false}
          pagination={false}
          ghost
          rowSelection={selection}
          tableAlertRender={false}
          columnsState={{ value: choice.value, onChange: choice.choose }}
          options={{
            reload: false,
            density: false,
            fullScreen: false,
            setting: {
              settingIcon: (
                <span className={css.columns}>
                  <SettingOutlined />
                  {choice.hidden > 0 && t('platform.list.more-columns', { count: choice.hidden })}
                </span>
              ),
            },
          }}
          headerTitle={
            <div className={css.filters}>
              <Search {...search} onSearch={onSearch} />
              {filters}
            </div>
          }
          toolBarRender={() => actions}
          locale={{ emptyText: empty }}
        />
      </ProConfigProvider>
      {list.more && (
        <p className={css.more}>
          <MoreButton list={list} />
        </p>
      )}
      {children}
    </div>
  )
}
