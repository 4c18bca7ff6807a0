import { Select, type SelectProps } from 'antd'

interface ChoiceProps extends Pick<SelectProps<string>, 'showSearch' | 'placeholder'> {
  label: string
  /** '' where nothing is chosen. */
  value: string
  options: { value: string; label: string }[]
  /** Names the choice of nothing as the first option; without it the choice is cleared. */
  any?: string
  onChange(value: string): void
}

/** A filter of a list: one of a few, or any. */
export function Choice({ label, placeholder = label, value, options, any, onChange, ...rest }: ChoiceProps) {
  return (
    <Select
      {...rest}
      aria-label={label}
      placeholder={placeholder}
      allowClear={any === undefined}
      popupMatchSelectWidth={false}
      value={any === undefined ? value || null : value}
      options={any === undefined ? options : [{ value: '', label: any }, ...options]}
      onChange={(next: string | undefined) => onChange(next ?? '')}
    />
  )
}
