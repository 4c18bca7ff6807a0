import FullCalendar, { type CalendarRef, type EventApi, type EventInput } from '@fullcalendar/react'
import dayGridPlugin from '@fullcalendar/react/daygrid'
import listPlugin from '@fullcalendar/react/list'
import classicTheme from '@fullcalendar/react/themes/classic'
import timeGridPlugin from '@fullcalendar/react/timegrid'
import { Button, Tooltip } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { withQuery } from '../../platform/kernel/client/client.ts'
import { useRead } from '../../platform/kernel/api/read.ts'
import { addDays, momentOf, wallClock } from '../../platform/kernel/clock/colombo.ts'
import { useNow } from '../../platform/kernel/clock/now.ts'
import { Trouble } from '../../platform/kernel/states/trouble.tsx'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { useTaken } from '../catalogue/resources.ts'
import css from './calendar.module.css'
import '@fullcalendar/react/skeleton.css'
import '@fullcalendar/react/themes/classic/palette.css'
import '@fullcalendar/react/themes/classic/theme.css'
import { keysOf } from '../../platform/kernel/keys.ts'

const views = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay', list: 'listMonth' } as const
type View = keyof typeof views

interface Holiday {
  date: string
  name: string
  kind: string
}

/** The visible days; `until` is exclusive. */
interface Range {
  from: string
  until: string
}

/**
 * The calendar shows Colombo time whatever the browser's time zone. It gets Colombo's local times declared as UTC, so
 * no time zone data is needed.
 */
const shownAs = (moment: string | number) => {
  const { date, time } = wallClock(moment)
  return `${date}T${time}:00Z`
}
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

const narrow = () => window.matchMedia('(max-width: 640px)').matches

interface TakenCalendarProps {
  resource: string
  /** The day it opens at, `2026-05-14`; otherwise today. */
  day?: string
}

type TakenSlot = NonNullable<ReturnType<typeof useTaken>['data']>['items'][number]

/** The calendar's entries: bookings, the time kept free around them, and holidays. */
function useEvents(taken: readonly TakenSlot[], holidays: readonly Holiday[], view: View): EventInput[] {
  const { t } = useTexts()
  const { range, day } = useFormats()
  return useMemo<EventInput[]>(
    () => [
      ...taken.map(({ id: slot, title, booked }) => ({
        id: slot,
        title: title ?? t('resource-reservation.reserved'),
        start: shownAs(booked.from),
        end: shownAs(booked.until),
        extendedProps: { when: range(booked.from, booked.until) },
      })),
      // The time kept free around a booking is visible only in views with hours.
      ...(view === 'week' || view === 'day' ? taken : [])
        .filter(({ from: begins, until: ends, booked }) => begins !== booked.from || ends !== booked.until)
        .map(({ id: slot, from: begins, until: ends }) => ({
          id: `kept-${slot}`,
          title: t('resource-reservation.calendar.kept'),
          start: shownAs(begins),
          end: shownAs(ends),
          display: 'background',
          color: 'var(--event)',
        })),
      ...holidays.map((each) => ({
        id: `holiday-${each.date}`,
        title: each.name,
        // Views with hours shade a day from midnight to midnight, the month view as a day. The list has no days to
        // shade.
        ...(view === 'week' || view === 'day'
          ? { start: `${each.date}T00:00:00Z`, end: `${addDays(each.date, 1)}T00:00:00Z` }
          : { start: each.date, allDay: true }),
        ...(view === 'list' ? { color: 'var(--returned)' } : { display: 'background' }),
        extendedProps: { when: day(each.date), holiday: true, date: each.date },
      })),
    ],
    [taken, holidays, view, t, range, day],
  )
}

const none: readonly never[] = []

