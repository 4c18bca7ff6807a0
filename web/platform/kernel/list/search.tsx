import { Flex, Input } from 'antd'
import { ScanButton } from '../camera/scan-button.tsx'

interface SearchProps {
  /** The label of the search. */
  label: string
  value: string
  width?: number
  maxLength?: number | undefined
  onSearch(words: string): void
  /** Where the camera reads codes: what is done with one. */
  scanned?(code: string): void
}

/** The search field of a list; it searches on Enter. */
export function Search({ label, value, width = 264, maxLength, onSearch, scanned }: SearchProps) {
  const field = (
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
  return scanned ? (
    <Flex gap={8} wrap>
      {field}
      <ScanButton onRead={scanned} />
    </Flex>
  ) : (
    field
  )
}
