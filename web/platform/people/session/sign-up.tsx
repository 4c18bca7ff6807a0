import { App } from 'antd'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { AccountForm, dropKept } from './account-form.tsx'
import { register } from './accounts.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { signIn } from './entering.ts'
import { SignedInAlready } from './signed-in-already.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { targetIn, withTarget } from '../../kernel/session/target.ts'
import css from './session.module.css'

const kept = 'sign-up'

/** /session/signup: an email address and a password; signs in and continues to the target. */
export default function SignUp({ title }: PageProps) {
  const { t } = useTexts()
  const { message } = App.useApp()
  const session = useSession()
  const [, navigate] = useLocation()
  const target = targetIn(useSearch())
  const [entering, setEntering] = useState(false)
  if (session.state === 'in' && !entering) return <SignedInAlready title={t(title)} me={session.me} target={target} />

  return (
    <div className={css['signIn']}>
      <section>
        <h1>{t(title)}</h1>
        <p>{t('platform.signup.about')}</p>
        <AccountForm
          name="sign-up"
          keptAs={kept}
          focusFirst
          submit={t('platform.public.sign-up')}
          send={async (data) => {
            const { username } = await register(data)
            dropKept(kept)
            setEntering(true)
            void message.success(t('platform.account-form.created-booker'))
            try {
              const wanted = await signIn(username, String(data['password']), () => {})
              if (!wanted) return navigate(target, { replace: true })
            } catch (error) {
              // The account exists; only the sign-in failed, and the sign-in page can retry it.
              console.warn('the new account could not be signed in at once', error)
            }
            navigate(withTarget('/session/signin', target), { state: { username } })
          }}
        />
        <p className={css['forgot']}>
          {t('platform.signup.have-account')}{' '}
          <Link href={withTarget('/session/signin', target)}>{t('platform.signin.login')}</Link>
        </p>
      </section>
    </div>
  )
}
