import { Button, type ButtonProps } from 'antd'
import { useEffect, useState } from 'react'
import { useAction } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'

/** Seconds until a mail can be sent again. */
const WAIT_SECONDS = 60

/** Sends a mail again, a minute after the one before at the earliest. */
export function Resend({ send, size }: { send(): Promise<void>; size?: ButtonProps['size'] }) {
  const { t } = useTexts()
  const attempt = useAction()
  const [left, setLeft] = useState(WAIT_SECONDS)
  useEffect(() => {
    if (left === 0) return undefined
    const waiting = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(waiting)
  }, [left])
  return (
    <Button
      {...(size && { size })}
      disabled={left > 0}
      onClick={() => {
        setLeft(WAIT_SECONDS)
        void attempt(send, t('platform.resent'))
      }}
    >
      {left > 0 ? t('platform.resend-in', { seconds: left }) : t('platform.resend')}
    </Button>
  )
}
