import { useEffect, useRef, type ReactNode } from 'react'
import css from './answer.module.css'

/** A short message in place of the question. */
export function Word({ heading, children }: { heading: string; children: ReactNode }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className={css['page']}>
      <h1 ref={title} tabIndex={-1}>
        {heading}
      </h1>
      {children}
    </div>
  )
}
