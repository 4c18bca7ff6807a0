import { memo, useLayoutEffect, useRef, useState } from 'react'
import type { Density, Queue } from '../../kernel/api/inbox.ts'
import { useNow } from '../../kernel/clock/now.ts'
import { MoreButton } from '../../kernel/list/more-button.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Grouping } from './address.ts'
import { grouped, late, noDay, type Group } from './groups.ts'
import css from './list.module.css'
import { Row, type Column } from './row.tsx'
import type { StableRow } from './steady-list.ts'

interface ListProps {
  rows: readonly StableRow[]
  queue: Queue
  group: Grouping
  density: Density
  columns: readonly Column[]
  /** Id of the task that is open beside the list. */
  open: string | undefined
  chosen: readonly string[]
  toTask(id: string): string
  onToggle(id: string, range: boolean): void
  more: boolean
  loading: boolean
  loadMore(): void
}

export const List = memo(function List({ rows, group, density, more, loading, loadMore, ...rest }: ListProps) {
  const now = useNow()
  const [box, wide] = useRoom(rest.columns.length)
  const amounts = rows.some(({ row }) => row.amount !== null && row.amount !== undefined)
  return (
    <div className={css['rows']} data-density={density} data-wide={wide || undefined} ref={box}>
      {wide && rest.columns.length > 0 && <Headings columns={rest.columns} amounts={amounts} />}
      {grouped(rows, group, now).map((each) => (
        <section key={each.key}>
          {group !== 'none' && (
            <h2>
              <Heading of={each} by={group} now={now} /> <span>{each.rows.length}</span>
            </h2>
          )}
          <Rows {...rest} rows={each.rows} amounts={amounts} />
        </section>
      ))}
      {more && (
        <p className={css['more']}>
          <MoreButton list={{ more, loading, loadMore }} />
        </p>
      )}
    </div>
  )
})

/** Least width of the title, and width of each further column, in pixels. */
const [least, column] = [400, 140]

/** Whether columns of the flow, the amount and the time fit beside the title. */
function useRoom(columns: number) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    setWidth(current.clientWidth)
    const watcher = new ResizeObserver(() => setWidth(current.clientWidth))
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [])
  return [box, width >= least + (columns + 2) * column] as const
}

/** The column headings, if columns fit; each value has its own label as well. */
function Headings({ columns, amounts }: { columns: readonly Column[]; amounts: boolean }) {
  const { t } = useTexts()
  return (
    <div className={css['headings']} aria-hidden>
      <span>{t('platform.inbox.column.title')}</span>
      {columns.map(({ name, title }) => (
        <span key={name}>{title}</span>
      ))}
      {amounts && <span className={css['figure']}>{t('platform.inbox.column.amount')}</span>}
      <span className={css['figure']}>{t('platform.inbox.column.when')}</span>
    </div>
  )
}

function Rows({
  rows,
  open,
  chosen,
  toTask,
  ...rest
}: Pick<ListProps, 'queue' | 'columns' | 'open' | 'chosen' | 'toTask' | 'onToggle'> & {
  rows: readonly StableRow[]
  amounts: boolean
}) {
  const ticked = new Set(chosen)
  return (
    <ol>
      {rows.map(({ row, gone }) => (
        <Row
          key={row.id}
          {...rest}
          row={row}
          gone={gone}
          open={row.id === open}
          chosen={ticked.has(row.id)}
          href={toTask(row.id)}
        />
      ))}
    </ol>
  )
}

function Heading({ of: { key, name }, by, now }: { of: Group; by: Grouping; now: number }) {
  const { t } = useTexts()
  const { day, due } = useFormats()
  if (by !== 'due') return <>{name}</>
  if (key === late) return <>{t('platform.inbox.group.late')}</>
  if (key === noDay) return <>{t('platform.inbox.group.no-day')}</>
  const { text } = due(`${key}T23:59:59+05:30`, now)
  return (
    <>
      {text}, {day(key)}
    </>
  )
}
