import { useState, type ReactNode } from 'react'
import css from './fold.module.css'

/** A collapsed section; its content loads when it opens. */
export function Fold({
  title,
  open = false,
  wide = false,
  children,
}: {
  title: string
  open?: boolean
  wide?: boolean
  children: ReactNode
}) {
  const [opened, setOpened] = useState(open)
  return (
    <details className={css['fold']} open={open} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{title}</summary>
      {opened && <div className={wide ? css['wide'] : undefined}>{children}</div>}
    </details>
  )
}
