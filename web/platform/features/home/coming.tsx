import { Link } from 'wouter'
import { withQuery } from '../../kernel/client/client.ts'
import type { ListComingEvents } from '../../kernel/client/operations.generated.ts'
import { useRead } from '../../kernel/api/read.ts'
import { useFormats } from '../../kernel/texts/formats.ts'
import { useTexts } from '../../kernel/texts/texts.ts'
import css from './home.module.css'

const shown = 6

interface ComingProps {
  register: string
  /** Address of an item's calendar; contains `{id}`. */
  calendar: string
}

/** The next public events of the items; nothing while none is confirmed. */
export function Coming({ register, calendar }: ComingProps) {
  const { t } = useTexts()
  const { range } = useFormats()
  const { data } = useRead<ListComingEvents['answer']>(
    withQuery(`/api/public/registers/${register}/coming`, { limit: shown }),
  )
  if (!data || data.items.length === 0) return null
  return (
    <section className={css['coming']} aria-labelledby="home-coming">
      <h2 id="home-coming">{t('platform.home.coming')}</h2>
      <ul>
        {data.items.map(({ id, title, item, from, until }) => (
          <li key={id}>
            <Link href={calendar.replace('{id}', encodeURIComponent(item.id))}>
              <time dateTime={from}>{range(from, until)}</time>
              <strong>{title}</strong>
              <span>{item.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
