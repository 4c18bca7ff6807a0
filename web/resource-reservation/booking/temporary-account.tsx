import { Button, Checkbox, Modal } from 'antd'
import { useState } from 'react'
import { useTexts } from '../../platform/kernel/texts/texts.ts'
import css from './booking.module.css'

interface TemporaryAccountProps {
  /** The guest's email address. */
  email: string
  busy: boolean
  cancel(): void
  agree(): void
}

/** Tells a guest that the booking creates a temporary account, and continues once they agree. */
export function TemporaryAccount({ email, busy, cancel, agree }: TemporaryAccountProps) {
  const { t } = useTexts()
  const [understood, setUnderstood] = useState(false)
  return (
    <Modal
      open
      centered
      width={560}
      title={t('resource-reservation.temporary.title')}
      mask={{ closable: false }}
      keyboard={!busy}
      closable={!busy}
      onCancel={cancel}
      footer={
        <>
          <Button disabled={busy} onClick={cancel}>
            {t('resource-reservation.cancel')}
          </Button>
          <Button type="primary" disabled={!understood} loading={busy} onClick={agree}>
            {t('resource-reservation.temporary.ok')}
          </Button>
        </>
      }
    >
      <p>{t('resource-reservation.temporary.account', { email })}</p>
      <Checkbox
        className={css.understood}
        checked={understood}
        disabled={busy}
        onChange={({ target }) => setUnderstood(target.checked)}
      >
        {t('resource-reservation.temporary.understood')}
      </Checkbox>
    </Modal>
  )
}
