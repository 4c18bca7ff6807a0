import { Button } from 'antd'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'wouter'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './decide.module.css'

/** A short word instead of a decision; `next` leads to where one's tasks are. */
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

/** The decision is made behind the sign-in: the account wants more than a link, or the form needs more than a link shows. */
export function SignIn({ task }: { task: string }) {
  const { t } = useTexts()
  return (
    <Word heading={t('platform.decide.sign-in')}>
      <p>{t('platform.decide.sign-in-detail')}</p>
      <p>
        <Link href={`/tasks/${encodeURIComponent(task)}`} asChild>
          <Button type="primary">{t('platform.public.login')}</Button>
        </Link>
      </p>
    </Word>
  )
}
