import { Checkbox } from 'antd'
import type { ReactNode } from 'react'
import { described, type WidgetProps } from './widget.ts'

/** A box for what can only be agreed to; not ticked is blank. */
export default function Tick({ children, ...props }: WidgetProps & { children: ReactNode }) {
  const { id, value, onChange } = props
  return (
    <Checkbox
      id={id}
      style={{ display: 'flex' }}
      checked={value === true}
      onChange={({ target }) => onChange(target.checked || undefined)}
      {...described(props)}
    >
      {children}
    </Checkbox>
  )
}
