import { Button } from 'antd'
import { useEffect, useState, type ReactNode } from 'react'
import { Link as To, useLocation, useSearch } from 'wouter'
import { AccountForm } from './account-form.tsx'
import { askForLink, lookAtLink, setPassword, type Link } from './accounts.ts'
import { rememberSetUp } from './set-up.ts'
import { Problem } from '../../kernel/client/client.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { usePageTitle } from '../../kernel/page/title.ts'
import css from './session.module.css'

/** A password page with a heading and a link to the sign-in. */
function PasswordPage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTexts()
  usePageTitle(title)
  return (
    <div className={css['signIn']}>
      <section>
        <h1>{title}</h1>
        {children}
        <p className={css['forgot']}>
          <To href="/session/signin">{t('platform.password.back')}</To>
        </p>
      </section>
    </div>
  )
}

/** The one-time token in the page's address; remembered after the address no longer has it. */
export function useToken(): string | null {
  const search = useSearch()
  const [token] = useState(() => new URLSearchParams(search).get('token'))
  return token
}

/** Requests an email with a link; the answer is the same whether or not the account exists. */
export function AskForLink({ title, about }: { title: string; about: string }) {
  const { t } = useTexts()
  const [sent, setSent] = useState<string>()
  if (sent !== undefined)
    return (
      <PasswordPage title={t('platform.password.sent')}>
        <p role="status">{t('platform.password.sent-detail', { email: sent })}</p>
        <Button onClick={() => setSent(undefined)}>{t('platform.password.ask-again')}</Button>
      </PasswordPage>
    )
  return (
    <PasswordPage title={title}>
      <p>{about}</p>
      <AccountForm
        name="forgot-password"
        keptAs="forgot-password"
        focusFirst
        submit={t('platform.password.ask')}
        send={async (data) => {
          await askForLink(data)
          setSent(String(data['email']))
        }}
      />
    </PasswordPage>
  )
}

/** Shows the content of a valid mailed link, or `spent` if it is no longer valid. */
export function WithLink({
  token,
  title,
  spent,
  children,
}: {
  token: string
  title: string
  spent: ReactNode
  children(link: Link): ReactNode
}) {
  const [found, setFound] = useState<Link>()
  const [problem, setProblem] = useState<unknown>()
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let stale = false
    lookAtLink(token).then(
      (link) => !stale && setFound(link),
      (error: unknown) => !stale && setProblem(error),
    )
    return () => {
      stale = true
    }
  }, [token, tries])
  if (found) return children(found)
  if (problem instanceof Problem && [410, 422].includes(problem.status)) return spent
  return (
    <PasswordPage title={title}>
      {problem === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <Trouble
          error={problem}
          onRetry={() => {
            setProblem(undefined)
            setTries(tries + 1)
          }}
        />
      )}
    </PasswordPage>
  )
}

interface NewPasswordProps {
  title: string
  /** Text key of the success message. */
  done: string
  username: string
  token?: string
  /** The link or the browser may no longer set the password. */
  tooLate(): void
}

/** Sets a new password, then links to the sign-in. */
export function NewPassword({ title, done, username, token, tooLate }: NewPasswordProps) {
  const { t } = useTexts()
  const [path, navigate] = useLocation()
  const [isSet, setIsSet] = useState(false)
  if (isSet) return <PasswordSet title={t(done)} username={username} />
  return (
    <PasswordPage title={title}>
      <p>{t('platform.account-form.password-for', { username })}</p>
      <AccountForm
        name="password"
        known={{ username }}
        focusFirst
        submit={t('platform.account-form.set-password')}
        send={async ({ password }) => {
          try {
            await setPassword({ username, password: String(password), ...(token === undefined ? {} : { token }) })
          } catch (error) {
            if (!(error instanceof Problem) || ![403, 410].includes(error.status)) throw error
            rememberSetUp(undefined)
            return tooLate()
          }
          rememberSetUp(undefined)
          setIsSet(true)
          // The link is used up: without its token a reload does not report an error.
          if (token !== undefined) navigate(path, { replace: true })
        }}
      />
    </PasswordPage>
  )
}

function PasswordSet({ title, username }: { title: string; username: string }) {
  const { t } = useTexts()
  usePageTitle(title)
  return (
    <div className={css['word']}>
      <h1>{title}</h1>
      <p role="status">{t('platform.password.set-detail', { username })}</p>
      <To href="/session/signin" state={{ username }} asChild>
        <Button type="primary" ref={(button) => button?.focus()}>
          {t('platform.signin.login')}
        </Button>
      </To>
    </div>
  )
}
