import { Input } from 'antd'

interface SearchProps {
  /** What can be searched for. */
  label: string
  value: string
  width?: number
  onSearch(words: string): void
}

/** The field in which a list is searched, once Enter is pressed. */
export function Search({ label, value, width = 264, onSearch }: SearchProps) {
  return (
    <Input.Search
      key={value}
      allowClear
      defaultValue={value}
      style={{ width }}
      placeholder={label}
      aria-label={label}
      onSearch={(words) => onSearch(words.trim())}
    />
  )
}
