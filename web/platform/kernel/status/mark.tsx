import type { ReactNode } from 'react'
import css from './status.module.css'

/** A word with a mark: active, needed, too late, or inactive. */
export function Mark({ is, children }: { is: 'on' | 'wanted' | 'late' | 'off'; children: ReactNode }) {
  return (
    <span className={css.mark} data-is={is}>
      {children}
    </span>
  )
}
