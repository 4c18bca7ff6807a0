import { Alert, Button, Input } from 'antd'
import { useId, useRef, useState, type SyntheticEvent } from 'react'
import type { InputRef } from 'antd'
import { Problem } from '../../kernel/client/client.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { answerWithCode, knowsPasskeys, signInByPasskey, type SecondMethod, type SecondStep } from './entering.ts'
import css from './session.module.css'

interface SecondFactorProps {
  step: SecondStep
  arrive(): void
  /** Back to the password, with a reason unless the person chose to. */
  back(why?: unknown): void
}

/** The second step of a sign-in: an authenticator code, a passkey, or a recovery code. */
export function SecondFactor({ step: { challenge, methods }, arrive, back }: SecondFactorProps) {
  const { t } = useTexts()
  const id = useId()
  const offered = methods.filter((method) => method !== 'passkey' || knowsPasskeys())
  const [method, setMethod] = useState<SecondMethod>(offered[0] ?? 'recovery-code')
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const [missing, setMissing] = useState(false)
  const [noPasskey, setNoPasskey] = useState(false)
  const field = useRef<InputRef>(null)

  const attempt = async (run: () => Promise<boolean>) => {
    setBusy(true)
    setProblem(undefined)
    setNoPasskey(false)
    try {
      if (await run()) arrive()
      else setNoPasskey(true)
    } catch (error) {
      // The step expires and limits its attempts; then the password is needed again.
      if (error instanceof Problem && error.status === 410) return back(error)
      setProblem(error)
      field.current?.focus({ cursor: 'all' })
    } finally {
      setBusy(false)
    }
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    const typed = code.replaceAll(/\s/g, '')
    setMissing(typed === '')
    if (typed === '') field.current?.focus()
    else
      void attempt(async () => {
        await answerWithCode(challenge, typed)
        return true
      })
  }
  const choose = (next: SecondMethod) => {
    setMethod(next)
    setNoPasskey(false)
    setCode('')
    setMissing(false)
    setProblem(undefined)
  }

  const words = problem === undefined ? undefined : inWords(problem, t)
  const alert = words && (
    <Alert
      className={css['refused']}
      type="error"
      role="alert"
      title={
        problem instanceof Problem && problem.status > 0 && problem.status < 500 && problem.detail
          ? problem.detail
          : `${words.title}. ${words.detail}`
      }
    />
  )
  return (
    <section>
      <h1>{t('platform.second.title')}</h1>
      <p id={`${id}-how`}>{t(`platform.second.how.${method}`)}</p>
      {method === 'passkey' ? (
        <>
          {alert}
          <Button type="primary" block size="large" loading={busy} onClick={() => void attempt(signInByPasskey)}>
            {t('platform.signin.passkey')}
          </Button>
          <p className={css['slow']} role="status">
            {noPasskey && t('platform.signin.no-passkey')}
          </p>
        </>
      ) : (
        <form noValidate onSubmit={send} className={css['code']}>
          <label htmlFor={id}>{t(`platform.second.code.${method}`)}</label>
          <Input
            key={method}
            id={id}
            ref={field}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the code is what this page has just asked for
            autoFocus
            value={code}
            autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
            autoCapitalize="none"
            spellCheck={false}
            {...(method === 'totp' ? { inputMode: 'numeric' as const } : {})}
            {...(missing ? { status: 'error' as const } : {})}
            aria-describedby={missing ? `${id}-missing` : `${id}-how`}
            aria-invalid={missing || undefined}
            onChange={(event) => setCode(event.target.value)}
          />
          {missing && (
            <p id={`${id}-missing`} className={css['missing']} role="alert">
              {t('platform.signin.required')}
            </p>
          )}
          {alert}
          <Button type="primary" htmlType="submit" block size="large" loading={busy}>
            {t('platform.second.go-on')}
          </Button>
        </form>
      )}
      <ul className={css['ways']}>
        {offered
          .filter((each) => each !== method)
          .map((each) => (
            <li key={each}>
              <Button type="link" onClick={() => choose(each)}>
                {t(`platform.second.instead.${each}`)}
              </Button>
            </li>
          ))}
        <li>
          <Button type="link" onClick={() => back()}>
            {t('platform.second.back')}
          </Button>
        </li>
      </ul>
    </section>
  )
}
