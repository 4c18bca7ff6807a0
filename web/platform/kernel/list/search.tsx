import { Input } from 'antd'

interface SearchProps {
  /** The label of the search. */
  label: string
  value: string
  width?: number
  maxLength?: number | undefined
  onSearch(words: string): void
}

/** The search field of a list; it searches on Enter. */
export function Search({ label, value, width = 264, maxLength, onSearch }: SearchProps) {
  return (
    <Input.Search
      key={value}
      allowClear
      defaultValue={value}
      style={{ width }}
      maxLength={maxLength}
      placeholder={label}
      aria-label={label}
      onSearch={(words) => onSearch(words.trim())}
    />
  )
}
