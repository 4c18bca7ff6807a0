import { Input } from 'antd'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { useTexts } from '../texts/texts.ts'
import { momentOf, wallClock } from '../clock/colombo.ts'
import css from './form.module.css'
import { TimeSelect } from './time-select.tsx'
import { described, type WidgetProps } from './widget.ts'

const DateWidget = lazy(() => import('./date-widget.tsx'))

/** The picker of a day; its calendar is heavy and comes when the first one is shown. */
export function Day(props: ComponentProps<typeof DateWidget>) {
  return (
    <Suspense fallback={<Input disabled placeholder="dd/mm/yyyy" style={{ width: 168 }} />}>
      <DateWidget {...props} />
    </Suspense>
  )
}

export function DayWidget(props: WidgetProps) {
  const { 'aria-describedby': by, 'aria-required': required } = described(props)
  return (
    <Day
      id={props.id}
      value={props.value as string | undefined}
      wrong={props.wrong}
      aria-describedby={by}
      aria-required={required}
      onChange={props.onChange}
    />
  )
}

interface MomentInputProps {
  id: string
  value: string | undefined
  onChange(moment: string | undefined): void
  wrong: boolean
  describedBy: string | undefined
  dayLabel: string
  timeLabel: string
  closedDay?(date: string): boolean
  closedTime?(date: string, time: string): boolean
  noteOfTime?(date: string, time: string): string
}

/** A day and a time of day, as the clocks of the house show them. The moment stands once both are chosen. */
export function MomentInput({
  id,
  value,
  onChange,
  wrong,
  describedBy,
  dayLabel,
  timeLabel,
  closedDay,
  closedTime,
  noteOfTime,
}: MomentInputProps) {
  const [half, setHalf] = useState<{ date?: string | undefined; time?: string | undefined }>({})
  const whole = value ? wallClock(value) : undefined
  const { date, time } = whole ?? half
  const choose = (next: { date?: string | undefined; time?: string | undefined }) => {
    setHalf(next)
    const complete = next.date && next.time ? momentOf({ date: next.date, time: next.time }) : undefined
    if (complete !== value) onChange(complete)
  }
  return (
    <div className={css['moment']}>
      <Day
        id={id}
        label={dayLabel}
        value={date}
        wrong={wrong}
        aria-describedby={describedBy}
        onChange={(chosen) => choose({ date: chosen, time })}
        {...(closedDay ? { closed: closedDay } : {})}
      />
      <TimeSelect
        id={`${id}-time`}
        aria-label={timeLabel}
        aria-describedby={describedBy}
        value={time}
        wrong={wrong}
        onChange={(chosen) => choose({ date, time: chosen })}
        {...(date && closedTime ? { closed: (each: string) => closedTime(date, each) } : {})}
        {...(date && noteOfTime ? { note: (each: string) => noteOfTime(date, each) } : {})}
      />
    </div>
  )
}

export function MomentWidget(props: WidgetProps) {
  const { t } = useTexts()
  return (
    <MomentInput
      id={props.id}
      value={props.value as string | undefined}
      wrong={props.wrong}
      describedBy={props.describedBy}
      dayLabel={t('platform.form.day')}
      timeLabel={t('platform.form.time')}
      onChange={props.onChange}
    />
  )
}
