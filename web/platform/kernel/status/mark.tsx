import type { ReactNode } from 'react'
import css from './status.module.css'

/** A word with a mark: active, needed, or inactive. */
export function Mark({ is, children }: { is: 'on' | 'wanted' | 'off'; children: ReactNode }) {
  return (
    <span className={css.mark} data-is={is}>
      {children}
    </span>
  )
}
