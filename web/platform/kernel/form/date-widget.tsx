import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import 'dayjs/locale/en-gb'
import 'dayjs/locale/si'
import 'dayjs/locale/ta'

interface DateWidgetProps {
  id: string
  /** `2026-05-14`, or `2026-05` if it is a month. */
  value: string | undefined
  /** Picks a month. */
  months?: boolean
  onChange(date: string | undefined): void
  wrong: boolean
  closed?(date: string): boolean
  label?: string
  placeholder?: string
  'aria-describedby'?: string | undefined
  'aria-required'?: boolean | undefined
}

/** A day, picked or typed as dd/MM/yyyy; or a month, as yyyy-MM. */
export default function DateWidget({
  value,
  onChange,
  wrong,
  closed,
  label,
  months = false,
  placeholder = months ? 'yyyy-mm' : 'dd/mm/yyyy',
  ...rest
}: DateWidgetProps) {
  const held = value ? dayjs(value) : undefined
  return (
    <DatePicker
      {...rest}
      aria-label={label}
      aria-invalid={wrong || undefined}
      value={held?.isValid() ? held : null}
      picker={months ? 'month' : 'date'}
      format={months ? ['YYYY-MM', 'YYYY-M', 'MM/YYYY', 'M/YYYY'] : ['DD/MM/YYYY', 'D/M/YYYY', 'YYYY-MM-DD']}
      placeholder={placeholder}
      style={{ width: 168 }}
      {...(wrong ? { status: 'error' as const } : {})}
      {...(closed ? { disabledDate: (day) => closed(day.format('YYYY-MM-DD')) } : {})}
      onChange={(day) => onChange(day?.format(months ? 'YYYY-MM' : 'YYYY-MM-DD'))}
    />
  )
}
