import type { FlowOpening } from '../../kernel/client/types.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './start.module.css'

/** What the reader cannot ask for, each with the reason. */
export function NotForYou({ items }: { items: FlowOpening['unfit'] }) {
  const { t } = useTexts()
  return (
    <details className={css['unfit']}>
      <summary>{t('platform.start.not-for-you', { count: items.length })}</summary>
      <ul>
        {items.map(({ id, title, reason }) => (
          <li key={id}>
            {title} <small>{reason}</small>
          </li>
        ))}
      </ul>
    </details>
  )
}
