import type { ComponentProps } from 'react'
import css from './form.module.css'

/**
 * The browser's own list of choices in the look of the house: it weighs nothing, and is at home on telephones and
 * with screen readers.
 */
export function PlainSelect({ wrong = false, className, ...rest }: ComponentProps<'select'> & { wrong?: boolean }) {
  return (
    <span className={[css['select'], className].filter(Boolean).join(' ')} data-wrong={wrong || undefined}>
      <select {...rest} />
    </span>
  )
}
