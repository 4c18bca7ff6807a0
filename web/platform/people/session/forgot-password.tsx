import { useState } from 'react'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { AskForLink, NewPassword, useToken, WithLink } from './link.tsx'

/** /session/forgot-password: asks for the email address, mails a link, and sets the new password with that link. */
export default function ForgotPassword({ title }: PageProps) {
  const { t } = useTexts()
  const token = useToken()
  const [late, setLate] = useState(false)
  const spent = <AskForLink title={t('platform.password.spent')} about={t('platform.password.spent-detail')} />
  if (token === null) return <AskForLink title={t(title)} about={t('platform.password.forgot-about')} />
  if (late) return spent
  return (
    <WithLink token={token} title={t(title)} spent={spent}>
      {({ email }) => (
        <NewPassword
          title={t('platform.password.new')}
          done="platform.password-reset"
          username={email}
          token={token}
          tooLate={() => setLate(true)}
        />
      )}
    </WithLink>
  )
}
