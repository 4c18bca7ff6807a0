import { useEffect, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { useAccountSteps } from './account-steps.tsx'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import { SignedInAlready } from './signed-in-already.tsx'
import { useSession } from '../../kernel/session/session.ts'
import { targetIn, withTarget } from '../../kernel/session/target.ts'
import css from './session.module.css'

/** The applicants' account form as a page, with the password step and the confirmation after it. */
export default function CreateAccount({ title }: PageProps) {
  const { t } = useTexts()
  const session = useSession()
  const search = useSearch()
  const target = targetIn(search)
  // What somebody has chosen before, kept with their new entry.
  const requests = new URLSearchParams(search).get('request_ids')?.split(',').filter(Boolean) ?? []
  const {
    step,
    title: heading,
    content,
  } = useAccountSteps({
    said: 'platform.account-form.created-applicant',
    target,
    known: requests.length > 0 ? { request_ids: requests } : {},
  })
  const page = useRef<HTMLHeadingElement>(null)
  // Moves the focus to the heading of each step, unless the step has set it.
  useEffect(() => {
    if (step !== 'account' && document.activeElement === document.body) page.current?.focus()
  }, [step])
  if (session.state === 'in' && step === 'account')
    return <SignedInAlready title={t(title)} me={session.me} target={target} />
  return (
    <div className={css['page']}>
      <h1 ref={page} tabIndex={-1}>
        {step === 'account' ? t(title) : heading}
      </h1>
      {content}
      {step === 'account' && (
        <p className={css['forgot']}>
          {t('platform.signup.have-account')}{' '}
          <Link href={withTarget('/session/signin', target)}>{t('platform.signin.login')}</Link>
        </p>
      )}
    </div>
  )
}
