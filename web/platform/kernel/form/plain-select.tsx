import type { ComponentProps } from 'react'
import css from './form.module.css'

/** The browser's own select in our style: small, and familiar on phones and with screen readers. */
export function PlainSelect({ wrong = false, className, ...rest }: ComponentProps<'select'> & { wrong?: boolean }) {
  return (
    <span className={[css['select'], className].filter(Boolean).join(' ')} data-wrong={wrong || undefined}>
      <select {...rest} />
    </span>
  )
}
