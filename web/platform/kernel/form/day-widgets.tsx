import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { useTexts } from '../texts/texts.ts'
import { momentOf, wallClock } from '../clock/colombo.ts'
import css from './form.module.css'
import { TimeSelect } from './time-select.tsx'
import { described, type WidgetProps } from './widget.ts'

const DateWidget = lazy(() => import('./date-widget.tsx'))

/** The day picker; its calendar is large and loads when first shown. */
export function Day(props: ComponentProps<typeof DateWidget>) {
  return (
    <Suspense fallback={<span className={css['coming']} data-day />}>
      <DateWidget {...props} />
    </Suspense>
  )
}

/** A month, as `2026-11`. */
export function MonthWidget(props: WidgetProps) {
  return <DayWidget {...props} months />
}

export function DayWidget({ months = false, ...props }: WidgetProps & { months?: boolean }) {
  const { 'aria-describedby': by, 'aria-required': required } = described(props)
  return (
    <Day
      id={props.id}
      value={typeof props.value === 'string' ? props.value : undefined}
      wrong={props.wrong}
      months={months}
      aria-describedby={by}
      aria-required={required}
      onChange={props.onChange}
    />
  )
}

/** A day and a time in Colombo. The value is set once both are chosen. */
export function MomentWidget({ id, value, onChange, wrong, describedBy }: WidgetProps) {
  const { t } = useTexts()
  const [half, setHalf] = useState<{ date?: string | undefined; time?: string | undefined }>({})
  const { date, time } = typeof value === 'string' ? wallClock(value) : half
  const choose = (next: typeof half) => {
    setHalf(next)
    const whole = next.date && next.time ? momentOf({ date: next.date, time: next.time }) : undefined
    if (whole !== value) onChange(whole)
  }
  const both = { wrong, 'aria-describedby': describedBy }
  return (
    <div className={css['moment']}>
      <Day
        {...both}
        id={id}
        label={t('platform.form.day')}
        value={date}
        onChange={(chosen) => choose({ date: chosen, time })}
      />
      <TimeSelect
        {...both}
        aria-label={t('platform.form.time')}
        value={time}
        onChange={(chosen) => choose({ date, time: chosen })}
      />
    </div>
  )
}
