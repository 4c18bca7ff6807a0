import { Alert, Button } from 'antd'
import { useId, type ReactNode } from 'react'
import { useNow } from '../../platform/kernel/clock/now.ts'
import { addDays, momentOf, wallClock } from '../../platform/kernel/clock/colombo.ts'
import { Day } from '../../platform/kernel/form/day-widgets.tsx'
import { TimeSelect } from '../../platform/kernel/form/time-select.tsx'
import { inWords } from '../../platform/kernel/states/trouble.tsx'
import { useFormats } from '../../platform/kernel/texts/formats.ts'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import { useTaken, type Alternative, type Hold, type Taken } from '../catalogue/resources.ts'
import { useAvailability } from './availability.ts'
import css from './booking.module.css'
import { clashes, closedForEnd, closedForStart, onDay, spanOf, wholeDayTaken, withStart, type Slot } from './slot.ts'

/** How many days ahead one request of taken slots reaches. */
const days = 399

interface DatesStepProps {
  resource: string
  slot: Slot
  /** The event's input so far: availability may depend on it. */
  event: Record<string, unknown>
  /** The reader's own hold, which is no conflict. */
  own: Hold | undefined
  /** Why the reader has to choose again. */
  lost: string | undefined
  onChange(slot: Slot): void
  /** Takes another time or another resource instead. */
  take(alternative: Alternative): void
  openCalendar(): void
  footer(ready: boolean): ReactNode
}

/** The dates: past and taken times cannot be chosen, and a conflict is shown at once. */
export function DatesStep({ resource, slot, event, own, lost, onChange, take, openCalendar, footer }: DatesStepProps) {
  const { t } = useTexts()
  const formats = useFormats()
  const id = useId()
  const { read, taken, now, today, start, span, problem, clash, refusal, fits, ready } = useChosenTime(
    resource,
    slot,
    event,
    own,
  )
  const { start_date, start_time, end_date, end_time } = slot
  const closedDay = (date: string) => date < today || wholeDayTaken(date, taken)
  const reserved = (date: string) => (time: string) => {
    const moment = Date.parse(momentOf({ date, time }))
    return taken.some((each) => Date.parse(each.from) <= moment && moment < Date.parse(each.until))
      ? ` · ${t('resource-reservation.reserved')}`
      : ''
  }

  const notice = clash.length > 0 ? t('resource-reservation.slot-taken') : (refusal?.message ?? lost)
  const shownDays = [...new Set([start_date, end_date].filter((date) => date !== undefined))]

  return (
    <>
      <div className={css.range}>
        <fieldset>
          <legend>{t('resource-reservation.field.from')}</legend>
          <div className={css.pair}>
            <Day
              id={`${id}-from`}
              label={t('resource-reservation.from-day')}
              value={start_date}
              wrong={problem !== undefined}
              closed={closedDay}
              onChange={(date) => onChange(withStart(slot, { start_date: date }))}
            />
            <TimeSelect
              aria-label={t('resource-reservation.from-time')}
              value={start_time}
              wrong={problem !== undefined}
              onChange={(time) => onChange(withStart(slot, { start_time: time }))}
              {...(start_date
                ? {
                    closed: (time: string) => closedForStart(momentOf({ date: start_date, time }), taken, now),
                    note: reserved(start_date),
                  }
                : {})}
            />
          </div>
        </fieldset>
        <fieldset>
          <legend>{t('resource-reservation.field.until')}</legend>
          <div className={css.pair}>
            <Day
              id={`${id}-until`}
              label={t('resource-reservation.until-day')}
              value={end_date}
              wrong={problem !== undefined}
              closed={(date) => date < (start_date ?? today) || closedDay(date)}
              onChange={(date) => onChange({ ...slot, end_date: date })}
            />
            <TimeSelect
              aria-label={t('resource-reservation.until-time')}
              value={end_time}
              wrong={problem !== undefined}
              onChange={(time) => onChange({ ...slot, end_time: time })}
              {...(end_date
                ? { closed: (time: string) => closedForEnd(momentOf({ date: end_date, time }), start, taken, now) }
                : {})}
            />
          </div>
        </fieldset>
      </div>
      <p className={css.soft}>{t('resource-reservation.dates-help')}</p>
      <div aria-live="assertive">
        {notice && <Alert type="error" className={css.alert} title={notice} />}
        {problem && <Alert type="error" className={css.alert} title={t(problem)} />}
      </div>
      {refusal && <Alternatives of={refusal.alternatives} resource={resource} notice={notice} take={take} />}
      {read.error && (
        <Alert
          type="error"
          role="alert"
          className={css.alert}
          title={inWords(read.error, t).title}
          description={inWords(read.error, t).detail}
          action={<Button onClick={() => void read.mutate()}>{t('platform.trouble.retry')}</Button>}
        />
      )}
      {span && fits && (
        <p className={css.chosen} role="status">
          {formats.range(span.from, span.until)} · {formats.duration(Date.parse(span.until) - Date.parse(span.from))}
        </p>
      )}
      {shownDays.map((date) => (
        <DayBar key={date} date={date} taken={taken} chosen={span && problem !== reversedText ? [span] : []} />
      ))}
      <Button type="link" className={css.link} onClick={openCalendar}>
        {t('resource-reservation.resource-calendar')}
      </Button>
      {footer(ready)}
    </>
  )
}

