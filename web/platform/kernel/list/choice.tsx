import { Select, type SelectProps } from 'antd'

interface ChoiceProps extends Pick<SelectProps<string>, 'showSearch' | 'placeholder'> {
  label: string
  /** '' if nothing is chosen. */
  value: string
  options: { value: string; label: string }[]
  /** The label of an empty first option; without it the choice has a clear button. */
  any?: string
  onChange(value: string): void
}

/** A list filter with a few options, or any. */
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
