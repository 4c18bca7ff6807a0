import { lazy, Suspense, useState } from 'react'
import { Problem } from '../../kernel/client/client.ts'
import { lookAtTaskLink } from '../../kernel/api/task-links.ts'
import type { PageProps } from '../../kernel/screens/page.ts'
import { useLinked } from '../../kernel/states/linked.ts'
import { Skeleton } from '../../kernel/states/skeleton.tsx'
import { Trouble } from '../../kernel/states/trouble.tsx'
import { useTexts, wantStaffTexts } from '../../kernel/texts/texts.ts'
import css from './decide.module.css'
import { SignIn, Word } from './word.tsx'

/** Forms and statuses need the texts behind the sign-in; they load only when there is something to decide. */
const Opened = lazy(async () => {
  const [opened] = await Promise.all([import('./opened.tsx'), wantStaffTexts()])
  return opened
})

/** Refusal code → heading. The API's own detail is shown below it. */
const closed: Record<string, string> = {
  'platform.link-over': 'platform.decide.over',
  'platform.link-used': 'platform.decide.used',
  'platform.link-not-yours': 'platform.decide.not-yours',
  'platform.link-sign-in': 'platform.decide.sign-in',
  'platform.task-decided': 'platform.decide.decided',
  'platform.task-held': 'platform.decide.held',
  'platform.task-gone': 'platform.decide.gone',
}
const headingOf = (problem: unknown): string | undefined => {
  if (!(problem instanceof Problem)) return undefined
  return closed[problem.code] ?? (problem.status === 403 ? 'platform.decide.not-allowed' : undefined)
}

/**
 * /decide/{token}: one decision through a link from an email. Opening the link decides nothing: mail programs prefetch
 * links.
 */
export default function Decide({ params }: PageProps) {
  const { t } = useTexts()
  const token = params['token'] ?? ''
  const { found, problem, refuse, retry } = useLinked(lookAtTaskLink, token)
  const [done, setDone] = useState<string>()

  if (done !== undefined)
    return (
      <Word heading={t('platform.decide.done', { outcome: done })}>
        <p role="status">{t('platform.decide.done-detail')}</p>
      </Word>
    )
  const heading = headingOf(problem)
  if (problem instanceof Problem && heading)
    return (
      <Word heading={t(heading)} next>
        <p role="status">{problem.detail}</p>
      </Word>
    )
  if (problem !== undefined)
    return (
      <div className={css['word']}>
        <Trouble error={problem} onRetry={retry} />
      </div>
    )
  if (found?.state === 'sign-in') return <SignIn task={found.task} />
  const lines = (
    <div className={css['page']}>
      <Skeleton lines={8} />
    </div>
  )
  if (!found) return lines
  return (
    <Suspense fallback={lines}>
      <Opened of={found} token={token} onDone={setDone} onClosed={(error) => headingOf(error) && refuse(error)} />
    </Suspense>
  )
}
