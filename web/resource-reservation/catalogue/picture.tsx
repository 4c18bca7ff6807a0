import { useState } from 'react'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import css from './catalogue.module.css'

/** A picture, or the first letter of the name if there is none; words if it cannot be shown. */
export function Picture({ src, name, early = false }: { src: string | undefined; name: string; early?: boolean }) {
  const { t } = useTexts()
  const [failed, setFailed] = useState(false)
  if (failed)
    return (
      <div className={css.picture}>
        <span className={css.missing}>{t('platform.picture.failed')}</span>
      </div>
    )
  if (!src) {
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
