import { Alert, Button, Form, Input, type FormInstance } from 'antd'
import type { ReactNode } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { Problem } from '../../kernel/client/client.ts'
import { useDemo } from '../../kernel/api/demo.ts'
import { useRead } from '../../kernel/api/read.ts'
import { PasswordInput } from '../../kernel/form/password-widget.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { hasText, useTexts, type Translate } from '../../kernel/texts/texts.ts'
import { knowsPasskeys, type SignInMethods } from './entering.ts'
import { SecondFactor } from './second-factor.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { targetIn, withTarget } from '../../kernel/session/target.ts'
import css from './session.module.css'
import { useEntering } from './use-entering.ts'

/** State that another page passes to the sign-in. */
interface Brought {
  expired?: boolean
  username?: string
}

interface Credentials {
  username: string
  password: string
}

/**
 * /session/signin: username and password, a passkey, or the university's identity server; in a demonstration also its
 * people.
 */
export default function SignIn() {
  const { t } = useTexts()
  const session = useSession()
  const [, navigate] = useLocation()
  const search = useSearch()
  const target = targetIn(search)
  const { expired = false, username: given } = useHistoryState<Brought | null>() ?? {}
  const demo = useDemo()
  const methods = useRead<SignInMethods>('/api/auth/methods')
  const [form] = Form.useForm<Credentials>()
  const arrive = () => navigate(target, { replace: true })
  const { busy, slow, problem, refusals, noPasskey, second, enter, enterByPasskey, startAgain } = useEntering(
    arrive,
    () => form.getFieldInstance('password')?.focus(),
  )

  if (session.state === 'in' && !busy && !second) return <Redirect to={target} replace />
  if (second)
    return (
      <div className={css['signIn']}>
        <SecondFactor step={second} arrive={arrive} back={startAgain} />
      </div>
    )

  const { oidc = null, password: byPassword = true, signUp = true } = methods.data ?? {}
  const said = problem === undefined ? turnedBack(search, t) : refusalIn(problem, t)
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
          <PasswordForm
            form={form}
            given={given}
            busy={busy === 'password'}
            slow={slow}
            alert={alert}
            onEnter={enter}
          />
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
      {demo && byPassword && <DemoPeople demo={demo} disabled={busy !== undefined} onEnter={enter} />}
    </div>
  )
}

interface PasswordFormProps {
  form: FormInstance<Credentials>
  /** The known username. */
  given: string | undefined
  busy: boolean
  /** The API requires a proof of work first. */
  slow: boolean
  alert: ReactNode
  onEnter(username: string, password: string): Promise<void>
}

function PasswordForm({ form, given, busy, slow, alert, onEnter }: PasswordFormProps) {
  const { t } = useTexts()
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      initialValues={{ username: given }}
      onFinish={({ username, password }) => void onEnter(username.trim(), password)}
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
      <Button type="primary" htmlType="submit" block size="large" loading={busy}>
        {t('platform.signin.login')}
      </Button>
      <p className={css['slow']} role="status">
        {slow && t('platform.signin.slow')}
      </p>
    </Form>
  )
}

interface DemoPeopleProps {
  demo: NonNullable<ReturnType<typeof useDemo>>
  disabled: boolean
  onEnter(username: string, password: string): Promise<void>
}

/** The people of a demonstration, each with a sign-in button. */
function DemoPeople({ demo, disabled, onEnter }: DemoPeopleProps) {
  const { t } = useTexts()
  return (
    <section className={css['demo']} aria-labelledby="demo-people">
      <h2 id="demo-people">{t('platform.signin.demo')}</h2>
      <p>{t('platform.signin.demo-detail', { password: demo.password })}</p>
      <ul>
        {demo.people.map(({ username, name, post }) => (
          <li key={username}>
            <button type="button" disabled={disabled} onClick={() => void onEnter(username, demo.password)}>
              <strong>{name}</strong>
              <span>{post}</span>
              <code>{username}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Why the sign-in at the identity server failed, as the API wrote it into the address. */
function turnedBack(search: string, t: Translate): string | undefined {
  const key = new URLSearchParams(search).get('problem')
  return key?.startsWith('platform.') && hasText(key) ? t(key) : undefined
}

function refusalIn(problem: unknown, t: Translate): string {
  const refused = problem instanceof Problem && problem.status > 0 && problem.status < 500
  const { title, detail } = inWords(problem, t)
  return refused && problem.detail ? problem.detail : `${title}. ${detail}`
}
