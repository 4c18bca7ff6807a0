import { Link } from 'wouter'
import css from '../../kernel/record/record.module.css'
import { useTexts } from '../../kernel/texts/texts.ts'
import type { OwnItem } from './registers.ts'

/** The entries to which an entry leads, each with a link for people who see it. */
export function Told({ tells }: Pick<OwnItem, 'tells'>) {
  const { t } = useTexts()
  const some = tells.filter(({ entries }) => entries.length > 0)
  if (some.length === 0) return null
  return (
    <dl className={css['record']}>
      {some.map(({ title, entries }) => (
        <div key={title}>
          <dt>{t(title)}</dt>
          {entries.map(({ id, register, title: name, sees }) => (
            <dd key={id}>{sees ? <Link href={`/registers/${register}/${id}`}>{name}</Link> : name}</dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
