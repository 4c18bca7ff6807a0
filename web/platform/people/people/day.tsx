import DateWidget from '../../kernel/form/date-widget.tsx'
import { today } from './dates.ts'

interface DayProps {
  id?: string
  value?: string
  onChange?(day: string | undefined): void
  'aria-required'?: boolean
  /** The first selectable day; today by default. */
  first?: string
}

/** A day from today on, as a form field. */
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
