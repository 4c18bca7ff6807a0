import { useId, useState } from 'react'
import { momentOf, wallClock } from '../clock/colombo.ts'
import { Day } from '../form/day-widgets.tsx'
import { TimeSelect } from '../form/time-select.tsx'
import { useTexts } from '../texts/texts.ts'
import css from './choices.module.css'

interface MomentChoiceProps {
  label: string
  value: string
  onChange(value: string): void
}

/** A day and a time in Colombo that a page is asked for. The value changes once both are chosen. */
export function MomentChoice({ label, value, onChange }: MomentChoiceProps) {
  const { t } = useTexts()
  const id = useId()
  const [half, setHalf] = useState<{ date?: string | undefined; time?: string | undefined }>()
  const { date, time } = half ?? wallClock(value)
  const choose = (next: { date?: string | undefined; time?: string | undefined }) => {
    const whole = next.date && next.time ? momentOf({ date: next.date, time: next.time }) : undefined
    setHalf(whole ? undefined : next)
    if (whole) onChange(whole)
  }
  return (
    <div className={css['choice']} role="group" aria-label={label}>
      <span aria-hidden="true">{label}</span>
      <Day
        id={id}
        label={t('platform.form.day')}
        value={date}
        wrong={false}
        onChange={(next: string | undefined) => choose({ date: next, time })}
      />
      <TimeSelect
        aria-label={t('platform.form.time')}
        value={time}
        wrong={false}
        onChange={(next: string | undefined) => choose({ date, time: next })}
      />
    </div>
  )
}
