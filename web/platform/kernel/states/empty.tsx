import type { ReactNode } from 'react'
import css from './states.module.css'

/** Says what would be here, and offers a first step. */
export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={css['empty']}>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={css['actions']}>{actions}</div>}
    </div>
  )
}
