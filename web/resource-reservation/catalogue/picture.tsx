import { useState } from 'react'
import css from './catalogue.module.css'

/** A picture, or the first letter of the name if there is none. */
export function Picture({ src, name, early = false }: { src: string | undefined; name: string; early?: boolean }) {
  const [failed, setFailed] = useState(false)
  if (!src || failed) {
    return (
      <div className={css.picture} aria-hidden>
        <span>{name.slice(0, 1)}</span>
      </div>
    )
  }
  return (
    <div className={css.picture}>
      <img src={src} alt={name} loading={early ? 'eager' : 'lazy'} decoding="async" onError={() => setFailed(true)} />
    </div>
  )
}
