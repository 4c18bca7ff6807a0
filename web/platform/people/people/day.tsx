import DateWidget from '../../kernel/form/date-widget.tsx'
import { today } from './dates.ts'

interface DayProps {
  id?: string
  value?: string
  onChange?(day: string | undefined): void
  'aria-required'?: boolean
  /** The first day that may be chosen; today, if not said. */
  first?: string
}

/** A day from today on, as a field of a form. */
export function Day({ id = '', value, onChange, first = today(), ...rest }: DayProps) {
  return (
    <DateWidget
      {...rest}
      id={id}
      value={value}
      wrong={false}
      closed={(day) => day < first}
      onChange={(day) => onChange?.(day)}
    />
  )
}
