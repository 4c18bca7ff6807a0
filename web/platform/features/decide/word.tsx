import { Button } from 'antd'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './decide.module.css'

/** A short message in place of the decision; `next` links to the reader's tasks. */
export function Word({ heading, next = false, children }: { heading: string; next?: boolean; children: ReactNode }) {
  const { t } = useTexts()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className={css['word']}>
      <h1 ref={title} tabIndex={-1}>
        {heading}
      </h1>
      {children}
      {next && (
        <p>
          <Link href="/inbox" asChild>
            <Button>{t('platform.decide.to-inbox')}</Button>
          </Link>
        </p>
      )}
    </div>
  )
}

/** The decision needs a sign-in: the account requires it, or the form has fields that need it. */
export function SignIn({ task }: { task: string }) {
  const { t } = useTexts()
  return (
    <Word heading={t('platform.decide.sign-in')}>
      <p>{t('platform.decide.sign-in-detail')}</p>
      <p>
        <Link href={`/tasks/${encodeURIComponent(task)}`} asChild>
          <Button type="primary">{t('platform.signin.login')}</Button>
        </Link>
      </p>
    </Word>
  )
}