/** Text key of the error for an end before its start. */
const reversedText = 'resource-reservation.start-before-end'

/** The problems of the chosen time: order, taken slots, and the server's findings. */
function useChosenTime(resource: string, slot: Slot, event: Record<string, unknown>, own: Hold | undefined) {
  const now = useNow()
  const today = wallClock(now).date
  // For later dates the request starts there.
  const begin = slot.start_date && slot.start_date > addDays(today, days - 60) ? slot.start_date : today
  const read = useTaken(
    resource,
    momentOf({ date: begin, time: '00:00' }),
    momentOf({ date: addDays(begin, days), time: '00:00' }),
  )
  const taken = (read.data?.items ?? []).filter((each) => each.id !== own?.id)

  const { start_date, start_time } = slot
  const start = start_date && start_time ? momentOf({ date: start_date, time: start_time }) : undefined
  const span = spanOf(slot)
  const reversed = span !== undefined && Date.parse(span.from) >= Date.parse(span.until)
  const past = start !== undefined && Date.parse(start) < now
  const clash = span && !reversed ? clashes(span, taken) : []
  // The reader's own hold is certain, and a check would only find it as a conflict.
  const held =
    own && span && Date.parse(span.from) < Date.parse(own.until) && Date.parse(own.from) < Date.parse(span.until)
  const problem = reversed ? reversedText : past ? 'resource-reservation.start-in-past' : undefined
  const inOrder = span !== undefined && problem === undefined
  const availability = useAvailability(resource, inOrder && !held ? span : undefined, event)
  const refusal = availability.answer?.free === false ? availability.answer : undefined
  /** As far as the page knows, and as far as the server has answered. */
  const fits = inOrder && clash.length === 0 && !refusal
  const ready = fits && read.data !== undefined && !availability.asking
  return { read, taken, now, today, start, span, problem, clash, refusal, fits, ready }
}

interface AlternativesProps {
  of: readonly Alternative[]
  resource: string
  /** The sentence above them. */
  notice: string | undefined
  take(alternative: Alternative): void
}

/** Alternative times and resources, one click each. */
function Alternatives({ of, resource, notice, take }: AlternativesProps) {
  const { t } = useTexts()
  const formats = useFormats()
  if (of.length === 0) return null
  return (
    <section className={css.alternatives} aria-label={t('resource-reservation.alternatives')}>
      {/* A notice that ends in a colon introduces them itself. */}
      {!notice?.endsWith(':') && <h3>{t('resource-reservation.alternatives')}</h3>}
      <ul>
        {of.map((each) => (
          <li key={`${each.resource.id} ${each.from}`}>
            <Button onClick={() => take(each)}>
              {each.resource.id !== resource && <strong>{each.resource.title}</strong>}{' '}
              {formats.range(each.from, each.until)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A day as a bar of 24 hours: taken times and the chosen one; in words for screen readers. */
function DayBar({
  date,
  taken,
  chosen,
}: {
  date: string
  taken: readonly Taken[]
  chosen: readonly { from: string; until: string }[]
}) {
  const { t } = useTexts()
  const { day } = useFormats()
  const parts = onDay(date, taken)
  const times = parts.map(({ from, until }) => t('resource-reservation.hours', { from, until })).join(', ')
  const place = ({ left, width }: { left: number; width: number }) => ({
    left: `${left * 100}%`,
    width: `${width * 100}%`,
  })
  return (
    <div className={css.day}>
      <p>
        <strong>{day(date)}</strong>{' '}
        {parts.length > 0 ? t('resource-reservation.day-reserved', { times }) : t('resource-reservation.day-free')}
      </p>
      <div className={css.band} aria-hidden>
        {onDay(date, chosen).map((part) => (
          <i key={`chosen ${part.from}`} className={css.mine} style={place(part)} />
        ))}
        {parts.map((part) => (
          <i key={part.from} className={css.taken} style={place(part)} />
        ))}
      </div>
      <div className={css.hours} aria-hidden>
        {['00', '06', '12', '18', '24'].map((hour) => (
          <span key={hour}>{hour}:00</span>
        ))}
      </div>
    </div>
  )
}
