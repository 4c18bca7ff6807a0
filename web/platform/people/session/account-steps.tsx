import { App, Button } from 'antd'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { withTarget } from '../../kernel/session/target.ts'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { AccountForm, dropKept } from './account-form.tsx'
import css from './account-dialogs.module.css'
import { askForLink, createAccount, setPassword } from './accounts.ts'
import { Resend } from './resend.tsx'
import { rememberSetUp } from './set-up.ts'

/** How long the success is shown before the password step, in milliseconds. */
const pause = 3000

const kept = 'account'

interface AccountStepsProps {
  /** Text key of the success message: each form has its own. */
  said: string
  /** Where the new person goes after signing in. */
  target: string
  /** Leaves the form, if that is possible. */
  cancel?: () => void
  /** Values of the account form that are not asked, such as the chosen vacancies. */
  known?: FormValue
}

/**
 * The steps to an account with a password: form, success, password, confirmation. Returns title and content for a page
 * or a dialog.
 */
export function useAccountSteps({ said, target, cancel, known = {} }: AccountStepsProps): {
  step: 'account' | 'made' | 'password' | 'done'
  title: string
  content: ReactNode
} {
  const { t } = useTexts()
  const { message } = App.useApp()
  const [, navigate] = useLocation()
  const [step, setStep] = useState<'account' | 'made' | 'password' | 'done'>('account')
  const [username, setUsername] = useState('')

  if (step === 'account')
    return {
      step,
      title: t('platform.account-form.create'),
      content: (
        <>
          <p className={css.about}>{t('platform.account-form.about')}</p>
          <AccountForm
            name="account"
            keptAs={kept}
            known={known}
            submit={t('platform.account-form.create-account')}
            beside={cancel && <Button onClick={cancel}>{t('platform.cancel')}</Button>}
            send={async (data) => {
              const made = await createAccount(data)
              dropKept(kept)
              rememberSetUp(made.username)
              setUsername(made.username)
              void message.success(t(said))
              setStep('made')
            }}
          />
        </>
      ),
    }
  if (step === 'made')
    return {
      step,
      title: t('platform.account-form.create'),
      content: <Made said={said} goOn={() => setStep('password')} />,
    }
  if (step === 'password')
    return {
      step,
      title: t('platform.account-form.create-password'),
      content: (
        <>
          <p className={css.about}>{t('platform.account-form.password-for', { username })}</p>
          <AccountForm
            name="password"
            known={{ username }}
            focusFirst
            submit={t('platform.account-form.set-password')}
            send={async ({ password }) => {
              await setPassword({ username, password: String(password) })
              rememberSetUp(undefined)
              void message.success(t('platform.password-created'))
              setStep('done')
            }}
          />
          <p className={css.mailed}>{t('platform.account-form.mailed')}</p>
          <Resend size="small" send={() => askForLink({ email: username })} />
        </>
      ),
    }
  return {
    step,
    title: t('platform.account-form.congratulations'),
    content: (
      <>
        <p className={css.about}>{t('platform.account-form.congratulations-detail')}</p>
        <p className={css.about}>{t('platform.account-form.confirm-mailed', { username })}</p>
        <div className={css.buttons}>
          <Button
            type="primary"
            ref={(button) => button?.focus()}
            onClick={() => navigate(withTarget('/session/signin', target), { state: { username } })}
          >
            {t('platform.account-form.ok')}
          </Button>
        </div>
      </>
    ),
  }
}

/** The account is created; the next step follows automatically or by the button. */
function Made({ said, goOn }: { said: string; goOn(): void }) {
  const { t } = useTexts()
  const [passed, setPassed] = useState(0)
  const end = useEffectEvent(goOn)
  useEffect(() => {
    const begun = Date.now()
    const timer = setTimeout(() => end(), pause)
    const ticking = setInterval(() => setPassed(Date.now() - begun), 100)
    return () => {
      clearTimeout(timer)
      clearInterval(ticking)
    }
  }, [])
  return (
    <div className={css.made}>
      <p role="status">
        <strong>{t(said)}</strong> {t('platform.account-form.next')}
      </p>
      <progress max={pause} value={Math.min(pause, passed)} aria-label={t('platform.account-form.next-soon')} />
      <div className={css.buttons}>
        <Button type="primary" ref={(button) => button?.focus()} onClick={goOn}>
          {t('platform.account-form.go-on')}
        </Button>
      </div>
    </div>
  )
}
