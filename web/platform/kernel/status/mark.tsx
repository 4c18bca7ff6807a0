import type { ReactNode } from 'react'
import css from './status.module.css'

/** A word with its mark: for what is in use, what somebody is wanted for, and what is out of use. */
export function Mark({ is, children }: { is: 'on' | 'wanted' | 'off'; children: ReactNode }) {
  return (
    <span className={css.mark} data-is={is}>
      {children}
    </span>
  )
}
