import { Alert, Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Problem } from '../../kernel/client/client.ts'
import { confirmGuestCase } from '../../kernel/api/guests.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useToken } from '../../people/session/link.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './tracking.module.css'

/** /confirm-booking?token=: a guest confirms the booking with a button, because mail programs prefetch links. */
export default function ConfirmBooking({ title }: PageProps) {
  const { t } = useTexts()
  const token = useToken()
  const [path, navigate] = useLocation()
  const [reference, setReference] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const heading = useRef<HTMLHeadingElement>(null)
  const refused = problem instanceof Problem && problem.code === 'platform.form-invalid'
  const late = token === null || (!refused && problem instanceof Problem && [404, 410, 422].includes(problem.status))
  useEffect(() => {
    if (reference !== undefined || late) heading.current?.focus()
  }, [reference, late])

  const confirm = async (given: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      setReference((await confirmGuestCase(given)).reference)
      // The link is used up: without its token a reload does not report an error.
      navigate(path, { replace: true })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }

  if (reference !== undefined)
    return (
      <div className={css['word']}>
        <h1 ref={heading} tabIndex={-1}>
          {t('platform.confirm-case.done')}
        </h1>
        <p role="status">{t('platform.confirm-case.done-detail', { reference })}</p>
        <p>
          <Link href={`/track?reference=${encodeURIComponent(reference)}`} asChild>
            <Button type="primary">{t('platform.track.go')}</Button>
          </Link>
        </p>
      </div>
    )
  if (token === null || late)
    return (
      <div className={css['word']}>
        <h1 ref={heading} tabIndex={-1}>
          {t('platform.confirm-case.late')}
        </h1>
        <p role="status">
          {(problem instanceof Problem && problem.errors[0]?.message) || t('platform.confirm-case.late-detail')}
        </p>
        <p>
          <Link href="/track" asChild>
            <Button>{t('platform.track.go')}</Button>
          </Link>
        </p>
      </div>
    )
  const words = problem === undefined ? undefined : inWords(problem, t)
  // Shows the flow's own message, whichever field it belongs to.
  const detail = refused ? problem.errors.map(({ message }) => message).join(' ') : words?.detail
  return (
    <div className={css['word']}>
      <h1>{t(title)}</h1>
      <p>{t('platform.confirm-case.question')}</p>
      {words && <Alert className={css['alert']} type="error" role="alert" title={words.title} description={detail} />}
      <p>
        <Button type="primary" size="large" loading={busy} onClick={() => void confirm(token)}>
          {t('platform.confirm-case.confirm')}
        </Button>
      </p>
    </div>
  )
}
