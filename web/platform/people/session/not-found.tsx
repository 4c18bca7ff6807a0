import { Button } from 'antd'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useSession } from '../../kernel/session/session.ts'
import css from './session.module.css'

/** /session/404: every unknown address redirects here; it names that address. */
export default function NotFound() {
  const { t } = useTexts()
  const from = useHistoryState<{ from?: string } | null>()?.from
  const visitor = useSession().state === 'out'
  return (
    <div className={css['word']}>
      <h1>{t('platform.not-found.title')}</h1>
      <p>{from ? t('platform.not-found.detail-of', { path: from }) : t('platform.not-found.detail')}</p>
      <div className={css['ways']}>
        <Link href="/dashboard" asChild>
          <Button type="primary">{t('platform.not-found.back')}</Button>
        </Link>
        {visitor && (
          <Link href="/public/home" asChild>
            <Button>{t('platform.not-found.home')}</Button>
          </Link>
        )}
      </div>
    </div>
  )
}
