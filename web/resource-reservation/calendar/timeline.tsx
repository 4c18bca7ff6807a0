import { Button, Tooltip } from 'antd'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import useSWR from 'swr'
import { Link, useSearchParams } from 'wouter'
import { request, withQuery, type Problem } from '../../platform/kernel/client/client.ts'
import { useRead } from '../../platform/kernel/api/read.ts'
import { dayIn, momentOf, wallClock } from '../../platform/kernel/clock/colombo.ts'
import { useNow } from '../../platform/kernel/clock/now.ts'
import { Trouble } from '../../platform/kernel/states/trouble.tsx'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import type { TakenSlot } from '../catalogue/resources.ts'
import { cellsOf, columnsOf, spans, stepped, type Cell, type Column } from './spans.ts'
import css from './timeline.module.css'
import { known } from '../../platform/kernel/known.ts'

interface Row {
  id: string
  title: string
}

/** Most resources of one request. */
const MAX_RESOURCES = 50
/** The first visible hour of a day; earlier hours need scrolling. */
const OPENING_HOUR = 7
/** The default hours when a free day is chosen; they can be changed. */
const HOURS = { from: '09:00', until: '17:00' }

/** When many resources are taken: a row for each; columns are hours of a day, or days of one or two weeks. */
export default function Timeline({ resources }: { resources: readonly Row[] }) {
  const { t } = useTexts()
  const { day: dayInWords, date: shortDate } = useFormats()
  const now = useNow()
  const [params, setParams] = useSearchParams()
  const span = spans.find((each) => each === params.get('span')) ?? 'week'
  const today = wallClock(now).date
  const day = dayIn(params.get('day')) ?? today
  const columns = columnsOf(span, day)
  const [first, last] = [known(columns[0], 'the first column'), known(columns.at(-1), 'the last column')]
  const { taken, error, retry } = useTakenOf(resources, first.from, last.until)
  const holidays = useRead<{ items: { date: string; name: string }[] }>(
    withQuery('/api/public/holidays', { from: first.date, until: last.date }),
  )
  const holidayOn = (date: string) => holidays.data?.items.find((each) => each.date === date)?.name

  const put = (values: Record<string, string>) =>
    setParams((before) => new URLSearchParams({ ...Object.fromEntries(before), ...values }), { replace: true })
  /** The present address with the booking dialog. */
  const bookingOf = (id: string, from: string, until: string) =>
    `/all_resoures?${new URLSearchParams({ ...Object.fromEntries(params), book: id, from, until })}`

  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const opening = frame.current?.querySelector<HTMLElement>(`[data-hour="${OPENING_HOUR}"]`)
    const name = frame.current?.querySelector<HTMLElement>('thead th')
    if (frame.current) frame.current.scrollLeft = opening ? opening.offsetLeft - (name?.offsetWidth ?? 0) : 0
  }, [span, day])

  const heading =
    span === 'day'
      ? [dayInWords(day), holidayOn(day)].filter(Boolean).join(' · ')
      : t('resource-reservation.calendar.week-of', { from: shortDate(first.date), until: shortDate(last.date) })

  return (
    <section className={css.timeline} aria-labelledby="timeline-heading">
      <div className={css.bar}>
        <div>
          <Button
            onClick={() => put({ day: stepped(span, day, -1) })}
            aria-label={t('resource-reservation.calendar.earlier')}
          >
            ‹
          </Button>
          <Button
            onClick={() => put({ day: stepped(span, day, 1) })}
            aria-label={t('resource-reservation.calendar.later')}
          >
            ›
          </Button>
          <Button onClick={() => put({ day: today })}>{t('resource-reservation.calendar.today')}</Button>
        </div>
        <h2 id="timeline-heading" aria-live="polite">
          {heading}
        </h2>
        <div className={css.spans} role="group" aria-label={t('resource-reservation.calendar.view')}>
          {spans.map((each) => (
            <button key={each} type="button" aria-pressed={each === span} onClick={() => put({ span: each })}>
              {t(`resource-reservation.timeline.${each}`)}
            </button>
          ))}
        </div>
      </div>
      <p className={css.help}>{t('resource-reservation.timeline.help')}</p>
      {error ? (
        <Trouble error={error} onRetry={retry} />
      ) : (
        <div ref={frame} className={css.frame} data-loading={!taken || undefined}>
          <table data-span={span}>
            <caption className="visually-hidden">{heading}</caption>
            <thead>
              <tr>
                <th scope="col">{t('resource-reservation.timeline.resource')}</th>
                {columns.map((column) => (
                  <ColumnHead key={column.from} column={column} holiday={holidayOn(column.date)} today={today} />
                ))}
              </tr>
            </thead>
            <tbody>
              {resources.map(({ id, title }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link
                      href={`/all_resoures?${new URLSearchParams({ ...Object.fromEntries(params), calendar: id })}`}
                    >
                      {title}
                    </Link>
                  </th>
                  {cellsOf(columns, taken?.get(id) ?? []).map((cell) => (
                    <TimeCell
                      key={cell.columns[0].from}
                      cell={cell}
                      off={isOff(cell.columns[0], holidayOn)}
                      name={title}
                      now={now}
                      href={(from, until) => bookingOf(id, from, until)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** The taken slots of each resource; undefined until all are known. */
function useTakenOf(resources: readonly Row[], from: number, until: number) {
  const ids = resources.map(({ id }) => id)
  const paths = Array.from({ length: Math.ceil(ids.length / MAX_RESOURCES) }, (_, at) =>
    withQuery('/api/public/allocations', {
      items: ids.slice(at * MAX_RESOURCES, (at + 1) * MAX_RESOURCES).join(','),
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
    }),
  )
  // The key starts as those of single resources do, so mutations that match them match it too.
  const { data, error, mutate } = useSWR<{ items: TakenSlot[] }[], Problem>(paths.join(' ') || null, () =>
    Promise.all(paths.map((path) => request<{ items: TakenSlot[] }>('GET', path))),
  )
  return {
    taken:
      data &&
      Map.groupBy(
        data.flatMap(({ items }) => items),
        ({ item }) => item,
      ),
    error: data ? undefined : error,
    retry: () => void mutate(),
  }
}

interface ColumnHeadProps {
  column: Column
  holiday: string | undefined
  today: string
}

function ColumnHead({ column: { date, hour }, holiday, today }: ColumnHeadProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  if (hour !== undefined)
    return (
      <th scope="col" data-hour={hour}>
        {String(hour).padStart(2, '0')}
      </th>
    )
  return (
    <th
      scope="col"
      aria-label={[day(date), holiday].filter(Boolean).join(' · ')}
      aria-current={date === today ? 'date' : undefined}
      data-off={isWeekend(date) ? 'weekend' : holiday && 'holiday'}
    >
      <span>{t(`platform.weekday-short.${new Date(date).getUTCDay()}`)}</span> <b>{Number(date.slice(8))}</b>
      {holiday && <small title={holiday}>{holiday}</small>}
    </th>
  )
}

interface TimeCellProps {
  cell: Cell<TakenSlot>
  off: 'weekend' | 'holiday' | undefined
  name: string
  now: number
  /** The address that books this time. */
  href(from: string, until: string): string
}

/** The bookings of a cell, or a link to book it. */
function TimeCell({ cell: { columns, taken }, off, name, now, href }: TimeCellProps) {
  const { t } = useTexts()
  const { range, time } = useFormats()
  const [first] = columns
  const slot = slotOf(first)
  const past = Date.parse(slot.from) < now
  return (
    <td colSpan={columns.length} data-off={off} data-past={past || undefined}>
      {taken.map(({ id, title, booked: { from, until } }) => (
        <Tooltip
          key={id}
          trigger={['hover', 'focus', 'click']}
          title={`${title ?? t('resource-reservation.reserved')}, ${range(from, until)}`}
        >
          <button type="button" className={css.event} onKeyDown={moveFocus}>
            <span className="visually-hidden">{range(from, until)}</span>
            {first.hour === undefined && (
              <time dateTime={from} aria-hidden>
                {time(from)}
              </time>
            )}
            <span>{title ?? t('resource-reservation.reserved')}</span>
          </button>
        </Tooltip>
      ))}
      {taken.length === 0 && !past && (
        <Link
          href={href(slot.from, slot.until)}
          className={css.free ?? ''}
          onKeyDown={moveFocus}
          aria-label={t('resource-reservation.timeline.book', { name, when: range(slot.from, slot.until) })}
        >
          +
        </Link>
      )}
    </td>
  )
}

/** The time of a free column: its hour, or the working hours of its day. */
function slotOf({ date, hour, from, until }: Column): { from: string; until: string } {
  if (hour === undefined)
    return { from: momentOf({ date, time: HOURS.from }), until: momentOf({ date, time: HOURS.until }) }
  return { from: momentOf(wallClock(from)), until: momentOf(wallClock(until)) }
}

const isWeekend = (date: string) => [0, 6].includes(new Date(date).getUTCDay())

function isOff({ date }: Column, holidayOn: (date: string) => string | undefined) {
  return holidayOn(date) ? 'holiday' : isWeekend(date) ? 'weekend' : undefined
}

/** Arrow keys move from cell to cell; up and down to the nearest one. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const from = event.currentTarget.closest('td')
  const row = from?.closest('tr')
  if (!from || !row || !event.key.startsWith('Arrow')) return
  const aims = (parent: Element) => [...parent.querySelectorAll<HTMLElement>('td a, td button')]
  const own = aims(row)
  const at = own.indexOf(event.currentTarget)
  const left = (aim: Element) => Math.abs(aim.getBoundingClientRect().left - from.getBoundingClientRect().left)
  const rows = [...(row.parentElement?.children ?? [])].filter((each) => each === row || aims(each).length > 0)
  const other = rows[rows.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)]
  const aim =
    event.key === 'ArrowRight'
      ? own[at + 1]
      : event.key === 'ArrowLeft'
        ? own[at - 1]
        : other && aims(other).toSorted((a, b) => left(a) - left(b))[0]
  if (!aim) return
  event.preventDefault()
  aim.focus()
}
