import { useEffect, useRef, type ReactNode } from 'react'

/** A short message in place of what a link leads to; its heading takes the focus. */
export function Word({
  className,
  heading,
  children,
}: {
  className: string | undefined
  heading: string
  children: ReactNode
}) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className={className}>
      <h1 ref={title} tabIndex={-1}>
        {heading}
      </h1>
      {children}
    </div>
  )
}
