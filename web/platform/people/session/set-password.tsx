import { useState } from 'react'
import { setUpAccount } from './set-up.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { AskForLink, NewPassword, useToken, WithLink } from './link.tsx'

/**
 * /applicant/account/setupPwd: the first password of an account, with the mailed link or in the browser that created
 * it.
 */
export default function SetPassword() {
  const { t } = useTexts()
  const token = useToken()
  const [made] = useState(setUpAccount)
  const [late, setLate] = useState(false)
  const title = t('platform.account-form.create-password')
  const common = { title, done: 'platform.password-created', tooLate: () => setLate(true) }
  const spent = <AskForLink title={t('platform.password.spent')} about={t('platform.password.spent-detail')} />
  if (late) return spent
  if (token !== null)
    return (
      <WithLink token={token} title={title} spent={spent}>
        {({ email }) => <NewPassword {...common} username={email} token={token} />}
      </WithLink>
    )
  if (made !== undefined) return <NewPassword {...common} username={made} />
  return <AskForLink title={title} about={t('platform.password.set-up-about')} />
}
