import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Word as ShortWord } from '../../kernel/states/word.tsx'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './decide.module.css'

/** A short message in place of the decision; `next` links to the reader's tasks. */
export function Word({ heading, next = false, children }: { heading: string; next?: boolean; children: ReactNode }) {
  const { t } = useTexts()
  return (
    <ShortWord className={css['word']} heading={heading}>
      {children}
      {next && (
        <p>
          <Link href="/inbox" asChild>
            <Button>{t('platform.decide.to-inbox')}</Button>
          </Link>
        </p>
      )}
    </ShortWord>
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
