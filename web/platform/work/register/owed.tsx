import type { ListOwed } from '../../kernel/client/operations.generated.ts'
import { useRead } from '../../kernel/api/read.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './owed.module.css'
import type { Register } from './registers.ts'

interface OwedProps {
  path: string
  /** Text keys. */
  title: string
  about?: string
  /** Nothing is said if nothing is left. */
  quiet?: boolean
  className?: string | undefined
}

/** What somebody still has to give back or settle; nothing for people who may not read it. */
export function Owed({ path, title, about, quiet = false, className }: OwedProps) {
  const { t } = useTexts()
  const { date } = useFormats()
  const { data } = useRead<ListOwed['answer']>(path)
  if (!data || (quiet && data.items.length === 0)) return null
  return (
    <section className={className}>
      <h2>{t(title)}</h2>
      {about && data.items.length > 0 && <p className={css['about']}>{t(about)}</p>}
      {data.items.length === 0 && <p>{t('platform.owed.none')}</p>}
      <ul className={css['owed']}>
        {data.items.map(({ id, what, title: which, due }) => (
          <li key={id}>
            <strong>{what}</strong>
            <span>{which}</span>
            {due && (
              <span className={css['due']}>
                {t('platform.owed.due')}: {date(due)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the person of an entry still has to give back or settle, if its register is one of people who are cleared. */
export function OwedOf({ register: { register, clears }, id }: { register: Register; id: string }) {
  return clears ? <Owed path={`/api/registers/${register}/items/${id}/owed`} title="platform.owed.of" /> : null
}
