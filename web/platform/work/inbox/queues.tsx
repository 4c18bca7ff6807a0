import { memo } from 'react'
import { Link } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import { queues, useQueueCounts, type Queue } from '../../kernel/api/inbox.ts'
import { showShortcutHelp } from '../../kernel/keyboard/shortcuts.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { Wanted } from './address.ts'
import css from './queues.module.css'
import { Views } from './views.tsx'

/** Waiting tasks, urgent tasks, and tasks out of the reader's hands. */
const parts: readonly (readonly Queue[])[] = [queues.slice(0, 3), queues.slice(3, 6), queues.slice(6)]

interface QueuesProps {
  title: string
  path: string
  wanted: Wanted
  /** The query of the list; undefined until it is known. */
  query: Record<string, string> | undefined
  /** Whether there are saved views here. */
  viewed: boolean
}

/** The inbox queues with their counts under the present filters, and the saved views. */
export const Queues = memo(function Queues({ title, path, wanted, query, viewed }: QueuesProps) {
  const { t } = useTexts()
  const { count } = useFormats()
  const counts = useQueueCounts(query)
  const { queue, view, words, filters } = wanted
  return (
    <nav className={css['queues']} aria-label={t('platform.inbox.queues')}>
      <h1>{t(title)}</h1>
      <div className={css['lists']}>
        {parts.map((part) => (
          <ul key={part[0]}>
            {part.map((each) => (
              <li key={each}>
                <Link
                  href={withQuery(path, { queue: each, search: words, ...filters })}
                  aria-current={each === queue && !view ? 'true' : undefined}
                  data-late={(each === 'overdue' && Boolean(counts?.[each]?.value)) || undefined}
                >
                  {t(`platform.inbox.queue.${each}`)}
                  <span>{counts?.[each] ? count(counts[each]) : ''}</span>
                </Link>
              </li>
            ))}
          </ul>
        ))}
        {viewed && <Views path={path} view={view} />}
      </div>
      <p className={css['keys']}>
        <button type="button" onClick={() => showShortcutHelp(true)}>
          {t('platform.keyboard.title')} <kbd>?</kbd>
        </button>
      </p>
    </nav>
  )
})
