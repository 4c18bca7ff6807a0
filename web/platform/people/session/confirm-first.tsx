import { Button } from 'antd'
import { confirmEmailAgain } from '../../kernel/api/me.ts'
import { useAction } from '../../kernel/states/act.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './confirm-first.module.css'

/** Asks for the email confirmation that an account still needs. */
export function ConfirmFirst({ email }: { email: string }) {
  const { t } = useTexts()
  const attempt = useAction()
  return (
    <section className={css['confirm']}>
      <h2>{t('platform.front.next-confirm')}</h2>
      <p>{t('platform.front.next-confirm-detail', { email })}</p>
      <Button size="small" onClick={() => void attempt(confirmEmailAgain, t('platform.profile.email-sent', { email }))}>
        {t('platform.profile.email-again')}
      </Button>
    </section>
  )
}
