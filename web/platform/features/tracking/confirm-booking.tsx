import { Alert, Button } from 'antd'
import { useEffect, useRef, useState, type Ref } from 'react'
import useSWR from 'swr'
import { Link, useLocation } from 'wouter'
import { Problem } from '../../kernel/client/client.ts'
import { confirmGuestCase, type ConfirmedCase } from '../../kernel/api/guests.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useToken } from '../../people/session/link.tsx'
import { inWords } from '../../kernel/states/trouble.tsx'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './tracking.module.css'

/** How often to ask which desk has the case, and for how long; usually it takes a second. */
const POLL_MS = 1000
const WAIT_MS = 30_000

/** /confirm-booking?token=: a guest confirms the booking with a button, because mail programs prefetch links. */
export default function ConfirmBooking({ title }: PageProps) {
  const { t } = useTexts()
  const token = useToken()
  const [path, navigate] = useLocation()
  const [confirmed, setConfirmed] = useState<{ token: string; answer: ConfirmedCase }>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const heading = useRef<HTMLHeadingElement>(null)
  const refused = problem instanceof Problem && problem.code === 'platform.form-invalid'
  const late = token === null || (!refused && problem instanceof Problem && [404, 410, 422].includes(problem.status))
  useEffect(() => {
    if (confirmed || late) heading.current?.focus()
  }, [confirmed, late])

  const confirm = async (given: string) => {
    setBusy(true)
    setProblem(undefined)
    try {
      setConfirmed({ token: given, answer: await confirmGuestCase(given) })
      // The link is used up: without its token a reload does not report an error.
      navigate(path, { replace: true })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }

  if (confirmed) return <Confirmed {...confirmed} heading={heading} />
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

interface ConfirmedProps {
  token: string
  answer: ConfirmedCase
  heading: Ref<HTMLHeadingElement>
}

/** The case is confirmed: the desk that has it and until when, once it has reached one. */
function Confirmed({ token, answer, heading }: ConfirmedProps) {
  const { t } = useTexts()
  const { moment } = useFormats()
  const [since] = useState(Date.now)
  const { data = answer } = useSWR(['confirmed', answer.reference], () => confirmGuestCase(token), {
    refreshInterval: (latest) => (latest?.waitsWith.length || Date.now() - since > WAIT_MS ? 0 : POLL_MS),
  })
  const { reference, waitsWith } = data
  const [first] = waitsWith
  return (
    <div className={css['word']}>
      <h1 ref={heading} tabIndex={-1}>
        {t('platform.confirm-case.done')}
      </h1>
      <p role="status">
        {first
          ? `${t('platform.confirm-case.done-with', { reference, who: first.principals.join(', '), desk: first.name })} ${
              first.dueAt ? t('platform.confirm-case.answer-by', { moment: moment(first.dueAt) }) : ''
            }`
          : t('platform.confirm-case.done-detail', { reference })}{' '}
        {t('platform.confirm-case.done-mail')}
      </p>
      <p>
        <Link href={`/track?reference=${encodeURIComponent(reference)}`} asChild>
          <Button type="primary">{t('platform.track.go')}</Button>
        </Link>
      </p>
    </div>
  )
}
