import { useEffect, useState } from 'react'
import { lookAtQuestion } from '../../kernel/api/answers.ts'
import { Problem } from '../../kernel/client/client.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useLinked } from '../../kernel/states/linked.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { Word } from '../../kernel/states/word.tsx'
import { hasChosenLanguage, setLanguage, useTexts } from '../../kernel/texts/texts.ts'
import css from './answer.module.css'
import { Question } from './question.tsx'

/** Refusal code → heading. The API's own detail is shown below it. */
const closed: Record<string, string> = {
  'platform.answer-closed': 'platform.answer.closed',
  'platform.answer-given': 'platform.answer.given',
  'platform.answer-link-unknown': 'platform.answer.unknown',
  'platform.answer-over': 'platform.answer.closed',
  'platform.answer-withdrawn': 'platform.answer.withdrawn',
}
const headingOf = (problem: unknown): string | undefined =>
  problem instanceof Problem ? closed[problem.code] : undefined

/** /answer/{token}: one question to somebody without an account. Opening the link answers nothing. */
export default function Answer({ params }: PageProps) {
  const { t, language } = useTexts()
  const token = params['token'] ?? ''
  const { found, problem, refuse, retry } = useLinked(lookAtQuestion, token, language)
  const [done, setDone] = useState<string>()
  useEffect(() => {
    // The person's own language, unless they have chosen another on this device.
    if (found && !hasChosenLanguage()) void setLanguage(found.language)
  }, [found])

  if (done !== undefined)
    return (
      <Word className={css['page']} heading={t('platform.answer.done')}>
        <p role="status">{t('platform.answer.done-detail', { outcome: done })}</p>
      </Word>
    )
  const heading = headingOf(problem)
  if (problem instanceof Problem && heading)
    return (
      <Word className={css['page']} heading={t(heading)}>
        <p role="status">{problem.detail}</p>
      </Word>
    )
  if (problem !== undefined)
    return (
      <div className={css['page']}>
        <Trouble error={problem} onRetry={retry} />
      </div>
    )
  if (!found)
    return (
      <div className={css['page']}>
        <Skeleton lines={6} />
      </div>
    )
  return <Question of={found} token={token} onDone={setDone} onClosed={(error) => headingOf(error) && refuse(error)} />
}
