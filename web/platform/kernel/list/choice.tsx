import { Select, type SelectProps } from 'antd'

interface ChoiceProps<V extends string> extends Pick<SelectProps<V>, 'showSearch' | 'placeholder'> {
  label: string
  /** '' if nothing is chosen. */
  value: V | ''
  options: { value: V; label: string }[]
  /** The label of an empty first option; without it the choice has a clear button. */
  any?: string
  onChange(value: V | ''): void
}

/** A list filter with a few options, or any. */
export function Choice<V extends string>(props: ChoiceProps<V>) {
  const { label, placeholder = label, value, options, any, onChange, ...rest } = props
  return (
    <Select
      {...rest}
      aria-label={label}
      placeholder={placeholder}
      allowClear={any === undefined}
      popupMatchSelectWidth={false}
      value={any === undefined ? value || null : value}
      options={any === undefined ? options : [{ value: '', label: any }, ...options]}
      onChange={(next: V | '' | undefined) => onChange(next ?? '')}
    />
  )
}
