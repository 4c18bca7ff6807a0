import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { confirmEmail } from './accounts.ts'
import { Problem } from '../../kernel/client/client.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useToken, WithLink } from './link.tsx'
import { WayOn } from './way-on.tsx'
import css from './session.module.css'

/** /session/confirm-email: confirms an email address with a button, because mail programs prefetch links. */
export default function ConfirmEmail({ title }: PageProps) {
  const { t } = useTexts()
  const token = useToken()
  const [late, setLate] = useState(false)
  const spent = (
    <Word title={t(token === null ? title : 'platform.password.spent')}>
      {t('platform.confirm-email.spent-detail')}
    </Word>
  )
  if (token === null || late) return spent
  return (
    <WithLink token={token} title={t(title)} spent={spent}>
      {({ email }) => <Confirm title={t(title)} email={email} token={token} tooLate={() => setLate(true)} />}
    </WithLink>
  )
}

function Word({ title, children }: { title: string; children: string }) {
  return (
    <div className={css['word']}>
      <h1>{title}</h1>
      <p role="status">{children}</p>
      <WayOn primary />
    </div>
  )
}

function Confirm({ title, email, token, tooLate }: { title: string; email: string; token: string; tooLate(): void }) {
  const { t } = useTexts()
  const [path, navigate] = useLocation()
  const [done, setDone] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  if (done)
    return <Word title={t('platform.confirm-email.done')}>{t('platform.confirm-email.done-detail', { email })}</Word>

  const confirm = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await confirmEmail(token)
      setDone(true)
      // The link is used up: without its token a reload does not report an error.
      navigate(path, { replace: true })
    } catch (error) {
      if (error instanceof Problem && error.status === 410) tooLate()
      else setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const words = problem === undefined ? undefined : inWords(problem, t)
  return (
    <div className={css['word']}>
      <h1>{title}</h1>
      <p>{t('platform.confirm-email.question', { email })}</p>
      {words && (
        <Alert className={css['refused']} type="error" role="alert" title={words.title} description={words.detail} />
      )}
      <Button type="primary" loading={busy} onClick={() => void confirm()}>
        {t('platform.confirm-email.confirm')}
      </Button>
    </div>
  )
}
