import type { ComponentProps } from 'react'
import { PlainSelect } from './plain-select.tsx'

const steps = Array.from(
  { length: 96 },
  (_, quarter) => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
)

interface TimeSelectProps extends Omit<ComponentProps<typeof PlainSelect>, 'value' | 'onChange'> {
  /** `18:00`, or undefined if none is chosen. */
  value: string | undefined
  onChange(time: string | undefined): void
  /** Whether a time cannot be chosen. */
  closed?(time: string): boolean
  /** Whether 24:00 can be chosen too. */
  untilMidnight?: boolean
  note?(time: string): string
}

/** A time of day in steps of 15 minutes. */
export function TimeSelect({ value, onChange, closed, untilMidnight, note, ...rest }: TimeSelectProps) {
  const offered = untilMidnight ? [...steps, '24:00'] : steps
  const all = value && !offered.includes(value) ? [...offered, value].sort() : offered
  return (
    <PlainSelect {...rest} value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">--:--</option>
      {all.map((time) => (
        <option key={time} value={time} disabled={closed?.(time) ?? false}>
          {note ? `${time}${note(time)}` : time}
        </option>
      ))}
    </PlainSelect>
  )
}
