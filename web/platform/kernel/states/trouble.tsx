import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Problem } from '../client/client.ts'
import { useTexts, type Translate } from '../texts/texts.ts'
import css from './states.module.css'

/** A problem as a heading and a sentence; the API's own sentence if it has one for the reader. */
export function inWords(error: unknown, t: Translate): { title: string; detail: string } {
  if (!(error instanceof Problem))
    return { title: t('platform.trouble.fault'), detail: t('platform.trouble.fault-detail') }
  if (error.status === 0)
    return { title: t('platform.trouble.unreachable'), detail: t('platform.trouble.unreachable-detail') }
  // A refusal with a code of its own says more than "not allowed".
  if (error.status === 403 && error.code === 'platform.not-allowed')
    return { title: t('platform.trouble.not-allowed'), detail: t('platform.trouble.not-allowed-detail') }
  if (error.status === 404)
    return { title: t('platform.trouble.not-found'), detail: t('platform.trouble.not-found-detail') }
  if (error.status === 429)
    return { title: t('platform.trouble.too-many'), detail: t('platform.trouble.too-many-detail') }
  if (error.status >= 500) return { title: t('platform.trouble.fault'), detail: t('platform.trouble.fault-detail') }
  return { title: t('platform.trouble.refused'), detail: error.detail ?? t('platform.trouble.fault-detail') }
}

/** Shown if reading failed: what happened, that nothing was changed, and what to do. */
export function Trouble({ error, onRetry, children }: { error: unknown; onRetry?: () => void; children?: ReactNode }) {
  const { t } = useTexts()
  // An address that the API cannot parse, such as a malformed id, is a page that does not exist.
  const unreadable = error instanceof Problem && error.status === 400 && error.code === 'platform.request-invalid'
  const { title, detail } = inWords(unreadable ? new Problem(404, {}) : error, t)
  return (
    <div className={css['trouble']} role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {error instanceof Problem && error.reference && (
        <p className={css['reference']}>{t('platform.trouble.reference', { reference: error.reference })}</p>
      )}
      <div className={css['actions']}>
        {onRetry && !unreadable && <Button onClick={onRetry}>{t('platform.trouble.retry')}</Button>}
        {children}
      </div>
    </div>
  )
}
