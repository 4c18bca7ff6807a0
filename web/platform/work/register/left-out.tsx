import { useId } from 'react'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './entry-batch.module.css'

interface Entry {
  id: string
  title: string
  message: string
}

/** Entries for which nothing is begun, each with the reason; the first ones if there are many. */
export function LeftOut({ of: { leftOut, total, ready } }: { of: { leftOut: Entry[]; total: number; ready: number } }) {
  const { t } = useTexts()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('platform.entry-batch.left-out', { count: total - ready })}</h2>
      {total - ready > leftOut.length && <p>{t('platform.entry-batch.first', { count: leftOut.length })}</p>}
      <Told entries={leftOut} />
    </section>
  )
}

export function Told({ entries }: { entries: readonly Entry[] }) {
  return (
    <ul className={css['results']}>
      {entries.map(({ id, title, message }) => (
        <li key={id}>
          <span>{title}</span>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  )
}
