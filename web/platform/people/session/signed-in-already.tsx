import { Button } from 'antd'
import { Link } from 'wouter'
import type { Me } from '../../kernel/client/types.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { signOut } from '../../kernel/session/session.ts'
import css from './session.module.css'

/** Replaces a sign-up form for signed-in people: continue, or sign out first. */
export function SignedInAlready({ title, me, target }: { title: string; me: Me; target: string }) {
  const { t } = useTexts()
  return (
    <div className={css['word']}>
      <h1>{title}</h1>
      <p>{t('platform.signup.signed-in', { name: me.name, username: me.username })}</p>
      <div className={css['ways']}>
        <Link href={target} asChild>
          <Button type="primary">{t('platform.signup.go-on')}</Button>
        </Link>
        <Button onClick={() => void signOut()}>{t('platform.shell.logout')}</Button>
      </div>
    </div>
  )
}
