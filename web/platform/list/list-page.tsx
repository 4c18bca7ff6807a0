import { enUSIntl, ProConfigProvider, ProTable, type ProColumns, type ProTableProps } from '@ant-design/pro-components'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { Pages } from '../api/read.ts'
import page from '../page/page.module.css'
import { Trouble } from '../states/trouble.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/texts.ts'
import css from './list-page.module.css'
import { Search } from './search.tsx'

/** A column of a list. The first one leads to the row's own page; on a telephone it heads the row. */
export type Column<T> = Omit<ProColumns<T>, 'title'> & { key: string; title: string }

interface ListPageProps<T> {
  title: string
  list: Pages<T>
  /** How many there are, where another read than the list's own tells. */
  count?: number | undefined
  /** What stands between the heading and the list. */
  lead?: ReactNode
  /** What can be searched for, and what is. */
  search: { label: string; value: string }
  onSearch(words: string): void
  /** The filters beside the search. */
  filters: ReactNode
  /** The buttons above the list, each with its key. */
  actions?: ReactNode[]
  columns: Column<T>[]
  /** The name under which the reader's own choice of columns is kept. */
  columnsOf: string
  selection?: Exclude<ProTableProps<T, object>['rowSelection'], undefined>
  /** In the place of the rows where there are none. */
  empty: ReactNode
  /** What opens above the page. */
  children?: ReactNode
}

/** A list for staff: how many there are, search and filters, the rows page by page, and the reader's choice of columns. */
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
  if (list.error && !list.items)
    return (
      <div className={page.page}>
        <Trouble error={list.error} onRetry={list.reload} />
      </div>
    )
  const shown = count ?? (list.count && formats.count(list.count))
  return (
    <div className={page.page}>
      <h1>
        {title}
        {shown !== undefined && <span className={page.count}>{shown}</span>}
      </h1>
      {lead && <div className={css.lead}>{lead}</div>}
      <ProConfigProvider intl={enUSIntl}>
        <ProTable<T>
          className={css.list ?? ''}
          rowKey="id"
          size="small"
          columns={columns.map((column) => ({ ...column, onCell: (): object => ({ 'data-label': column.title }) }))}
          {...(list.items ? { dataSource: list.items } : {})}
          loading={!list.items}
          search={false}
          pagination={false}
          ghost
          rowSelection={selection}
          tableAlertRender={false}
          columnsState={{ persistenceKey: `prakriya.columns.${columnsOf}`, persistenceType: 'localStorage' }}
          options={{ reload: false, density: false, fullScreen: false, setting: true }}
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
          <Button loading={list.loading} onClick={list.loadMore}>
            {t('platform.list.more')}
          </Button>
        </p>
      )}
      {children}
    </div>
  )
}
