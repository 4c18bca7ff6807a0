import { Button, Modal } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { FormValue } from '../../kernel/form/conditions.ts'
import { withTarget } from '../../kernel/session/target.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { useAccountSteps } from './account-steps.tsx'
import css from './account-dialogs.module.css'

interface AccountDialogsProps {
  /** Why an account is needed. */
  why: ReactNode
  /** Where the sign-in returns to. */
  target: string
  /** Somebody was signed in here before, so there is an account: asks to sign in again. */
  expired?: boolean
  /** Continues without an account, if that is allowed. */
  asGuest?: () => void
  /** Text key of the success message after the account is made. */
  said?: string
  /** Values of the account form that are not asked. */
  known?: FormValue
  close(): void
}

/** Asks a visitor to sign in or to create an account: four dialogs in sequence. */
export default function AccountDialogs({
  why,
  target,
  expired = false,
  asGuest,
  said = 'platform.account-form.created-booker',
  known = {},
  close,
}: AccountDialogsProps) {
  const { t } = useTexts()
  const [, navigate] = useLocation()
  const [creating, setCreating] = useState(false)
  const login = () => navigate(withTarget('/session/signin', target))
  const dialog = (title: string, children: ReactNode, footer: ReactNode) => (
    <Modal
      open
      centered
      width={creating ? 560 : 520}
      title={title}
      mask={{ closable: false }}
      onCancel={close}
      footer={footer}
    >
      {children}
    </Modal>
  )

  if (creating) return <Creating {...{ target, dialog, said, known }} back={() => setCreating(false)} />
  return dialog(
    t(expired ? 'platform.account-question.expired' : 'platform.account-question.title'),
    <p>{why}</p>,
    <>
      {asGuest && <Button onClick={asGuest}>{t('platform.account-question.guest')}</Button>}
      {!expired && <Button onClick={() => setCreating(true)}>{t('platform.account-question.create')}</Button>}
      <Button type="primary" onClick={login}>
        {t('platform.account-question.login')}
      </Button>
    </>,
  )
}

interface CreatingProps {
  target: string
  said: string
  known: FormValue
  dialog(title: string, children: ReactNode, footer: ReactNode): ReactNode
  back(): void
}

function Creating({ target, said, known, dialog, back }: CreatingProps) {
  const { step, title, content } = useAccountSteps({ said, target, known, cancel: back })
  const body = useRef<HTMLDivElement>(null)
  // Moves the focus to the start of each step, unless the step has set it.
  useEffect(() => {
    if (!body.current?.contains(document.activeElement)) body.current?.focus()
  }, [step])
  return dialog(
    title,
    <div ref={body} tabIndex={-1} className={css.body} aria-label={title} role="group">
      {content}
    </div>,
    null,
  )
}
