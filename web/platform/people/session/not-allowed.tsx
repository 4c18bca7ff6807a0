import { Button } from 'antd'
import { Link } from 'wouter'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useMe } from '../../kernel/session/session.ts'
import css from './session.module.css'

/** Shown if this person's roles do not open the page, with the account they are signed in with. */
export default function NotAllowed() {
  const { t } = useTexts()
  const me = useMe()
  return (
    <div className={css['word']}>
      <h1>{t('platform.not-allowed.title')}</h1>
      <p>{t('platform.not-allowed.detail', { name: me.name, post: me.post ?? me.username })}</p>
      <Link href="/dashboard" asChild>
        <Button>{t('platform.not-found.back')}</Button>
      </Link>
    </div>
  )
}
