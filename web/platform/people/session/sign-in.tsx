import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { Problem } from '../../kernel/client/client.ts'
import { useDemo } from '../../kernel/api/demo.ts'
import { useRead } from '../../kernel/api/read.ts'
import { PasswordInput } from '../../kernel/form/password-widget.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { hasText, useTexts } from '../../kernel/texts/texts.ts'
import { knowsPasskeys, signIn, signInByPasskey, type SecondStep, type SignInMethods } from './entering.ts'
import { SecondFactor } from './second-factor.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { targetIn, withTarget } from '../../kernel/session/target.ts'
import css from './session.module.css'

/** What somebody who has just come from elsewhere brings along. */
interface Brought {
  expired?: boolean
  username?: string
}

/** /session/signin: username and password, a passkey or the university's own sign-in; in a demonstration the people one may sign in as. */
export default function SignIn() {
  const { t } = useTexts()
  const session = useSession()
  const [, navigate] = useLocation()
  const search = useSearch()
  const target = targetIn(search)
  /** Why the identity server's way did not lead in, as the API has put it into the address. */
  const turnedBack = new URLSearchParams(search).get('problem')
  const { expired = false, username: given } = useHistoryState<Brought | null>() ?? {}
  const demo = useDemo()
  const methods = useRead<SignInMethods>('/api/auth/methods')
  const [form] = Form.useForm<{ username: string; password: string }>()
  const [busy, setBusy] = useState<'password' | 'passkey'>()
  /** The API wants a proof of work first. */
  const [slow, setSlow] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  /** How often username and password were refused here; each refusal is said anew. */
  const [refusals, setRefusals] = useState(0)
  const [noPasskey, setNoPasskey] = useState(false)
  const [second, setSecond] = useState<SecondStep>()

  if (session.state === 'in' && !busy && !second) return <Redirect to={target} replace />

  const arrive = () => navigate(target, { replace: true })

  const enter = async (username: string, password: string) => {
    setBusy('password')
    setProblem(undefined)
    try {
      const wanted = await signIn(username, password, () => setSlow(true))
      if (wanted) setSecond(wanted)
      else arrive()
    } catch (error) {
      setProblem(error)
      if (error instanceof Problem && error.code === 'platform.sign-in-refused') setRefusals((before) => before + 1)
      form.getFieldInstance('password')?.focus()
    } finally {
      setBusy(undefined)
      setSlow(false)
    }
  }
  const enterByPasskey = async () => {
    setBusy('passkey')
    setProblem(undefined)
    setNoPasskey(false)
    try {
      if (await signInByPasskey()) arrive()
      else setNoPasskey(true)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(undefined)
    }
  }

  if (second)
    return (
      <div className={css['signIn']}>
        <SecondFactor
          step={second}
          arrive={arrive}
          back={(why) => {
            setSecond(undefined)
            setProblem(why)
          }}
        />
      </div>
    )

  const { oidc = null, password: byPassword = true, signUp = true } = methods.data ?? {}
  const refused = problem instanceof Problem && problem.status > 0 && problem.status < 500
  const words = problem === undefined ? undefined : inWords(problem, t)
  const said = words
    ? refused && problem.detail
      ? problem.detail
      : `${words.title}. ${words.detail}`
    : turnedBack?.startsWith('platform.') && hasText(turnedBack)
      ? t(turnedBack)
      : undefined
  const forgot = <Link href={withTarget('/session/forgot-password', target)}>{t('platform.signin.forgot')}</Link>
  const alert = said !== undefined && (
    <Alert
      key={refusals}
      className={css['refused']}
      type="error"
      role="alert"
      title={said}
      description={refusals >= 3 && byPassword && forgot}
    />
  )

  return (
    <div className={css['signIn']}>
      <section>
        <h1>{t('platform.signin.title')}</h1>
        {expired && <p className={css['expired']}>{t('platform.signin.expired')}</p>}
        {!expired && target !== '/dashboard' && <p>{t('platform.signin.first')}</p>}
        {oidc && (
          <Button
            type={byPassword ? 'default' : 'primary'}
            block
            size="large"
            className={css['other']}
            href={`/api/auth/oidc/start?to=${encodeURIComponent(target)}`}
          >
            {t('platform.signin.oidc', { name: oidc.name })}
          </Button>
        )}
        {byPassword && (
          <Form
            form={form}
            layout="vertical"
            requiredMark={false}
            validateTrigger="onSubmit"
            initialValues={{ username: given }}
            onFinish={({ username, password }) => void enter(username.trim(), password)}
          >
            <Form.Item
              name="username"
              label={t('platform.signin.username')}
              rules={[{ required: true, whitespace: true, message: t('platform.signin.required') }]}
            >
              {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- signing in is the one thing this page is for */}
              <Input autoFocus={!given} autoComplete="username" autoCapitalize="none" spellCheck={false} />
            </Form.Item>
            <Form.Item
              name="password"
              label={t('platform.signin.password')}
              rules={[{ required: true, message: t('platform.signin.required') }]}
            >
              {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the name is there already */}
              <PasswordInput autoFocus={Boolean(given)} autoComplete="current-password" />
            </Form.Item>
            {alert}
            <Button type="primary" htmlType="submit" block size="large" loading={busy === 'password'}>
              {t('platform.signin.login')}
            </Button>
            <p className={css['slow']} role="status">
              {slow && t('platform.signin.slow')}
            </p>
          </Form>
        )}
        {!byPassword && alert}
        {byPassword && knowsPasskeys() && (
          <Button block size="large" loading={busy === 'passkey'} onClick={() => void enterByPasskey()}>
            {t('platform.signin.passkey')}
          </Button>
        )}
        {noPasskey && (
          <p className={css['slow']} role="status">
            {t('platform.signin.no-passkey')}
          </p>
        )}
        {byPassword && <p className={css['forgot']}>{forgot}</p>}
        {signUp && (
          <p className={css['forgot']}>
            {t('platform.signin.no-account')}{' '}
            <Link href={withTarget('/session/signup', target)}>{t('platform.public.sign-up')}</Link>
          </p>
        )}
      </section>
      {demo && byPassword && (
        <section className={css['demo']} aria-labelledby="demo-people">
          <h2 id="demo-people">{t('platform.signin.demo')}</h2>
          <p>{t('platform.signin.demo-detail', { password: demo.password })}</p>
          <ul>
            {demo.people.map(({ username, name, post }) => (
              <li key={username}>
                <button type="button" disabled={busy !== undefined} onClick={() => void enter(username, demo.password)}>
                  <strong>{name}</strong>
                  <span>{post}</span>
                  <code>{username}</code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
