import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { Problem } from '../api/client.ts'
import { useDemo } from '../api/demo.ts'
import { inWords } from '../states/trouble.tsx'
import { useTexts } from '../texts/texts.ts'
import { signIn, useSession } from './session.ts'
import css from './session.module.css'

/** Only a path of our own may be returned to: `//elsewhere` and `https:` would lead away. */
const safe = (target: string | null) => (target && /^\/(?![/\\])/.test(target) ? target : '/dashboard')

/** /session/signin: username and password, and in a demonstration the people one may sign in as. */
export default function SignIn() {
  const { t } = useTexts()
  const session = useSession()
  const [, navigate] = useLocation()
  const search = useSearch()
  const target = safe(new URLSearchParams(search).get('to'))
  const expired = useHistoryState<{ expired?: boolean } | null>()?.expired ?? false
  const demo = useDemo()
  const [form] = Form.useForm<{ username: string; password: string }>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()

  if (session.state === 'in' && !busy) return <Redirect to={target} replace />

  const enter = async (username: string, password: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(username, password)
      navigate(target, { replace: true })
    } catch (error) {
      setProblem(error)
      form.getFieldInstance('password')?.focus()
    } finally {
      setBusy(false)
    }
  }

  const refused = problem instanceof Problem && problem.status > 0 && problem.status < 500
  const words = problem === undefined ? undefined : inWords(problem, t)

  return (
    <div className={css['signIn']}>
      <section>
        <h1>{t('platform.signin.title')}</h1>
        {expired && <p className={css['expired']}>{t('platform.signin.expired')}</p>}
        {!expired && target !== '/dashboard' && <p>{t('platform.signin.first')}</p>}
        <Form
          form={form}
          layout="vertical"
          requiredMark={false}
          validateTrigger="onSubmit"
          onFinish={({ username, password }) => void enter(username.trim(), password)}
        >
          <Form.Item
            name="username"
            label={t('platform.signin.username')}
            rules={[{ required: true, message: t('platform.signin.required') }]}
          >
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- signing in is the one thing this page is for */}
            <Input autoFocus autoComplete="username" autoCapitalize="none" spellCheck={false} />
          </Form.Item>
          <Form.Item
            name="password"
            label={t('platform.signin.password')}
            rules={[{ required: true, message: t('platform.signin.required') }]}
          >
            <Input.Password autoComplete="current-password" />
          </Form.Item>
          {words && (
            <Alert
              className={css['refused']}
              type="error"
              role="alert"
              title={refused && problem.detail ? problem.detail : `${words.title}. ${words.detail}`}
            />
          )}
          <Button type="primary" htmlType="submit" block size="large" loading={busy}>
            {t('platform.signin.login')}
          </Button>
        </Form>
        <p className={css['forgot']}>
          <Link href="/session/forgot-password">{t('platform.signin.forgot')}</Link>
        </p>
      </section>
      {demo && (
        <section className={css['demo']} aria-labelledby="demo-people">
          <h2 id="demo-people">{t('platform.signin.demo')}</h2>
          <p>{t('platform.signin.demo-detail', { password: demo.password })}</p>
          <ul>
            {demo.people.map(({ username, name, post }) => (
              <li key={username}>
                <button type="button" disabled={busy} onClick={() => void enter(username, demo.password)}>
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