/** When a resource is taken: by month, week, day or as a list; weekends shaded, holidays marked. */
export function TakenCalendar({ resource: id, day: opensAt }: TakenCalendarProps) {
  const { t } = useTexts()
  const { day } = useFormats()
  const calendar = useRef<CalendarRef>(null)
  const small = narrow()
  const [view, setView] = useState<View>(small ? 'list' : 'month')
  const today = wallClock(useNow()).date
  const [shown, setShown] = useState<{ range: Range; current: string }>({
    range: { from: addDays(opensAt ?? today, -37), until: addDays(opensAt ?? today, 45) },
    current: opensAt ?? today,
  })
  const { from, until } = shown.range
  const taken = useTaken(id, momentOf({ date: from, time: '00:00' }), momentOf({ date: until, time: '00:00' }))
  const holidays = useRead<{ items: Holiday[] }>(withQuery('/api/public/holidays', { from, until }))

  const events = useEvents(taken.data?.items ?? none, holidays.data?.items ?? none, view)
  const isTaken = (date: string) =>
    taken.data?.items.some((each) => wallClock(each.from).date <= date && date <= wallClock(each.until).date) ?? false
  const holidayOn = (date: string) => holidays.data?.items.find((each) => each.date === date)?.name

  const move = (how: 'prev' | 'next' | 'today') => calendar.current?.getApi()[how]()
  const show = (next: View) => {
    setView(next)
    calendar.current?.getApi().changeView(views[next])
  }

  return (
    <div className={css.taken}>
      <Bar view={view} range={shown.range} current={shown.current} onMove={move} onShow={show} />
      {taken.error ? (
        <Trouble error={taken.error} onRetry={() => void taken.mutate()} />
      ) : (
        <div className={css.calendar} data-loading={(!taken.data && taken.isLoading) || undefined}>
          <FullCalendar
            ref={calendar}
            plugins={[classicTheme, dayGridPlugin, timeGridPlugin, listPlugin]}
            initialView={views[view]}
            initialDate={opensAt ?? today}
            headerToolbar={false}
            timeZone="UTC"
            now={() => shownAs(Date.now())}
            nowIndicator
            firstDay={1}
            height="100%"
            scrollTime="08:00:00"
            allDaySlot={false}
            dayMaxEvents={3}
            eventInteractive
            eventTimeFormat={{ hour: '2-digit', minute: '2-digit', hour12: false }}
            slotHeaderFormat={{ hour: '2-digit', minute: '2-digit', hour12: false }}
            displayEventEnd
            events={events}
            eventDisplay="block"
            eventColor="var(--event)"
            eventContrastColor="var(--event-ink)"
            datesSet={({ start, end, view: { currentStart } }) =>
              setShown({ range: { from: dayOf(start), until: dayOf(end) }, current: dayOf(currentStart) })
            }
            dayCellClass={({ date }) => (isWeekend(date) ? (css.weekend ?? '') : '')}
            dayLaneClass={({ date }) => (isWeekend(date) ? (css.weekend ?? '') : '')}
            dayHeaderContent={({ date }) => {
              const weekday = t(`platform.weekday${small && view !== 'day' ? '-short' : ''}.${date.getUTCDay()}`)
              if (view === 'month') return weekday
              return (
                <>
                  {weekday} {date.getUTCDate()} <small className={css.dayOff}>{holidayOn(dayOf(date))}</small>
                </>
              )
            }}
            listDayClass={({ date }) => (isWeekend(date) ? (css.weekend ?? '') : '')}
            listDayHeaderContent={({ date, level }) => (level === 0 ? day(dayOf(date)) : '')}
            allDayText={t('resource-reservation.public-holiday')}
            moreLinkContent={({ num }) => t('resource-reservation.calendar.more', { count: num })}
            noEventsContent={() => <p className={css.free}>{t('resource-reservation.calendar.free')}</p>}
            backgroundEventContent={({ event }) =>
              event.allDay && (
                <span
                  className={css.holiday}
                  data-short={isTaken(String(event.extendedProps['date'])) || undefined}
                  title={event.title}
                >
                  {event.title}
                </span>
              )
            }
            eventContent={({ event, timeText }) => (
              <Shown event={event} time={timeText} bare={small && view === 'month'} />
            )}
          />
        </div>
      )}
      <Key />
    </div>
  )
}

interface BarProps {
  view: View
  range: Range
  /** A day within the visible range. */
  current: string
  onMove(how: 'prev' | 'next' | 'today'): void
  onShow(view: View): void
}

/** Above the calendar: navigation, the visible range, and the views. */
function Bar({ view, range: { from, until }, current, onMove, onShow }: BarProps) {
  const { t } = useTexts()
  const { day, date } = useFormats()
  const [year = '', month = ''] = current.split('-')
  const monthInWords = t('resource-reservation.calendar.month-year', {
    month: t(`platform.month-long.${Number(month)}`),
    year,
  })
  const heading =
    view === 'day'
      ? day(current)
      : view === 'week'
        ? t('resource-reservation.calendar.week-of', { from: date(from), until: date(addDays(until, -1)) })
        : monthInWords

  return (
    <div className={css.bar}>
      <div className={css.move}>
        <Button onClick={() => onMove('prev')} aria-label={t('resource-reservation.calendar.earlier')}>
          ‹
        </Button>
        <Button onClick={() => onMove('next')} aria-label={t('resource-reservation.calendar.later')}>
          ›
        </Button>
        <Button onClick={() => onMove('today')}>{t('resource-reservation.calendar.today')}</Button>
      </div>
      <h2 aria-live="polite">{heading}</h2>
      <div className={css.views} role="group" aria-label={t('resource-reservation.calendar.view')}>
        {keysOf(views).map((each) => (
          <button key={each} type="button" aria-pressed={each === view} onClick={() => onShow(each)}>
            {t(`resource-reservation.calendar.${each}`)}
          </button>
        ))}
      </div>
    </div>
  )
}

interface ShownProps {
  event: EventApi
  time: string
  /** There is room for the time only. */
  bare: boolean
}

/** An event in its place; its times are in a tooltip. */
function Shown({ event, time, bare }: ShownProps) {
  if (event.extendedProps['holiday']) return <span className={css.listed}>{event.title}</span>
  return (
    <Tooltip
      trigger={['hover', 'focus', 'click']}
      title={
        <>
          <strong>{event.title}</strong>
          <br />
          {String(event.extendedProps['when'])}
        </>
      }
    >
      <span className={css.event} data-bare={bare || undefined}>
        <span>{time}</span> <strong>{event.title}</strong>
      </span>
    </Tooltip>
  )
}

function Key() {
  const { t } = useTexts()
  return (
    <p className={css.key}>
      <span data-kind="event">{t('resource-reservation.calendar.key-reserved')}</span>
      <span data-kind="holiday">{t('resource-reservation.public-holiday')}</span>
      <span data-kind="weekend">{t('resource-reservation.calendar.key-weekend')}</span>
    </p>
  )
}

const isWeekend = (date: Date) => [0, 6].includes(date.getUTCDay())
