import { useHistoryState } from 'wouter/use-browser-location'
import { useTexts } from '../texts/texts.ts'
import { WayOn } from './way-on.tsx'
import css from './session.module.css'

/** /session/404: where every unknown address leads; it names the address one came from. */
export default function NotFound() {
  const { t } = useTexts()
  const from = useHistoryState<{ from?: string } | null>()?.from
  return (
    <div className={css['word']}>
      <h1>{t('platform.not-found.title')}</h1>
      <p>{from ? t('platform.not-found.detail-of', { path: from }) : t('platform.not-found.detail')}</p>
      <WayOn primary />
    </div>
  )
}
